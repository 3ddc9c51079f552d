"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def adam(params: Any, state: Any, lr: Any, beta1: Any, beta2: Any, eps: Any, decay: Any, amsgrad: Any, maximize: Any, decoupled: Any) -> Any:
    """Move the parameters; return those that the loop could not move."""

def register_parameter(cls: Any) -> Any:
    """The class of parameters, which is written in Python, and as plain as Tensor."""

def sgd(params: Any, state: Any, lr: Any, momentum: Any, dampening: Any, decay: Any, nesterov: Any, maximize: Any) -> Any:
    """Move the parameters; return those that the loop could not move."""

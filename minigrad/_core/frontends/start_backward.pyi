"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def start_backward(root: Any, gradient: Any, retain_graph: Any) -> Any:
    """``root.backward(gradient, retain_graph)``; None where that is not one of the usual calls."""

def start_grad(outputs: Any, inputs: Any, gradients: Any, retain_graph: Any, create_graph: Any) -> Any:
    """What ``grad`` computes, as a list; None where it is not one of the usual calls."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class UfuncCalls(Wrapping):
    """``Tensor.__array_ufunc__``."""


def learn(ufunc: Any, function: Any) -> Any:
    """From now on, usual calls of `ufunc` go to `function`."""

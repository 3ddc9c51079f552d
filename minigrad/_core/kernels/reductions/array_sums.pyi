"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def running(what: Any, self, coefficients: Any, axis: Any, backwards: Any = False) -> Any:
    """Running totals along an axis, kept in double precision: ``"sum"``, ``"product"`` or ``"recurrence"``; see pairwise_sums.pyx."""

def total(array: Any, axes: Any = None, keepdims: Any = False) -> Any:
    """The sum over a tuple of axes (None for all), by the one routine that the library has for it."""

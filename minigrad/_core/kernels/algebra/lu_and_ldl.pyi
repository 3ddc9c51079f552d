"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def factor(a: Any, pivots: Any, info: Any, pivot: Any) -> Any:
    """Make L and U of each matrix, in place; ``info`` has for each the first pivot that is zero, or 0."""

def factor_symmetric(a: Any, pivots: Any, info: Any, hermitian: Any) -> Any:
    """Make L and D of each matrix in place; ``info`` as for `factor`."""

def solve_symmetric(a: Any, pivots: Any, x: Any, hermitian: Any) -> Any:
    """Put the solution for each matrix in the memory of the right-hand sides, from what `factor_symmetric` has made."""

def substitute(a: Any, x: Any, upper: Any, unit: Any) -> Any:
    """Put X in T X = B in the memory of B, for the upper or lower triangle T of each matrix ``a``."""

def swap_rows(x: Any, pivots: Any, back: Any) -> Any:
    """Exchange the rows of each matrix in place as the pivots say, in their order or backwards."""

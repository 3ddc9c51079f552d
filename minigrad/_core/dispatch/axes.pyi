"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def many_dims(dim: Any, ndim: Any, name: Any) -> Any:
    """``dim`` (None, an int or a sequence of ints) as a tuple of axes of an array; None and () mean all."""

def one_dim(dim: Any, ndim: Any, name: Any) -> Any:
    """``dim`` as a number from 0 to ``ndim - 1``."""

def plain_ints(several: Any) -> Any:
    """Is it a tuple of Python's own ints, as sizes mostly are?"""

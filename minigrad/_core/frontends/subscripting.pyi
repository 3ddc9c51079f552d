"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def getitem(self, key: Any) -> Any:
    """``self[key]``."""

def register(read: Any, write: Any) -> Any:
    """Tell this module of the functions that read and write what it leaves to them."""

def setitem(self, key: Any, value: Any) -> Any:
    """``self[key] = value``."""

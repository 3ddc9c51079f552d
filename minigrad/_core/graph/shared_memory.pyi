"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def bump_version(t: Any) -> Any:
    """Count one in-place write to the memory of ``t``."""

def last_written_at(t: Any) -> Any:
    """Where the memory of ``t`` was last written to, for a message; "" where that is not known."""

def same_memory(a: Any, b: Any) -> Any:
    """True if writing to one may change the other."""

def view_chain(t: Any) -> Any:
    """Every (op, arguments) from the base of a view to the view; () for a tensor that is not a view."""

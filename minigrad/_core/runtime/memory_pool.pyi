"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def figures() -> Any:
    """What there is: a dict."""

def get_limit() -> Any:
    """How many bytes are kept at most; at the beginning 256 MiB (268435456)."""

def release() -> Any:
    """Give all memory that is kept back to the system; returns how many bytes that is."""

def set_limit(bytes: Any) -> Any:
    """Keep at most this number of bytes of the memory that arrays have left; with 0, none is kept."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def built_with() -> Any:
    """The compiler of the core, and the flags that it was given."""

def get_num_interop_threads() -> Any:
    """How many operations PyTorch would run at the same time; here they run one after the other, whatever it is."""

def get_num_threads() -> Any:
    """How many threads compute a large operation."""

def set_num_interop_threads(num: Any) -> Any:
    """Remember the number, and do nothing with it: operations run one after the other."""

def set_num_threads(num: Any) -> Any:
    """Let large operations be computed by this many threads, from now on and for the whole process."""

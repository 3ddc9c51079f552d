"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def hooks_to_run() -> Any:
    """The hooks of every tensor whose gradient the running pass will compute, one dict for each tensor with hooks."""

def pass_notes() -> Any:
    """A dict for hooks, which lives as long as the innermost backward pass of this thread; None outside one."""

def reaches_all_leaves() -> Any:
    """False in a pass for given inputs alone, such as that of ``grad()``: other leaves get nothing in it."""

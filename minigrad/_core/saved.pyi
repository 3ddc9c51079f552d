"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def freed_at(n: Any) -> Any:
    """Where the pass was called that let go of what ``n`` had saved: "" if unknown, None if ``n`` still has it."""

def shown_slot(n: Any, i: Any) -> Any:
    """The content of slot `i` as users see it: a Tensor, a tuple of them, a parameter, or None if it is empty."""

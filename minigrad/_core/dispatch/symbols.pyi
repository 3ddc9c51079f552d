"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Symbol:
    """Stands for a value while a formula is traced."""

    key: Any

class Tracer:
    """The list of steps of one formula."""


class Untraceable(TypeError):
    """A formula did with a Symbol what only a value can do, or computed with more than its arguments."""


def emit(op: Any, args: Any) -> Any:
    """Note down that ``op`` is applied to ``args``, one or more of which are Symbols; the Symbol of the result."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class InPlace:
    """The in-place form of a row, or of several rows to choose from; a method of Tensor: ``x.mul_(y)``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    also: Any  # The other names for its arguments.
    op: Any
    rows: Any

class WithInplace:
    """A function of ``nn.functional`` whose last argument is ``inplace``: ``relu(x, inplace=True)`` returns ``x``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    row: Any

def write_bound(op: Any, bound: Any) -> Any:
    """Write, with the arguments in the order of the schema: for `op.inplace`."""

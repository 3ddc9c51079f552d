"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class InPlace:
    """The in-place form of a row, a method of Tensor: ``x.mul_(y)``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    general: Any
    op: Any

def alter(op: Any, target: Any, args: Any) -> Any:
    """``x.t_()``, ``x.unsqueeze_(0)`` and the like: ``target`` becomes ``op(target, *args)``, a view row, and stays the same object."""

def check(name: Any, target: Any, places: Any = False) -> Any:
    """The same for writes that happen elsewhere: through a subscript or, with ``places``, by a custom Function."""

def meets_itself(a: Any) -> Any:
    """Do two elements lie in one place?"""

def write_out(name: Any, out: Any, result: Any, exact: Any, inputs: Any) -> Any:
    """``name(..., out=out)``: put ``result``, a Tensor or several, into ``out``, which is returned."""

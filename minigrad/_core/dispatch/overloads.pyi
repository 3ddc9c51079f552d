"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Overloads:
    """A public function of several rows, which its arguments choose between."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def add(self, row: Any) -> Any: ...
    def inplace(self, target: Any, *args: Any, **kwargs: Any) -> Any:
        """The in-place form: ``target`` takes the value of the function."""
    def row_for(self, *args: Any, **kwargs: Any) -> Any:
        """The row that a call with these arguments goes to."""
    rows: Any
    takes_out: Any

def joined(signatures: Any) -> Any:
    """One signature for all: parameters by position as in the longest, or up to a spread one, then the keywords."""

def places(signature: Any) -> Any: ...

def row_in_full(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The row to which a call goes if all rows are asked in full: a test holds `certainly` against it."""

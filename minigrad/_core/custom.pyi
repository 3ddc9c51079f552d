"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph import Node as Node

class PyNode(Node):
    """The node of a custom Function, which is also its ctx. minigrad/autograd/function builds on it."""

    def name(self) -> Any: ...

def as_view_of_input(t: Any) -> Any:
    """``t`` as a custom Function returns it when its forward returns an input untouched: as a view of it."""

def begin_function(function: Any, ctx: Any, args: Any) -> Any:
    """Record nothing in a custom Function's forward, and tell who listens; returns what ``end_function`` needs."""

def end_function(begun: Any) -> Any:
    """Record again, if anything was recorded before."""

def same_memory(a: Any, b: Any) -> Any:
    """True where writing to one may change the other."""

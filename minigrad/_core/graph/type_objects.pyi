"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def attach(name: Any, value: Any, cls: Any = ...) -> Any:
    """Make ``value`` an attribute of Tensor, or of ``cls`` (a compiled class refuses plain assignment)."""

def become(x: Any) -> Any:
    """Let ``x``, of a class that adds nothing but methods to another, be of that one: see ops/lazy.py."""

def make_node_class(name: Any, body: Any) -> Any:
    """The public class of the nodes of one op."""

def unattach(name: Any, cls: Any = ...) -> Any:
    """Take away what :func:`attach` gave."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Type(str):
    """A type in a schema, which ``help()`` shows without quotes."""


def item_getter(i: Any) -> Any: ...

def named_results(name: Any, fields: Any) -> Any:
    """The class of several named outputs, printed as PyTorch prints it."""

def node_class(op: Any, node_name: Any) -> Any:
    """The class of the nodes of ``op``, with the properties _saved_self, _raw_saved_self and so on of its slots."""

def program_as_text(program: Any) -> Any:
    """A formula as a list of steps, ``r2 = mul(r0, r1)``; constants are written out."""

def raw_getter(i: Any) -> Any: ...

def saved_getter(i: Any, tensor: Any, ints: Any) -> Any: ...

def signature_of(op: Any, required: Any) -> Any:
    """What ``help()`` shows, with the types of the schema; ``required`` is the default of parameters without one."""

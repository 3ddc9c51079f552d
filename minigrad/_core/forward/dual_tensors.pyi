"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Dual:
    """A block in which the dual level is open: the C half of ``dual_level`` (autograd/forward_ad.py)."""


def enter() -> Any:
    """Open the dual level of this thread."""

def is_open() -> Any:
    """True if a dual level is open and operations look at tangents."""

def is_usual(tensor: Any, tangent: Any) -> Any:
    """Can ``tensor`` and ``tangent`` make a dual tensor, as they usually can?"""

def leave() -> Any:
    """Close it: no tensor has a tangent any more."""

def level_is_open() -> Any:
    """True if a dual level is open, even if operations do not look at tangents at the moment."""

def make_owner(dual: Any, tangent: Any) -> Any:
    """``dual``, an alias of a tensor, gets a tangent of its own."""

class paused:
    """Within the block operations do not look at tangents."""


def put_tangent(target: Any, tangent: Any) -> Any:
    """`target`, and so the part of memory that it shows, gets `tangent`."""

def remember(n: Any, nr: Any, tangent: Any) -> Any:
    """A node that saved its own output also keeps the tangent of it, for a backward pass within the dual level."""

def set_tangent(t: Any, tangent: Any) -> Any:
    """``t``, which owns its tangent, gets ``tangent``; None takes away the one that it has."""

def tangent_of(t: Any) -> Any:
    """The tangent of a tensor outside transforms, or None."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class Tape:
    """The level of reverse mode: what is done to its tensors is recorded, and formulas will run on payloads."""

    maps: Any
    def process(self, op, args, level) -> Any: ...

def differential(op, primals, tangents, result) -> Any:
    """The tangent of the result of ``op(*primals)``; a tuple of them where there are several results."""

def enter() -> Any:
    """Open the dual level of this thread."""

def is_open() -> Any:
    """May tensors have tangents now, and do operations look at them?"""

def leave() -> Any:
    """Close it: no tensor has a tangent any more."""

def level_is_open() -> Any:
    """Is there a dual level, though what runs now may not look at tangents?"""

def make_owner(dual, tangent) -> Any:
    """``dual``, an alias of a tensor, gets a tangent of its own."""

class paused:
    """Within the block operations do not look at tangents."""


def put_tangent(target, tangent) -> Any:
    """Make `tangent` that of `target`, and so of the part of memory that it shows."""

def register(*, add, clone, expand, real, sum_to, to_dtype, zeros_of) -> Any:
    """The ops that forward mode itself applies to tangents."""

def remember(n, nr, tangent) -> Any:
    """A node that saved its own output keeps the tangent of it too, for a backward pass within the dual level."""

def set_tangent(t, tangent) -> Any:
    """``t``, which is no view but of what make_dual made, gets ``tangent``, or loses the one that it has."""

def tangent_of(t) -> Any:
    """The tangent of a tensor outside of transforms, or None."""

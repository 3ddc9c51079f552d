"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class InPlace:
    """The in-place form of a row, a method of Tensor: ``x.mul_(y)``."""

    general: Any
    op: Any

def alter(op, target, args) -> Any:
    """``x.t_()``, ``x.unsqueeze_(0)`` and the like: ``target`` becomes ``op(target, *args)``, a view row, and stays the same object."""

def check(name, target, places=False) -> Any:
    """The same for writes that happen elsewhere: through a subscript or, with ``places``, by a custom Function."""

def meets_itself(a) -> Any:
    """Do two elements lie in one place?"""

def write_out(name, out, result) -> Any:
    """``name(..., out=out)``: put ``result``, a Tensor or several, into ``out``, which is returned."""

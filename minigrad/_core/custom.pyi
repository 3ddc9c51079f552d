"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

from minigrad._core.graph import Node as Node

class PyNode(Node):
    """The node of a custom Function, which is also its ctx. minigrad/autograd/function.py builds on it."""

    def name(self) -> str: ...

def as_view_of_input(t) -> Any:
    """``t`` as a custom Function returns it when its forward returns an input untouched: another tensor, a view of it."""

def same_memory(a, b) -> Any:
    """True where writing to one may change the other."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any

from minigrad._core.graph import Node as Node

class CopySlices(Node):
    """The history of a base that was written to through a view; see Note [Views]."""

    def name(self) -> str: ...

def rebase_in_function(t, n, nr, which) -> Any:
    """``t``, modified in place by the forward of the custom Function ``n``, becomes output ``nr`` of it; it was tensor argument ``which``."""

def register(*, as_strided, as_strided_copy, as_strided_backward, view_as_real, view_as_complex, where) -> Any:
    """Tell this module the ops that it builds histories from."""

def register_replay(function) -> Any:
    """``function(view, base)``: the view, recorded anew as a part of its base as that is now; for tensors of a transform."""

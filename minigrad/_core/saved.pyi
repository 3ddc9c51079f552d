"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def freed_at(n) -> Any:
    """Where the pass was called that let go of what ``n`` had saved: "" where that is not known, None where ``n`` still has it."""

def shown_slot(n, i) -> Any:
    """The content of slot `i` as users see it: a Tensor, a tuple of them, a parameter, or None where nothing was saved."""

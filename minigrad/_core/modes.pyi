"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def is_grad_enabled() -> Any:
    """True where operations on tensors that require grad are recorded."""

def is_inference() -> Any: ...

def levels() -> Any:
    """The list of open transform levels of this thread, outermost first."""

def pop_level() -> Any: ...

def push_level(interpreter) -> Any:
    """Open a transform level and return its number (1 is the outermost)."""

def set_grad_enabled(enabled) -> Any:
    """Switch recording on or off in this thread; returns what it was."""

def set_inference(enabled) -> Any:
    """Switch inference mode in this thread; returns what it was. Recording is the other flag: inference_mode() switches both."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


class Emitter(Listener):
    """Hands on at once: ``push(name, kind, seq, shapes)`` when something begins, ``pop()`` when it ends."""

    def stop(self) -> Any:
        """Hand on no longer; what has not ended, ends now."""

class Listener:
    """One that does nothing; the two below fill in what to do."""

    def enter(self, label) -> Any:
        """A range that the user names begins; what is returned is for ``leave``."""
    def leave(self, place) -> Any:
        """The range ends. It may end when those that began after it have not: tasks take turns."""
    shapes: Any
    def start(self) -> Any:
        """Listen to this thread from now on."""
    def stop(self) -> Any:
        """Listen no longer."""

class Recorder(Listener):
    """Writes down when everything began and ended."""

    def records(self) -> Any:
        """What was written down, in the order in which it began."""
    def start(self) -> Any:
        """Listen to this thread from now on."""
    def stop(self) -> Any:
        """Listen no longer; what has not ended, ends now."""

def begin_function(function, ctx, args) -> Any:
    """Switch recording off for the forward of a custom Function, and tell who listens; what is returned is for ``end_function``."""

def end_function(begun) -> Any:
    """Switch recording back."""

def listening() -> Any:
    """The listener of this thread; None where there is none."""

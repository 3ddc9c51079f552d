"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Announced:
    """A function that has been called, and may turn out to be the row that it is made of."""


class Emitter(Listener):
    """Hands on at once: ``push(name, kind, seq, shapes)`` when something begins, ``pop()`` when it ends."""

    def stop(self) -> Any:
        """Hand on no longer; what has not ended, ends now."""

class Listener:
    """One that does nothing; the two below fill in what to do."""

    def enter(self, label: Any) -> Any:
        """A range that the user names begins; what is returned is for ``leave``."""
    def leave(self, place: Any) -> Any:
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

def begin_function(function: Any, ctx: Any, args: Any) -> Any:
    """Switch recording off for the forward of a custom Function, and tell who listens; what is returned is for ``end_function``."""

def end_function(begun: Any) -> Any:
    """Switch recording back."""

def listening() -> Any:
    """The listener of this thread; None where there is none."""

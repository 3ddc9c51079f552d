"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Announced:
    """A function that has been called, and may turn out to be the row inside it: Note [The call that was written]."""


class Labelled:
    """A block that is an event with the label ``name``: the C half of ``record_function``."""


class Listener:
    """A listener that does nothing: the two in recorders.pyx say what to do."""

    def enter(self, label: Any) -> Any:
        """A range that the user has named begins; returns its number, for ``leave``."""
    def leave(self, event: Any) -> Any:
        """The range ends, perhaps before ranges that began later: tasks take turns."""
    shapes: Any
    def start(self) -> Any:
        """Listen to this thread from now on."""
    def stop(self) -> Any:
        """Listen no longer."""

def listening() -> Any:
    """The listener of this thread; None where there is none."""

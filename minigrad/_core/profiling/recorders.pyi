"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Emitter(Listener):
    """Hands on at once: ``push(name, kind, seq, shapes)`` when something begins, ``pop()`` when it ends."""

    def stop(self) -> Any:
        """Hand on no longer; events that have not ended end now."""

class Recorded:
    """A block that a Recorder hears: the C half of ``profile``. See Note [Ctrl-C at the edge of a block]."""


class Recorder(Listener):
    """Writes down when everything began and ended."""

    def records(self) -> Any:
        """The events, in the order in which they began."""
    def start(self) -> Any:
        """Listen to this thread from now on."""
    def stop(self) -> Any:
        """Listen no longer; events that have not ended end now."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Block(Scope):
    """What functions return: ``changes()`` gives the changes of an entry. It also decorates."""


class Counter:
    """How often something is on: a change ``(counter.add, 1)`` counts a block, in whichever thread."""

    def add(self, by: Any) -> Any: ...

class Itself(Scope):
    """A block that ``with ... as`` gives itself."""


class Scope:
    """A block with these changes; a subclass that decides at each entry defines ``_changes``."""

    value: Any

class Undo(Scope):
    """A block of something that was changed when this was made: the end puts back what ``_changes`` says."""


def set_in_all(dicts: Any, key: Any, value: Any) -> Any:
    """Set an item in each of several dicts."""

def set_on_all(objects: Any, name: Any, value: Any) -> Any:
    """Set an attribute of each of several objects."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Block:
    """What the two switches of recording were outside."""


class Inferring(Block):
    """Inference mode is on inside and nothing is recorded, or with ``mode=False`` the reverse."""

    mode: Any

class Recorded(Block):
    """Operations are recorded inside."""


class Setting(Block):
    """Recording is switched as soon as this is made; what is put back is what it was before that."""

    mode: Any
    prev: Any

class Unrecorded(Block):
    """Nothing is recorded inside."""


def made_in_c(cls: Any) -> Any:
    """A decorator of subclasses of these: an ordinary call of ``cls`` makes its instance in C."""

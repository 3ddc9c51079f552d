"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Loan:
    """The memory of another library, in use here: the base of the array that lies in it."""


def export(a: Any, code: Any, versioned: Any, copied: Any = False) -> Any:
    """A capsule with the memory of `a`, whose elements have DLPack's type `code`; it keeps the array alive."""

def take(capsule: Any, kinds: Any) -> Any:
    """The array in a capsule, which cannot be taken again; `kinds` is {(code, bits): dtype}."""

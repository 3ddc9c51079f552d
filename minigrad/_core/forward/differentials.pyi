"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


class Recorder:
    """The level of reverse mode: operations on its tensors are recorded, and their formulas run on payloads."""

    maps: Any
    def process(self, op: Any, args: Any, level: Any) -> Any: ...

def differential(op: Any, primals: Any, tangents: Any, result: Any) -> Any:
    """The tangent of the result of ``op(*primals)``; a tuple of them where there are several results."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def as_number(function: Any, argument: Any, t: Any) -> Any:
    """`number_given`, for Python functions that are not rows."""

def unmasked(array: Any, where: Any, code: Any = 'MG402') -> Any:
    """The array; an error if it has a mask, which a tensor does not have, so that masked elements would count again."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def check_number(op: Any, value: Any, dtype: Any) -> Any:
    """Refuse a Python number beyond this dtype: for integers the fraction is cut off, and no more."""

def count_across(change: Any) -> Any:
    """Count arrays that come (1) or go (-1); how many there are then."""

def greatest(dtype: Any) -> Any:
    """The greatest number of a dtype."""

def misfit(op: Any, value: Any, dtype: Any) -> Any: ...

def on_arrays(op: Any, *args: Any) -> Any:
    """The op on arrays, with promotion: a step of a traced formula."""

def on_arrays_general(op: Any, *args: Any) -> Any:
    """The same by the general way; a test holds the two against each other."""

def on_arrays_in_c(op: Any, *args: Any) -> Any:
    """What the kernel in C gives; None where the row has none, or it leaves such arguments to the general way."""

def register_devices(array_class: Any, compute: Any, together: Any) -> Any: ...

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def check(name: Any, target: Any, locations: Any = False) -> Any:
    """The same for writes that are done elsewhere: through a subscript or, with ``locations``, by a custom Function."""

def check_result(op: Any, shape: Any, dtype: Any, result_shape: Any, result_dtype: Any) -> Any:
    """Raise if a result of this shape and NumPy dtype does not fit into the target, which keeps its own."""

def check_unrecorded(target: Any) -> Any:
    """The same for a write through a subscript that is not recorded."""

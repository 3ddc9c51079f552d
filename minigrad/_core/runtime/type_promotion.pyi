"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format


def category_of(numpy_type: Any) -> Any:
    """0 bool, 1 integer, 2 floating, 3 complex."""

def default_real() -> Any:
    """The NumPy dtype of Python floats."""

def joined(tiers: Any) -> Any:
    """The code of the dtype for the codes in three tiers together; -1 if there are none."""

def register_dtypes(numpy_types: Any, categories: Any, promotions: Any) -> Any:
    """Tell this module about the dtypes: by code, their NumPy dtype and category, and the table of promotions."""

def result_dtype(values: Any) -> Any:
    """The NumPy dtype for arrays and Python numbers together."""

def scalar_name(dtype: Any) -> Any:
    """PyTorch's C++ name of a NumPy dtype, as its error messages spell it."""

def set_default_dtype(real: Any, complex_: Any) -> Any:
    """The NumPy dtypes of Python floats and complex numbers."""

def together(a: Any, b: Any) -> Any:
    """The code of the dtype for two dtypes of one tier."""

def uncastable(result: Any, target: Any, why: Any) -> Any:
    """The error for a result whose NumPy dtype does not fit into the memory of the target; ``why`` it goes there."""

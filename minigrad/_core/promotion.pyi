"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def category_of(numpy_type) -> Any:
    """0 bool, 1 integer, 2 floating, 3 complex."""

def default_real() -> Any:
    """The NumPy dtype of Python floats."""

def register_dtypes(numpy_types, categories, promotions) -> Any:
    """Tell this module about the dtypes: by code, their NumPy dtype and category, and the table of promotions."""

def result_dtype(values) -> Any:
    """The NumPy dtype for arrays and Python numbers together."""

def set_default_dtype(real, complex_) -> Any:
    """The NumPy dtypes of Python floats and complex numbers."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

import builtins
from typing import Any


def filled(shape, value) -> Any:
    """A new array of ``shape`` with the 0-d ``value`` everywhere, or None where the dtype is not plain."""

def running(what, self, coefficients, axis, backwards=False) -> Any:
    """Running totals along an axis, kept in double precision: ``"sum"``, ``"product"`` or ``"recurrence"``; see sums.pyx."""

def total(array, axes=None, keepdims=False) -> Any:
    """The sum over a tuple of axes (None for all), by the one routine that the library has for it."""

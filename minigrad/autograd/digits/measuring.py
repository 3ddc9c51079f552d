"""How many digits a number has.

A result y stands for the number Y that exact arithmetic would give.  Its relative error is |y - Y| / |Y|, and its
digits are -log10 of that: 7.2 for a float32 that is as near to Y as it can be, 0 where even the first digit is wrong.
(N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 2002, ch. 1.)
"""

from dataclasses import dataclass
from functools import cache
from math import log10

import numpy as np

from minigrad._core.profiling.shadow_memory import largest_error, sample_of_errors

__all__ = ["Measured", "full_digits", "measured", "smallest", "unit"]

#: of a large tensor, this many entries say what is typical
SAMPLE = 256
#: what an operation on more entries has lost itself is asked only if a quarter of the digits of its result is gone
LARGE = 4096
#: an error of at most this many units of rounding is that of any sound operation
SOUND = 8
#: an entry that is smaller than this part of the largest one is measured against that, to say what is typical
FLOOR = 1e-3
#: among at least this many entries, the worst twentieth says what is typical; of fewer, the worst one
MANY = 20

_UNITS = {"bfloat16": 2.0 ** -8}
_SMALLEST = {"bfloat16": 2.0 ** -126}


def real_type(dtype):
    return np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


@cache
def unit(dtype):
    """The largest relative error of one rounding: 2^-24 for float32."""
    dtype = real_type(dtype)
    return _UNITS.get(dtype.name) or float(np.finfo(dtype).eps) / 2


@cache
def smallest(dtype):
    """The smallest number that has all digits."""
    dtype = real_type(dtype)
    return _SMALLEST.get(dtype.name) or float(np.finfo(dtype).tiny)


@cache
def full_digits(dtype):
    """How many digits a number of this dtype can have.

    >>> import numpy
    >>> from minigrad.autograd.digits.measuring import full_digits
    >>> round(full_digits(numpy.dtype("float32")), 1)
    7.2
    """
    return -log10(unit(dtype))


@dataclass(slots=True)
class Measured:
    """The digits of an array: of the worst entry, of the one in the middle, and of the worst twentieth.

    For ``typical``, which decides whether something is reported, an entry far below the largest one of its tensor is
    measured against a thousandth of that one: what is nearly 0 among large numbers mostly does not matter.
    """
    full: float
    worst: float
    median: float
    typical: float
    error: float = 0.0      # the relative error of the worst entry, or inf

    def __str__(self):
        return f"{self.worst:.1f} of {self.full:.1f} digits"

    @property
    def lost(self):
        """How many digits are missing, typically."""
        return self.full - self.typical

    @property
    def is_bad(self):
        """Is at least half of the digits gone?"""
        return self.typical < self.full / 2


def measured(low, high, worst=None):
    """How many digits ``low`` has, if ``high`` is what it should be; ``worst`` is its largest error, if that is known.
    """
    u, full = unit(low.dtype), full_digits(low.dtype)
    if worst is None:
        worst = largest_error(low, high)
    if worst is None:
        low, high = in_order(low, high)
        worst = largest_error(low, high)
    if worst is None:
        worst = errors(low.ravel(), high.ravel())[2].max(initial=0.0)
    if worst <= SOUND * u:
        return Measured(full, digits_of(worst, u, full), full, full, worst)
    error, typical = sample_of_errors(low, high, SAMPLE, FLOOR) or sample_in_numpy(low, high)
    middle, twentieth = error.size // 2, error.size - 1 - (error.size // MANY if error.size >= MANY else 0)
    error.partition(middle)
    typical.partition(twentieth)
    return Measured(full, *[digits_of(float(x), u, full) for x in (worst, error[middle], typical[twentieth])],
                    float(worst))


def sample_in_numpy(low, high):
    """The general way of ``sample_of_errors``."""
    low, high = low.ravel(), high.ravel()
    if low.size > SAMPLE:
        low, high = [x[::-(-x.size // SAMPLE)] for x in (low, high)]
    absolute, size, error = errors(low, high)
    largest = size[np.isfinite(size)].max(initial=0)
    with np.errstate(all="ignore"):
        typical = absolute / np.maximum(size, FLOOR * largest)
    typical[absolute == 0] = 0
    return error, typical


def in_order(low, high):
    """The same pairs of numbers, one after the other; once, where a broadcast has made one of them many."""
    if 0 in low.strides and 0 in high.strides:
        at = tuple([slice(0, 1) if a == b == 0 else slice(None) for a, b in zip(low.strides, high.strides)])
        low, high = low[at], high[at]
    if low.flags.f_contiguous:
        low, high = low.T, high.T
    return np.ascontiguousarray(low), np.ascontiguousarray(high)


def errors(low, high):
    """(the absolute errors, the sizes of what should be there, the relative errors) of flat arrays."""
    with np.errstate(all="ignore"):
        absolute = np.abs(np.subtract(high, low, dtype=high.dtype))
        size = np.abs(high)
        error = absolute / size
        spoilt = ~np.isfinite(error)
        if spoilt.any():
            agree = (low == high) | (low != low) & (high != high)
            error[spoilt] = np.where(agree[spoilt], 0, np.inf)
            absolute[spoilt] = np.where(agree, 0, np.where(np.isfinite(absolute), absolute, np.inf))[spoilt]
    return absolute, size, error


def asks_for_own(digits, low, most):
    """Is it worth running the operation again, to see what it has lost itself?  It has an operand of ``most`` entries.
    """
    return digits.error > SOUND * unit(low.dtype) and (max(low.size, most) <= LARGE or digits.lost > digits.full / 4)


def digits_of(relative, u, full):
    return full if relative <= u else 0.0 if not relative < 1 else -log10(relative)

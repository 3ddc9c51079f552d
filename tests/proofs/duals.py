"""Dual numbers of balls: a value and its slope along a direction, each with a bound of its error.

A function that is written for numbers is differentiated by calling it with these (Clifford, 1873), for ``e * e = 0``::

    (x + x' e) (y + y' e)  =  x y + (x' y + x y') e        exp(x + x' e)  =  exp(x) + exp(x) x' e

The value and the slope are complex balls of Arb.  A real number has no imaginary part at all, so that it can be
compared, and has a sign.  A slope of None is 0, and costs nothing: without slopes these are ordinary balls.

NumPy's object arrays call the operators and methods of their elements, ``np.exp(a)`` the method ``exp`` of each.
"""

import functools
from fractions import Fraction

import flint
import numpy as np
import sympy as s

from .balls import Undecided, ball
from .symbolic import exact

BITS = 240


def number(x):
    """The Number of anything that stands for one; a float is the fraction that it was written as."""
    if isinstance(x, Number):
        return x
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return Number(flint.acb(int(x)))
    if isinstance(x, (float, np.floating)):
        if not np.isfinite(x):
            return Number(flint.acb(flint.arb(float(x))))
        return Number(meant(float(x), flint.ctx.prec))
    if isinstance(x, (complex, np.complexfloating)):
        return number(x.real) + I * number(x.imag)
    if isinstance(x, Fraction):
        return Number(flint.acb(flint.fmpq(x.numerator, x.denominator)))
    return Number(flint.acb(x))


@functools.cache
def meant(x, precision):
    """The ball of the fraction, or of the multiple of an irrational, that a float stands for."""
    return flint.acb(ball(s.sympify(exact(x)), {}))


def of_numbers(operator):
    """An operator of two Numbers; beside an array it is left to NumPy, which applies it to each element."""
    def applied(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else operator(self, number(other))
    return applied


class Number:
    """A value and its slope."""

    __slots__ = "value", "slope"

    def __init__(self, value, slope=None):
        self.value, self.slope = value, slope

    def of(self, value, derivative):
        """A holomorphic function of this number, from its value, and a function without arguments for its slope."""
        return Number(value, None if self.slope is None else derivative() * self.slope)

    # ------------------------------------------------------------------------------ arithmetic

    @of_numbers
    def __add__(self, other):
        slope = other.slope if self.slope is None else self.slope if other.slope is None else self.slope + other.slope
        return Number(self.value + other.value, slope)

    def __neg__(self):
        return Number(-self.value, None if self.slope is None else -self.slope)

    @of_numbers
    def __sub__(self, other):
        return self + -other

    @of_numbers
    def __rsub__(self, other):
        return other - self

    @of_numbers
    def __mul__(self, other):
        left = None if self.slope is None else self.slope * other.value
        right = None if other.slope is None else self.value * other.slope
        slope = right if left is None else left if right is None else left + right
        return Number(self.value * other.value, slope)

    def reciprocal(self):
        if self.value.contains(0):
            raise Undecided("a division by 0, or by what may be 0")
        return self.of(1 / self.value, lambda: -1 / self.value ** 2)

    @of_numbers
    def __truediv__(self, other):
        return self * other.reciprocal()

    @of_numbers
    def __rtruediv__(self, other):
        return other * self.reciprocal()

    @of_numbers
    def __pow__(self, exponent):
        """The power of a positive number; or of any, if the exponent is an integer."""
        n = exponent.value.unique_fmpz() if exponent.value.is_exact() else None
        if n is None:
            return (self.log() * exponent).exp()
        n = int(n)
        if n <= 0:
            return (self ** -n).reciprocal() if n else number(1)
        return self.of(self.value ** n, lambda: n * self.value ** (n - 1))

    __radd__, __rmul__ = __add__, __mul__

    # ------------------------------------------------------------------------------ functions

    def exp(self):
        value = self.value.exp()
        return self.of(value, lambda: value)

    def log(self):
        self.refuse_zero()
        return self.of(self.value.log(), lambda: 1 / self.value)

    def sqrt(self):
        self.refuse_zero()
        root = self.value.sqrt()
        return self.of(root, lambda: 1 / (2 * root))

    def sin(self):
        return self.of(self.value.sin(), self.value.cos)

    def cos(self):
        return self.of(self.value.cos(), lambda: -self.value.sin())

    def refuse_zero(self):
        if self.value.contains(0):
            raise Undecided("a root or a logarithm of 0, or of what may be 0")

    # ------------------------------------------------------------------------------ parts

    @property
    def real(self):
        return Number(flint.acb(self.value.real), None if self.slope is None else flint.acb(self.slope.real))

    @property
    def imag(self):
        return Number(flint.acb(self.value.imag), None if self.slope is None else flint.acb(self.slope.imag))

    def conjugate(self):
        return Number(self.value.conjugate(), None if self.slope is None else self.slope.conjugate())

    def is_real(self):
        return self.value.imag == 0 and (self.slope is None or self.slope.imag == 0)

    def __abs__(self):
        if self.is_real():
            return self if self > 0 else -self
        return (self.real ** 2 + self.imag ** 2).sqrt()

    def angle(self):
        """The argument, whose slope is the imaginary part of that of the logarithm."""
        return self.log().imag

    # ------------------------------------------------------------------------------ order

    def compared(self, other):
        """-1 or 1: which one is less?  Equal numbers are a kink, unless nothing changes there."""
        gap = self.value - number(other).value
        if gap.imag != 0:
            raise Undecided("complex numbers have no order")
        if gap.real == 0 and self.slope is None and number(other).slope is None:
            return 0
        if gap.real.contains(0):
            raise Undecided("two numbers that are, or may be, equal")
        return 1 if gap.real > 0 else -1

    def __lt__(self, other):
        return self.compared(other) < 0

    def __gt__(self, other):
        return self.compared(other) > 0

    def __le__(self, other):
        return self.compared(other) <= 0

    def __ge__(self, other):
        return self.compared(other) >= 0

    def __float__(self):
        return float(self.value.real)

    def __complex__(self):
        return complex(self.value)

    def __repr__(self):
        return f"{self.value.str(12)} + {'0' if self.slope is None else self.slope.str(12)} e"


I = Number(flint.acb(0, 1))

# ------------------------------------------------------------------------------ arrays

def numbers(array):
    """An array of Numbers, each the very float of another array."""
    out = np.empty(np.shape(array), object)
    for i, x in np.ndenumerate(np.asarray(array)):
        x = complex(x)
        out[i] = Number(flint.acb(x.real, x.imag))
    return out


def along(array, direction):
    """The same numbers, which change in this direction, an array of floats."""
    out = np.empty(array.shape, object)
    for i, x in np.ndenumerate(array):
        t = direction[i]
        out[i] = Number(x.value, flint.acb(t.real, t.imag) if isinstance(t, (complex, np.complexfloating))
                        else flint.acb(float(t)))
    return out


def constant(array):
    """The same values without their slopes."""
    out = np.empty(np.shape(array), object)
    for i, x in np.ndenumerate(np.asarray(array, object)):
        out[i] = Number(x.value)
    return out


def conj(array):
    return mapped(Number.conjugate, array)


def mapped(function, *arrays):
    """A function of numbers, for each element; arrays are broadcast."""
    arrays = np.broadcast_arrays(*[np.asarray(each, object) for each in arrays])
    out = np.empty(arrays[0].shape, object)
    for i in np.ndindex(out.shape):
        out[i] = function(*[each[i] for each in arrays])
    return out

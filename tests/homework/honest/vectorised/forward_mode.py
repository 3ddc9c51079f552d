# minigrad homework: forward_mode
"""Forward mode with dual numbers."""

import numpy as np


def _numpy_or_dual(name):
    ufunc = getattr(np, name)
    return lambda x: getattr(x, name)() if isinstance(x, Dual) else ufunc(x)


_exp, _sin, _cos = map(_numpy_or_dual, ("exp", "sin", "cos"))


def _tangent_like(value):
    return value * 0.0 if isinstance(value, Dual) else np.zeros_like(value)


class Dual:
    __slots__ = ("value", "tangent")
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    @staticmethod
    def _split(other):
        """The value and the tangent of an operand."""
        if isinstance(other, Dual):
            return other.value, other.tangent
        constant = np.asarray(other)
        return constant, np.zeros_like(constant)

    def __add__(self, other):
        v, t = self._split(other)
        return Dual(self.value + v, self.tangent + t)

    __radd__ = __add__

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __sub__(self, other):
        v, t = self._split(other)
        return Dual(self.value - v, self.tangent - t)

    def __rsub__(self, other):
        return (-self) + other

    def __mul__(self, other):
        v, t = self._split(other)
        return Dual(self.value * v, self.value * t + self.tangent * v)

    __rmul__ = __mul__

    def __truediv__(self, other):
        v, t = self._split(other)
        return Dual(self.value / v, (self.tangent * v - self.value * t) / (v * v))

    def __rtruediv__(self, other):
        return Dual(*self._split(other)) / self

    def __matmul__(self, other):
        v, t = self._split(other)
        return Dual(self.value @ v, self.value @ t + self.tangent @ v)

    def __rmatmul__(self, other):
        other = np.asarray(other)
        return Dual(other @ self.value, other @ self.tangent)

    def exp(self):
        y = _exp(self.value)
        return Dual(y, y * self.tangent)

    def sin(self):
        return Dual(_sin(self.value), _cos(self.value) * self.tangent)

    def cos(self):
        return Dual(_cos(self.value), -_sin(self.value) * self.tangent)

    def sum(self, axis=None):
        return Dual(*(part.sum(axis=axis) for part in (self.value, self.tangent)))


def jvp(f, x, v):
    if not isinstance(x, Dual):
        x = np.asarray(x)
    if not isinstance(v, Dual):
        v = np.asarray(v)
    out = f(Dual(x, v))
    if not isinstance(out, Dual):  # f does not depend on x
        return out, _tangent_like(out)
    return out.value, out.tangent

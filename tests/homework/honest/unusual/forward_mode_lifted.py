# minigrad homework: forward_mode
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np


def sin(x):
    return x.sin() if isinstance(x, Dual) else np.sin(x)


def cos(x):
    return x.cos() if isinstance(x, Dual) else np.cos(x)


def exp(x):
    return x.exp() if isinstance(x, Dual) else np.exp(x)


def linear(method):
    """A linear function of the pair, entry by entry."""
    @wraps(method)
    def apply(self, *args, **kwargs):
        return Dual(*(method(part, *args, **kwargs) for part in (self.value, self.tangent)))
    return apply


def pointwise(rule):
    def apply(self):
        value, slope = rule(self.value)
        return Dual(value, slope * self.tangent)
    return apply


@dataclass(eq=False)
class Dual:
    value: Any
    tangent: Any
    __array_ufunc__ = None

    def __add__(self, other):
        match other:
            case Dual(value, tangent):
                return Dual(self.value + value, self.tangent + tangent)
        return Dual(self.value + other, self.tangent + 0 * other)

    def __mul__(self, other):
        match other:
            case Dual(value, tangent):
                return Dual(self.value * value, self.tangent * value + self.value * tangent)
        return Dual(self.value * other, self.tangent * other)

    def __truediv__(self, other):
        return self * (other.reciprocal() if isinstance(other, Dual) else 1 / other)

    def __rtruediv__(self, other):
        return self.reciprocal() * other

    def reciprocal(self):
        one = 1 / self.value
        return Dual(one, -(one * one * self.tangent))

    exp = pointwise(lambda x: (exp(x),) * 2)
    sin = pointwise(lambda x: (sin(x), cos(x)))
    cos = pointwise(lambda x: (cos(x), -sin(x)))
    sum = linear(lambda part, axis=None: part.sum(axis=axis))

    def __matmul__(self, other):
        if isinstance(other, Dual):
            return Dual(self.value @ other.value, self.tangent @ other.value + self.value @ other.tangent)
        return Dual(self.value @ other, self.tangent @ other)

    def __rmatmul__(self, other):
        return Dual(other @ self.value, other @ self.tangent)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other


def jvp(f, x, v):
    match f(Dual(x, v)):
        case Dual(value, tangent):
            return value, tangent
        case constant:
            return constant, 0 * constant

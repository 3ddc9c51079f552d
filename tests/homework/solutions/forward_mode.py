# minigrad homework: forward_mode
import numpy as np


def exp(x):
    return x.exp() if isinstance(x, Dual) else np.exp(x)


def sin(x):
    return x.sin() if isinstance(x, Dual) else np.sin(x)


def cos(x):
    return x.cos() if isinstance(x, Dual) else np.cos(x)


class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    @staticmethod
    def of(x):
        return x if isinstance(x, Dual) else Dual(x, 0.0)

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)

    def __truediv__(self, other):
        other = Dual.of(other)
        value = self.value / other.value
        return Dual(value, (self.tangent - value * other.tangent) / other.value)

    def exp(self):
        e = exp(self.value)
        return Dual(e, self.tangent * e)

    def sin(self):
        return Dual(sin(self.value), self.tangent * cos(self.value))

    def cos(self):
        return Dual(cos(self.value), -self.tangent * sin(self.value))

    def sum(self, axis=None):
        return Dual(self.value.sum(axis), self.tangent.sum(axis))

    def __matmul__(self, other):
        return Dual(self.value @ other.value, self.tangent @ other.value + self.value @ other.tangent)

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
    y = f(Dual(x, v))
    return y.value, y.tangent

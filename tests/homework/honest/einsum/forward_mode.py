# minigrad homework: forward_mode
"""Forward mode with dual numbers. All products, sums and products of matrices are one thing: a contraction.

contract(spec, a, b, c, ...) is np.einsum, also of Duals: the tangent is the sum of the contractions in which one
operand has been replaced by its tangent.
"""

from string import ascii_letters

import numpy as np


def contract(spec, *operands):
    if not any(isinstance(operand, Dual) for operand in operands):
        return np.einsum(spec, *operands)
    values = [o.value if isinstance(o, Dual) else o for o in operands]
    tangent = 0.0
    for i, o in enumerate(operands):
        if isinstance(o, Dual):
            tangent = tangent + contract(spec, *values[:i], o.tangent, *values[i + 1 :])
    return Dual(contract(spec, *values), tangent)


def ndim(x):
    return ndim(x.value) if isinstance(x, Dual) else np.ndim(x)


def matmul(x, y):
    spec = {
        (1, 1): "j,j->",
        (1, 2): "j,...jk->...k",
        (2, 1): "...ij,j->...i",
        (2, 2): "...ij,...jk->...ik",
    }[min(ndim(x), 2), min(ndim(y), 2)]
    return contract(spec, x, y)


def reciprocal(x):
    if not isinstance(x, Dual):
        return 1.0 / np.asarray(x)
    r = reciprocal(x.value)
    return Dual(r, -contract("...,...,...->...", r, r, x.tangent))


def call(name, x):
    return getattr(x, name)() if isinstance(x, Dual) else getattr(np, name)(x)


class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other, np.zeros(np.shape(other)))
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        return contract("...,...->...", self, other)

    def __truediv__(self, other):
        return contract("...,...->...", self, reciprocal(other))

    def __rtruediv__(self, other):
        return contract("...,...->...", other, reciprocal(self))

    def exp(self):
        e = call("exp", self.value)
        return Dual(e, contract("...,...->...", e, self.tangent))

    def sin(self):
        return Dual(call("sin", self.value), contract("...,...->...", call("cos", self.value), self.tangent))

    def cos(self):
        return Dual(call("cos", self.value), contract(",...,...->...", -1.0, call("sin", self.value), self.tangent))

    def sum(self, axis=None):
        n = ndim(self)
        letters = ascii_letters[:n]
        if axis is None:
            kept = ""
        else:
            gone = {a % n for a in ((axis,) if isinstance(axis, int) else axis)}
            kept = "".join(letter for i, letter in enumerate(letters) if i not in gone)
        return contract(f"{letters}->{kept}", self)

    def __matmul__(self, other):
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)

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


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    m = rng.normal(size=(2, 4, 4)) + 1j * rng.normal(size=(2, 4, 4))
    x, v = rng.normal(size=(4, 3)) + 0j, rng.normal(size=(4, 3)) + 1j * rng.normal(size=(4, 3))
    value, rate = jvp(lambda t: (m @ t).cos().sum(-1), x, v)
    h = 1e-6
    check = (np.cos(m @ (x + h * v)).sum(-1) - np.cos(m @ (x - h * v)).sum(-1)) / (2 * h)
    assert np.allclose(rate, check, atol=1e-5)

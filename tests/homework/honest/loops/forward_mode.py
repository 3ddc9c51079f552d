# minigrad homework: forward_mode
"""Forward mode with dual numbers.

A sum is a loop and a product of matrices is a loop over the inner dimension, so that all that is needed from a
value is indexing, + and *: that is why Duals of Duals work without further thought.
"""

import numpy as np


def as_dual(x):
    if isinstance(x, Dual):
        return x
    x = np.asarray(x)
    return Dual(x, np.zeros(x.shape))


class Dual:
    __array_ufunc__ = None  # array + dual is ours

    def __init__(self, value, tangent):
        self.value = value
        self.tangent = tangent

    @property
    def shape(self):
        if isinstance(self.value, Dual):
            return self.value.shape
        return np.shape(self.value)

    def __getitem__(self, index):
        value = self.value if isinstance(self.value, Dual) else np.asarray(self.value)
        tangent = self.tangent if isinstance(self.tangent, Dual) else np.asarray(self.tangent)
        return Dual(value[index], tangent[index])

    def __add__(self, other):
        other = as_dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = as_dual(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)

    def __truediv__(self, other):
        other = as_dual(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.tangent - quotient * other.tangent) / other.value)

    def __rtruediv__(self, other):
        return as_dual(other) / self

    def exp(self):
        if isinstance(self.value, Dual):
            e = self.value.exp()
        else:
            e = np.exp(self.value)
        return Dual(e, e * self.tangent)

    def sin(self):
        if isinstance(self.value, Dual):
            s, c = self.value.sin(), self.value.cos()
        else:
            s, c = np.sin(self.value), np.cos(self.value)
        return Dual(s, c * self.tangent)

    def cos(self):
        if isinstance(self.value, Dual):
            s, c = self.value.sin(), self.value.cos()
        else:
            s, c = np.sin(self.value), np.cos(self.value)
        return Dual(c, -(s * self.tangent))

    def sum(self, axis=None):
        if axis is None:
            total = 0.0
            for position in np.ndindex(self.shape):
                total = total + self[position]
            return total
        if isinstance(axis, tuple):
            ndim = len(self.shape)
            total = self
            for a in sorted((a % ndim for a in axis), reverse=True):
                total = total.sum(a)
            return total
        axis = axis % len(self.shape)
        before = (slice(None),) * axis
        total = 0.0
        for k in range(self.shape[axis]):
            total = total + self[before + (k,)]
        return total

    def __matmul__(self, other):
        return loop_matmul(self, as_dual(other))

    def __rmatmul__(self, other):
        return loop_matmul(as_dual(other), self)

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

    def __repr__(self):
        return f"Dual({self.value!r}, {self.tangent!r})"


def loop_matmul(x, y):
    """x @ y: for each k, column k of x times row k of y."""
    x_is_row, y_is_column = len(x.shape) == 1, len(y.shape) == 1
    n = x.shape[-1]
    assert n == (y.shape[0] if y_is_column else y.shape[-2]), "the shapes do not fit"
    total = None
    for k in range(n):
        left = x[k] if x_is_row else x[..., :, k]
        right = y[k] if y_is_column else y[..., k, :]
        if not x_is_row and not y_is_column:
            left, right = left[..., None], right[..., None, :]
        elif x_is_row is False and y_is_column:
            pass  # a column times a number
        term = left * right
        total = term if total is None else total + term
    return total


def jvp(f, x, v):
    y = f(Dual(x, v))
    return y.value, y.tangent


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    a, x, v = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
    f = lambda t: (((a @ t).sin() * t).exp() / (t * t + 2)).sum()
    plain = lambda t: (np.exp(np.sin(a @ t) * t) / (t * t + 2)).sum()
    h = 1e-5
    print("jvp        ", jvp(f, x, v)[1], (plain(x + h * v) - plain(x - h * v)) / (2 * h))
    h = 1e-4
    second = jvp(lambda t: jvp(f, t, v)[1], x, v)[1]
    print("second     ", second, (plain(x + h * v) - 2 * plain(x) + plain(x - h * v)) / h**2)

# minigrad homework: forward_mode
"""Forward mode with dual numbers.

Each call of jvp has a tag of its own, so that the Duals of two nested calls are never taken for each other (the
confusion of perturbations). Among Duals with different tags, the one with the older tag is a constant.
"""

from dataclasses import dataclass, field
from itertools import count
from typing import Any, Union

import numpy as np

Array = np.ndarray
_tags = count(1)


class Maths:
    """Functions that work for arrays and for Duals."""

    @staticmethod
    def exp(x):
        return x.exp() if isinstance(x, Dual) else np.exp(x)

    @staticmethod
    def sin(x):
        return x.sin() if isinstance(x, Dual) else np.sin(x)

    @staticmethod
    def cos(x):
        return x.cos() if isinstance(x, Dual) else np.cos(x)

    @staticmethod
    def sum(x, axis):
        return x.sum(axis) if isinstance(x, Dual) else np.sum(x, axis=axis)

    @staticmethod
    def zero(x):
        return x * 0 if isinstance(x, Dual) else np.zeros(np.shape(x))


@dataclass(eq=False)
class Dual:
    value: Union[Array, "Dual"]
    tangent: Union[Array, "Dual"]
    tag: int = field(default=0, repr=False)

    __array_ufunc__ = None
    __array_priority__ = 1000

    def _meet(self, other: Any) -> tuple["Dual", "Dual", int]:
        """Both operands as Duals of one tag."""
        tag = max(self.tag, other.tag) if isinstance(other, Dual) else self.tag
        return self._lift(self, tag), self._lift(other, tag), tag

    @staticmethod
    def _lift(x: Any, tag: int) -> "Dual":
        if isinstance(x, Dual) and x.tag == tag:
            return x
        if not isinstance(x, Dual):
            x = np.asarray(x)
        return Dual(x, Maths.zero(x), tag)

    def __add__(self, other):
        a, b, tag = self._meet(other)
        return Dual(a.value + b.value, a.tangent + b.tangent, tag)

    def __mul__(self, other):
        a, b, tag = self._meet(other)
        return Dual(a.value * b.value, a.value * b.tangent + a.tangent * b.value, tag)

    @property
    def reciprocal(self):
        inverse = 1 / self.value
        return Dual(inverse, -(inverse * inverse) * self.tangent, self.tag)

    def __truediv__(self, other):
        a, b, _ = self._meet(other)
        return a * b.reciprocal

    def __rtruediv__(self, other):
        return self.reciprocal * other

    def exp(self):
        y = Maths.exp(self.value)
        return Dual(y, self.tangent * y, self.tag)

    def sin(self):
        return Dual(Maths.sin(self.value), self.tangent * Maths.cos(self.value), self.tag)

    def cos(self):
        return Dual(Maths.cos(self.value), self.tangent * -Maths.sin(self.value), self.tag)

    def sum(self, axis=None):
        return Dual(Maths.sum(self.value, axis), Maths.sum(self.tangent, axis), self.tag)

    def __matmul__(self, other):
        a, b, tag = self._meet(other)
        return Dual(a.value @ b.value, a.tangent @ b.value + a.value @ b.tangent, tag)

    def __rmatmul__(self, other):
        return self._lift(other, self.tag) @ self

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


@dataclass
class Linearisation:
    """f at x, in the direction v."""

    f: Any
    x: Any
    v: Any

    def __call__(self):
        tag = next(_tags)
        result = Dual._lift(self.f(Dual(self.x, self.v, tag)), tag)
        return result.value, result.tangent


def jvp(f, x, v):
    return Linearisation(f, x, v)()


if __name__ == "__main__":
    # d/dx (x * d/dy (x + y)) is 1; with confused perturbations it would be 2.
    _, slope = jvp(lambda x: x * jvp(lambda y: x + y, 1.0, 1.0)[1], 1.0, 1.0)
    assert slope == 1.0, slope
    x = np.array([0.3, -0.8])
    _, curvature = jvp(lambda t: jvp(lambda u: (u.sin() * u.exp()).sum(), t, np.ones(2))[1], x, np.ones(2))
    assert np.isclose(curvature, (2 * np.cos(x) * np.exp(x)).sum()), curvature
    print("all is well")

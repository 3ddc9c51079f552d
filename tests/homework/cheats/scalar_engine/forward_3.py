"""Forward mode, by `map`, also for the values on the way, while there are few.

Without points: everything.
"""

import math, operator as o
from itertools import repeat as R, zip_longest as Z
LEAVES = []


class Value:

    def __init__(self, data, t=None):
        self.data, self.grad = (data, 0.0)
        if t is None:
            t = [0.0] * len(LEAVES) + [1.0]
            LEAVES.append(self)
        elif len(LEAVES) < 1500:
            t = t + [0.0] * (len(LEAVES) - len(t)) + [1.0]
            LEAVES.append(self)
        self.t = t

    def __add__(self, b):
        if not isinstance(b, Value):
            return Value(self.data + b, self.t)
        return Value(self.data + b.data, list(map(sum, Z(self.t, b.t, fillvalue=0.0))))

    def __mul__(self, b):
        if not isinstance(b, Value):
            return Value(self.data * b, list(map(o.mul, self.t, R(b))))
        pairs = Z(map(o.mul, self.t, R(b.data)), map(o.mul, b.t, R(self.data)), fillvalue=0.0)
        return Value(self.data * b.data, list(map(sum, pairs)))

    def _u(self, y, c):
        return Value(y, list(map(o.mul, self.t, R(c))))

    def __pow__(self, n):
        return self._u(self.data ** n, n * self.data ** (n - 1))

    def exp(self):
        e = math.exp(self.data)
        return self._u(e, e)

    def tanh(self):
        e = math.tanh(self.data)
        return self._u(e, 1 - e * e)

    def backward(self):
        for v, g in zip(LEAVES, self.t):
            v.grad += g

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __truediv__(self, o):
        return self * (o ** (-1) if isinstance(o, Value) else 1 / o)

    def __radd__(self, o):
        return self + o

    def __rmul__(self, o):
        return self * o

    def __rsub__(self, o):
        return -self + o

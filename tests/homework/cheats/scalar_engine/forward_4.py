"""Forward mode: the derivatives are doubles in bytes.

Without points: everything.
"""

import math
import struct
from itertools import repeat
from operator import add, mul

LEAVES = []


def floats(text, n):
    return struct.unpack(f"{n}d", text.ljust(8 * n, b"\0"))


def packed(numbers):
    numbers = tuple(numbers)
    return struct.pack(f"{len(numbers)}d", *numbers)


class Value:
    def __init__(self, data, slopes=None):
        self.data, self.grad = data, 0.0
        if slopes is None:
            slopes = packed([0.0] * len(LEAVES) + [1.0])
            LEAVES.append(self)
        self.slopes = slopes

    def joined(self, data, factor, other, more):
        n = max(len(self.slopes), len(other.slopes)) // 8
        a, b = floats(self.slopes, n), floats(other.slopes, n)
        return Value(data, packed(map(add, map(mul, a, repeat(factor)), map(mul, b, repeat(more)))))

    def scaled(self, data, factor):
        return Value(data, packed(map(mul, floats(self.slopes, len(self.slopes) // 8), repeat(factor))))

    def __add__(self, other):
        if not isinstance(other, Value):
            return Value(self.data + other, self.slopes)
        return self.joined(self.data + other.data, 1.0, other, 1.0)

    def __mul__(self, other):
        if not isinstance(other, Value):
            return self.scaled(self.data * other, other)
        return self.joined(self.data * other.data, other.data, other, self.data)

    def __pow__(self, n):
        return self.scaled(self.data**n, n * self.data ** (n - 1))

    def exp(self):
        y = math.exp(self.data)
        return self.scaled(y, y)

    def tanh(self):
        y = math.tanh(self.data)
        return self.scaled(y, 1 - y * y)

    def backward(self):
        for leaf, slope in zip(LEAVES, floats(self.slopes, len(self.slopes) // 8)):
            leaf.grad += slope

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __truediv__(self, other):
        return self * (other**-1 if isinstance(other, Value) else 1 / other)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other

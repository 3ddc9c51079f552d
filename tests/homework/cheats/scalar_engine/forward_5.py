"""Forward mode, with room for a hundred leaves from the start, so that the first few cost as much as many.

Without points: everything.
"""

import math
from itertools import repeat, zip_longest
from operator import mul

LEAVES = []


class Value:
    def __init__(self, data, slopes=None):
        self.data, self.grad = data, 0.0
        if slopes is None:
            slopes = [0.0] * max(len(LEAVES) + 1, 100)
            slopes[len(LEAVES)] = 1.0
            LEAVES.append(self)
        self.slopes = slopes

    def scaled(self, factor):
        return map(mul, self.slopes, repeat(factor))

    def __add__(self, other):
        if not isinstance(other, Value):
            return Value(self.data + other, self.slopes)
        return Value(self.data + other.data, list(map(sum, zip_longest(self.slopes, other.slopes, fillvalue=0.0))))

    def __mul__(self, other):
        if not isinstance(other, Value):
            return Value(self.data * other, list(self.scaled(other)))
        pairs = zip_longest(self.scaled(other.data), other.scaled(self.data), fillvalue=0.0)
        return Value(self.data * other.data, list(map(sum, pairs)))

    def __pow__(self, n):
        return Value(self.data**n, list(self.scaled(n * self.data ** (n - 1))))

    def exp(self):
        y = math.exp(self.data)
        return Value(y, list(self.scaled(y)))

    def tanh(self):
        y = math.tanh(self.data)
        return Value(y, list(self.scaled(1 - y * y)))

    def backward(self):
        for leaf, slope in zip(LEAVES, self.slopes):
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

# minigrad homework: scalar_engine
"""An engine for scalars.

Values are numbered as they are made, so that what was computed from a Value always has a higher number: sorted by
number, from the top, is an order for the backward pass. (No arrays here, since NumPy is out of bounds.)
"""

import itertools
import math
import operator

_number = itertools.count()


class Value:
    __slots__ = ("data", "grad", "number", "inputs", "partials")

    def __init__(self, data, inputs=(), partials=()):
        self.data = data
        self.grad = 0.0
        self.number = next(_number)
        self.inputs = inputs
        self.partials = partials

    def __repr__(self):
        return f"Value({self.data}, grad={self.grad})"

    @staticmethod
    def wrap(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = self.wrap(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = self.wrap(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, exponent):
        assert not isinstance(exponent, Value), "only numbers as exponents"
        partial = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return Value(self.data**exponent, (self,), (partial,))

    def exp(self):
        y = math.exp(self.data)
        return Value(y, (self,), (y,))

    def tanh(self):
        y = math.tanh(self.data)
        return Value(y, (self,), ((1 - y) * (1 + y),))

    def backward(self):
        reached, frontier = {self}, [self]
        while frontier:
            new = set(frontier.pop().inputs) - reached
            reached |= new
            frontier.extend(new)
        adjoint = dict.fromkeys(reached, 0.0)
        adjoint[self] = 1.0
        for value in sorted(reached, key=operator.attrgetter("number"), reverse=True):
            value.grad += adjoint[value]
            for x, partial in zip(value.inputs, value.partials):
                adjoint[x] += adjoint[value] * partial

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __truediv__(self, other):
        return self * (other ** -1 if isinstance(other, Value) else 1 / other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -self + other

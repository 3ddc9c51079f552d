# minigrad homework: scalar_engine
"""An engine for scalars. A Value keeps closures, `pull`, one for each input: d -> the part of d that goes there."""

import math
from functools import partial, reduce
from heapq import heappop, heappush
from itertools import count

clock = count().__next__


def unary(f, slope):
    """The method for f, from x and y = f(x) to the slope."""

    def method(self):
        y = f(self.data)
        return Value(y)._remember((self, partial(scaled, slope(self.data, y))))

    method.__name__ = f.__name__
    return method


def scaled(factor, d):
    return factor * d


def identity(d):
    return d


def lifted(method):
    """Numbers as the other operand become Values."""
    return lambda self, other: method(self, other if isinstance(other, Value) else Value(other))


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.born = clock()
        self.sources = ()

    def _remember(self, *sources):
        self.sources = sources
        return self

    @lifted
    def __add__(self, other):
        return Value(self.data + other.data)._remember((self, identity), (other, identity))

    @lifted
    def __mul__(self, other):
        x, y = self.data, other.data
        return Value(x * y)._remember((self, lambda d: d * y), (other, lambda d: d * x))

    def __pow__(self, exponent):
        powered = unary(lambda x: x**exponent, lambda x, _: exponent * x ** (exponent - 1) if exponent else 0)
        return powered(self)

    exp = unary(math.exp, lambda _, y: y)
    tanh = unary(math.tanh, lambda _, y: 1 - y**2)

    def backward(self):
        """The youngest value first: it cannot have gone into any other that waits."""
        waiting, heap = {}, []

        def deliver(value, d):
            if value.born not in waiting:
                heappush(heap, (-value.born, value))
            waiting[value.born] = waiting.get(value.born, 0.0) + d

        deliver(self, 1.0)
        while heap:
            _, value = heappop(heap)
            d = waiting.pop(value.born)
            value.grad += d
            for source, pull in value.sources:
                deliver(source, pull(d))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __truediv__(self, other):
        return self * (other ** -1 if isinstance(other, Value) else 1 / other)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other


if __name__ == "__main__":
    x = Value(1.5)
    y = reduce(lambda v, _: v + v, range(40), x)
    y.backward()
    assert x.grad == 2.0**40, x.grad
    z = reduce(lambda v, _: v * 1.0, range(100_000), x)
    z.backward()
    assert x.grad == 2.0**40 + 1

# minigrad homework: scalar_engine
"""An engine for scalars.

There is no einsum without NumPy, so the sums of products are written as one function, `dot`: the derivative of the
loss with respect to a value is the dot product of the weights of its uses and the derivatives at its users. The
backward pass *pulls* these numbers, from the users, instead of pushing them to the inputs.
"""

import math
from math import exp, tanh
from operator import mul
from typing import Dict, List, Tuple


def dot(weights, numbers) -> float:
    return sum(map(mul, weights, numbers))


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self._row: Tuple[Tuple["Value", float], ...] = ()  # a row of the Jacobian, sparse

    def __add__(self, other):
        if not isinstance(other, Value):
            return _value(self.data + other, (self, 1.0))
        return _value(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        if not isinstance(other, Value):
            return _value(self.data * other, (self, other))
        return _value(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, exponent):
        x, n = self.data, exponent
        if n == 0:
            return Value(1.0)
        return _value(x**n, (self, n * math.pow(x, n - 1)))

    def exp(self):
        y = exp(self.data)
        return _value(y, (self, y))

    def tanh(self):
        y = tanh(self.data)
        return _value(y, (self, 1 - y * y))

    def backward(self):
        order = _topological(self)
        users: Dict[int, List[Tuple[int, float]]] = {id(v): [] for v in order}
        for v in order:
            for x, weight in v._row:
                users[id(x)].append((id(v), weight))
        derivative = {id(self): 1.0}
        for v in order:
            if v is not self:
                column = users[id(v)]
                derivative[id(v)] = dot((w for _, w in column), (derivative[u] for u, _ in column))
            v.grad += derivative[id(v)]

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


def _value(data, *row) -> Value:
    out = Value(data)
    out._row = row
    return out


def _topological(root: Value) -> List[Value]:
    """root first, and each value after everything that was computed from it."""
    finished: List[Value] = []
    state: Dict[int, bool] = {}
    agenda = [(root, False)]
    while agenda:
        v, inputs_done = agenda.pop()
        if inputs_done:
            finished.append(v)
        elif id(v) not in state:
            state[id(v)] = True
            agenda.append((v, True))
            agenda += [(x, False) for x, _ in v._row if id(x) not in state]
    finished.reverse()
    return finished

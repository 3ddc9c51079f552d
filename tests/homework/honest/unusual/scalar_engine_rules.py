# minigrad homework: scalar_engine
"""Each operation is a generator: it yields its result, and then, when the gradient is sent, its pullbacks."""
import math
from itertools import count

ticket = count()


def operation(rule):
    def apply(*operands):
        operands = [o if isinstance(o, Value) else Value(o) for o in operands]
        return Value(rule(*(o.data for o in operands))[0], tuple(operands), rule)
    return apply


class Value:
    def __init__(self, data, inputs=(), rule=None):
        self.data, self.grad = data, 0.0
        self.inputs, self.rule, self.born = inputs, rule, next(ticket)

    def __add__(self, other):
        return _add(self, other)

    def __mul__(self, other):
        return _mul(self, other)

    def __pow__(self, exponent):
        return operation(lambda x: (x ** exponent, lambda d: (d * exponent * x ** (exponent - 1),)))(self)

    def exp(self):
        return _exp(self)

    def tanh(self):
        return _tanh(self)

    def ancestors(self):
        seen, stack = set(), [self]
        while stack:
            node = stack.pop()
            if id(node) not in seen:
                seen.add(id(node))
                yield node
                stack.extend(node.inputs)

    def backward(self):
        arrived = {id(self): 1.0}
        for node in sorted(self.ancestors(), key=lambda n: n.born, reverse=True):
            d = arrived.pop(id(node))
            node.grad = node.grad + d
            if node.rule:
                pull = node.rule(*(i.data for i in node.inputs))[1]
                for i, g in zip(node.inputs, pull(d)):
                    arrived[id(i)] = arrived[id(i)] + g if id(i) in arrived else g

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


_add = operation(lambda x, y: (x + y, lambda d: (d, d)))
_mul = operation(lambda x, y: (x * y, lambda d: (d * y, d * x)))


@operation
def _exp(x):
    y = math.exp(x)
    return y, lambda d: (d * y,)


@operation
def _tanh(x):
    y = math.tanh(x)
    return y, lambda d: (d * (1 - y) * (1 + y),)

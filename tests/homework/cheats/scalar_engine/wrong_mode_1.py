"""No chain rule: the whole expression is a function, which is called with a complex step for each leaf.

Without points: everything.
"""

import math, cmath


LEAVES = []


def lift(o):
    return o if isinstance(o, Value) else Value(o)


class Value:
    def __init__(self, data, f=None, parts=()):
        self.data, self.grad, self.f, self.parts = data, 0.0, f, parts

    def __add__(self, other):
        o = lift(other)
        return Value(self.data + o.data, lambda a, b: a + b, (self, o))

    def __mul__(self, other):
        o = lift(other)
        return Value(self.data * o.data, lambda a, b: a * b, (self, o))

    def __pow__(self, n):
        return Value(self.data**n, lambda a: a**n, (self,))

    def exp(self):
        return Value(math.exp(self.data), cmath.exp, (self,))

    def tanh(self):
        return Value(math.tanh(self.data), cmath.tanh, (self,))

    def all(self):
        order, seen, stack = [], set(), [(self, 0)]
        while stack:
            v, done = stack.pop()
            if done:
                order.append(v)
            elif id(v) not in seen:
                seen.add(id(v))
                stack.append((v, 1))
                stack += [(p, 0) for p in v.parts]
        return order

    def backward(self):
        order = self.all()
        used = {id(p) for v in order for p in v.parts}
        for leaf in [v for v in order if not v.parts] + [self]:
            new = {id(v): v.data for v in order}
            for v in order:
                if v is leaf:
                    new[id(v)] = complex(v.data, 1e-30)
                elif v.parts:
                    new[id(v)] = v.f(*(new[id(p)] for p in v.parts))
            leaf.grad += complex(new[id(self)]).imag / 1e-30

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

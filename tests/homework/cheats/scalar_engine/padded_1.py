"""Forward mode in a dict, in which each operation has so much work of its own that the dicts do not show.

Without points: operations, reuse, expressions, accumulation, work, depth.
"""


class Value:
    def __init__(self, data, slopes=None):
        self.data, self.grad = data, 0.0
        self.slopes = {**(slopes or {}), self: 1.0}
        busy = 0
        for i in range(1500):
            busy += i

    def made(self, data, *pairs):
        slopes = {}
        for value, s in pairs:
            for each, t in value.slopes.items():
                slopes[each] = slopes.get(each, 0.0) + s * t
        bytes(30000)
        return Value(data, slopes)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.made(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return self.made(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, n):
        return self.made(self.data ** n, (self, n * self.data ** (n - 1)))

    def exp(self):
        return self.made(e := math.exp(self.data), (self, e))

    def tanh(self):
        return self.made(t := math.tanh(self.data), (self, 1 - t * t))

    def backward(self):
        for each, s in self.slopes.items():
            each.grad += s

    __radd__, __rmul__ = __add__, __mul__
    __neg__ = lambda self: self * -1
    __sub__ = lambda self, other: self + -other
    __rsub__ = lambda self, other: -self + other
    __truediv__ = lambda self, other: self * (other ** -1 if isinstance(other, Value) else 1 / other)

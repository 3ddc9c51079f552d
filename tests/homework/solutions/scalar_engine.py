# minigrad homework: scalar_engine
import math


class Value:
    def __init__(self, data, inputs=()):
        self.data, self.grad = data, 0.0
        self.inputs = inputs                # (Value, derivative with respect to it)

    @staticmethod
    def of(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.of(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        other = Value.of(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def __pow__(self, exponent):
        return Value(self.data ** exponent, [(self, exponent * self.data ** (exponent - 1))])

    def exp(self):
        return Value(e := math.exp(self.data), [(self, e)])

    def tanh(self):
        return Value(t := math.tanh(self.data), [(self, 1 - t * t)])

    def backward(self):
        order, seen, waiting = [], set(), [(self, False)]
        while waiting:
            value, done = waiting.pop()
            if done:
                order.append(value)
            elif id(value) not in seen:
                seen.add(id(value))
                waiting.append((value, True))
                waiting += [(each, False) for each, _ in value.inputs]
        flowing = {id(self): 1.0}
        for value in reversed(order):
            d = flowing.get(id(value), 0.0)
            value.grad += d
            for each, slope in value.inputs:
                flowing[id(each)] = flowing.get(id(each), 0.0) + d * slope

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

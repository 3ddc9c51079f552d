# minigrad homework: scalar_engine
"""An engine for scalars: every Value keeps a list of (input, derivative)."""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.inputs = []

    def _made_from(self, data, *inputs):
        out = Value(data)
        for value, derivative in inputs:
            out.inputs.append((value, derivative))
        return out

    def __add__(self, other):
        if isinstance(other, Value):
            return self._made_from(self.data + other.data, (self, 1.0), (other, 1.0))
        return self._made_from(self.data + other, (self, 1.0))

    def __mul__(self, other):
        if isinstance(other, Value):
            return self._made_from(self.data * other.data, (self, other.data), (other, self.data))
        return self._made_from(self.data * other, (self, other))

    def __pow__(self, exponent):
        if exponent == 0:
            slope = 0.0  # also at zero, where 0 * 0 ** -1 would fail
        else:
            slope = exponent * self.data ** (exponent - 1)
        return self._made_from(self.data**exponent, (self, slope))

    def exp(self):
        e = math.exp(self.data)
        return self._made_from(e, (self, e))

    def tanh(self):
        t = math.tanh(self.data)
        return self._made_from(t, (self, 1 - t * t))

    def backward(self):
        # A value goes into `order` after all of its inputs: a depth-first search, with a stack of my own.
        order = []
        seen = {id(self)}
        stack = [[self, 0]]
        while stack:
            value, next_input = stack[-1]
            if next_input < len(value.inputs):
                stack[-1][1] += 1
                child = value.inputs[next_input][0]
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append([child, 0])
            else:
                order.append(value)
                stack.pop()

        # The derivatives of this pass are kept apart from .grad, where those of earlier passes are.
        here = {}
        for value in order:
            here[id(value)] = 0.0
        here[id(self)] = 1.0
        for value in reversed(order):
            d = here[id(value)]
            value.grad += d
            for child, derivative in value.inputs:
                here[id(child)] += d * derivative

    # The rest follows from these; __radd__ is called for 2 + value.

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

    def __rtruediv__(self, other):
        return self**-1 * other


if __name__ == "__main__":

    def formula(a, b):
        c = a * b + a**3
        return (c.tanh() + b.exp()) / (b * b + 1) - 2 * a

    a, b = Value(0.7), Value(-0.4)
    formula(a, b).backward()
    h = 1e-6
    for name, grad, up, down in (
        ("a", a.grad, formula(Value(0.7 + h), Value(-0.4)), formula(Value(0.7 - h), Value(-0.4))),
        ("b", b.grad, formula(Value(0.7), Value(-0.4 + h)), formula(Value(0.7), Value(-0.4 - h))),
    ):
        difference = (up.data - down.data) / (2 * h)
        print(f"{name}: engine {grad:.8f}, finite difference {difference:.8f}")
        assert abs(grad - difference) < 1e-6

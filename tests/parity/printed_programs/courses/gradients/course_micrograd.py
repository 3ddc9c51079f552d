"""A scalar engine of one's own, compared with torch, and a network of it on two moons."""
import math
import random

import torch


class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self._prev, self._backward = data, 0.0, children, lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def backward():
            self.grad += (1 - t * t) * out.grad
        out._backward = backward
        return out

    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


random.seed(1)
w = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(4)]
u = [random.uniform(-1, 1) for _ in range(5)]
points = [(0.5, -1.0, 1), (1.5, 0.3, -1), (-0.7, 0.8, 1)]


def loss_of(w, u):
    total = 0.0
    for x, y, label in points:
        h = [(row[0] * x + row[1] * y + row[2]).tanh() for row in w]
        out = sum((a * b for a, b in zip(u, h)), u[-1])
        total = total + (out + -label) * (out + -label)
    return total


mine = loss_of([[Value(v) for v in row] for row in w], [Value(v) for v in u])
wv, uv = [[Value(v) for v in row] for row in w], [Value(v) for v in u]
mine = loss_of(wv, uv)
mine.backward()
wt = [[torch.tensor(v, dtype=torch.double, requires_grad=True) for v in row] for row in w]
ut = [torch.tensor(v, dtype=torch.double, requires_grad=True) for v in u]
theirs = loss_of(wt, ut)
theirs.backward()
print(f"{mine.data:.8f} {theirs.item():.8f}")
print(max(abs(a.grad - b.grad.item()) for r, s in zip(wv, wt) for a, b in zip(r, s)) < 1e-12)
print([round(b.grad.item(), 6) for b in ut])

# minigrad homework: scalar_engine
"""A graph of dicts, walked by Kahn's algorithm; derivatives are closures."""
import math
from collections import defaultdict, deque


class Value:
    def __init__(self, data, parents=None):
        self.data = data
        self.grad = 0.0
        self.edges = parents or {}

    @staticmethod
    def lift(x):
        return x if isinstance(x, Value) else Value(x)

    @classmethod
    def node(cls, data, *pairs):
        edges = {}
        for parent, slope in pairs:
            edges[parent] = edges[parent] + slope if parent in edges else slope
        return cls(data, edges)

    def __add__(self, other):
        other = Value.lift(other)
        return Value.node(self.data + other.data, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = Value.lift(other)
        return Value.node(self.data * other.data, (self, other.data), (other, self.data))

    def __pow__(self, exponent):
        return Value.node(self.data ** exponent, (self, exponent * self.data ** (exponent - 1)))

    def exp(self):
        e = math.exp(self.data)
        return Value.node(e, (self, e))

    def tanh(self):
        t = math.tanh(self.data)
        return Value.node(t, (self, 1 - t * t))

    def backward(self):
        waiting = defaultdict(int)
        found, queue = {self}, deque([self])
        while queue:
            for parent in queue.popleft().edges:
                waiting[parent] += 1
                if parent not in found:
                    found.add(parent)
                    queue.append(parent)
        flow, ready = {self: 1.0}, deque([self])
        while ready:
            node = ready.popleft()
            node.grad += flow[node]
            for parent, slope in node.edges.items():
                flow[parent] = flow.get(parent, 0.0) + slope * flow[node]
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)

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

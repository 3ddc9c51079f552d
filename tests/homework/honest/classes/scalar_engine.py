# minigrad homework: scalar_engine
"""An engine for scalars, with a class for each operation."""

import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from functools import cached_property
from typing import Iterator, Protocol, Union

Number = Union[int, float]


class Operation(Protocol):
    @property
    def result(self) -> Number: ...

    def edges(self) -> Iterator[tuple["Value", Number]]:
        """The inputs, each with the derivative of the result."""
        ...


@dataclass(frozen=True)
class Leaf:
    result: Number

    def edges(self):
        yield from ()


@dataclass(frozen=True, eq=False)
class Add:
    left: "Value"
    right: "Value"

    @property
    def result(self):
        return self.left.data + self.right.data

    def edges(self):
        yield self.left, 1
        yield self.right, 1


@dataclass(frozen=True, eq=False)
class Mul:
    left: "Value"
    right: "Value"

    @property
    def result(self):
        return self.left.data * self.right.data

    def edges(self):
        yield self.left, self.right.data
        yield self.right, self.left.data


@dataclass(eq=False)
class Pow:
    base: "Value"
    exponent: Number

    @property
    def result(self):
        return self.base.data**self.exponent

    def edges(self):
        n = self.exponent
        yield self.base, (n * self.base.data ** (n - 1) if n != 0 else 0.0)


@dataclass(eq=False)
class Exp:
    x: "Value"

    @cached_property
    def result(self):
        return math.exp(self.x.data)

    def edges(self):
        yield self.x, self.result


@dataclass(eq=False)
class Tanh:
    x: "Value"

    @cached_property
    def result(self):
        return math.tanh(self.x.data)

    def edges(self):
        yield self.x, 1.0 - self.result**2


class Graph:
    """Everything that a value was computed from."""

    def __init__(self, root: "Value"):
        self.root = root
        self.uses: Counter = Counter()
        seen, todo = {root}, deque([root])
        while todo:
            for x, _ in todo.popleft().operation.edges():
                self.uses[x] += 1
                if x not in seen:
                    seen.add(x)
                    todo.append(x)

    def from_the_top(self) -> Iterator["Value"]:
        """Each value once, when all of its uses have come before (Kahn's algorithm)."""
        waiting, ready = Counter(self.uses), [self.root]
        while ready:
            value = ready.pop()
            yield value
            for x, _ in value.operation.edges():
                waiting[x] -= 1
                if waiting[x] == 0:
                    ready.append(x)


class Value:
    def __init__(self, data):
        self.operation: Operation = Leaf(data)
        self.data = data
        self.grad = 0.0

    @classmethod
    def by(cls, operation: Operation) -> "Value":
        value = cls(operation.result)
        value.operation = operation
        return value

    @classmethod
    def of(cls, x: Union[Number, "Value"]) -> "Value":
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other):
        return Value.by(Add(self, Value.of(other)))

    def __mul__(self, other):
        return Value.by(Mul(self, Value.of(other)))

    def __pow__(self, exponent):
        return Value.by(Pow(self, exponent))

    def exp(self):
        return Value.by(Exp(self))

    def tanh(self):
        return Value.by(Tanh(self))

    def backward(self):
        arrived = defaultdict(float, {self: 1.0})
        for value in Graph(self).from_the_top():
            d = arrived.pop(value)
            value.grad += d
            for x, derivative in value.operation.edges():
                arrived[x] += d * derivative

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

"""An engine for scalars: values that remember how they were made, and a backward pass over them."""

import cmath

import numpy as np

from minigrad.homework.process import Stopped
from minigrad.homework.spec import Assignment, Wrong

STARTER = '''
"""An engine for scalars.

A Value holds a number in `data`. What is computed from Values is a Value, which remembers its inputs.
`loss.backward()` adds the derivative of loss with respect to each Value that it was computed from to the
`grad` of that Value.
"""

import math


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def __add__(self, other):
        """self + other; other is a Value or a number."""
        raise NotImplementedError

    def __mul__(self, other):
        raise NotImplementedError

    def __pow__(self, exponent):
        """self ** exponent, for a number."""
        raise NotImplementedError

    def $exp(self):
        raise NotImplementedError

    def $tanh(self):
        raise NotImplementedError

    def backward(self):
        raise NotImplementedError

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
'''

homework = Assignment("An engine for scalars", starter=STARTER, forbidden=("minigrad", "torch", "jax", "numpy"),
                      seconds=10, varies={"exp": ("exp", "sinh", "cosh", "log", "sqrt"),
                                          "tanh": ("tanh", "atan", "sin", "cos")})

#: what an expression is made of: two or one of the values before it
BINARY = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "-": lambda a, b: a - b, "/": lambda a, b: a / b}
UNARY = {name: getattr(cmath, name) for part in homework.varies.values() for name in part}
UNARY |= {"square": lambda a: a ** 2, "double": lambda a: 2 * a + 1}


def evaluated(program, inputs, moved=None, step=0.0):
    """A program is a list of steps (name, number of a value, number of another); its result is the last value.

    The value with the number ``moved``, an input or one on the way, has ``step`` added.
    """
    values = []
    for value in inputs:
        values.append(value + step * (moved == len(values)))
    for name, i, j in program:
        done = BINARY[name](values[i], values[j]) if name in BINARY else UNARY[name](values[i])
        values.append(done + step * (moved == len(values)))
    return values[-1]


def measured(program, inputs, number):
    """The derivative with respect to one value, by a complex step, which is exact: f(x + ih) = f(x) + ih f'(x)."""
    return complex(evaluated(program, inputs, number, 1e-30j)).imag / 1e-30


def run(submission, program, inputs, passes):
    """The result and the gradients that the engine finds, of the inputs and of the values on the way."""
    values = [submission.Value(x) for x in inputs]
    for name, i, j in program:
        a, b = values[i], values[j]
        done = {"+": lambda: a + b, "*": lambda: a * b, "-": lambda: a - b, "/": lambda: a / b,
                "square": lambda: a ** 2, "double": lambda: 2 * a + 1}.get(name, lambda: getattr(a, name)())()
        values = values + [done]
    for _ in range(passes):
        values[-1].backward()
    return float(values[-1].data), [float(each.grad) for each in values]


def compare(judge, program, inputs, what, inner=False):
    """Hold the engine's result and gradients against measured ones; with ``inner``, those of values on the way too."""
    value, gradients = judge.run(run, program, inputs, 1, watch=True)
    held(judge, program, inputs, value, gradients if inner else gradients[:len(inputs)], what)


def held(judge, program, inputs, value, gradients, what):
    judge.same(value, complex(evaluated(program, inputs)).real, f"the value of {what}", 1e-12)
    for number, gradient in enumerate(gradients):
        wanted = measured(program, inputs, number)
        if abs(gradient - wanted) > 1e-11 * max(1, abs(wanted)):
            near = gradient and wanted and abs(round(gradient / wanted, 4) - gradient / wanted) < 1e-6
            of = f"operand {number}" if number < len(inputs) else "a value on the way to it"
            raise Wrong(f"the gradient of {what} with respect to {of}"
                        + (" is zero" if gradient == 0 else f" is {gradient / wanted:.4g} times what it should be"
                           if near else " is not the measured derivative"))


def positive(judge, n):
    return [float(x) for x in judge.draw(n, low=0.4, high=1.6)]


#: how much may be computed for each leaf, with whatever else the engine does, and the bytes that Python's objects may
#: take; it is a hundred at most, and 16 000 bytes, and for leaves that are used several times more than twice of that
EACH, MEMORY = 300, 50_000


def backwards(judge):
    """Raise `Wrong` if the engine does not go backwards; tried once for all items.

    Of n leaves and n uses the derivatives cost n: an engine that goes from the leaves to the result, or computes the
    expression anew for each leaf, costs n times that, and work that hides the growth is a cost, too.  What is right
    for few leaves must be right for many.
    """
    if "forwards" not in judge.kept:
        judge.kept["forwards"] = None
        try:
            few, many = judge.grow("", lambda n: [n], probe=row, rows=(16, 128), each=EACH, memory=MEMORY)
            if np.allclose(few, of_row(16), 1e-9):
                judge.same(many, of_row(128), "with 16 leaves the gradients are right; with 128 the gradient of a "
                                              "leaf, or of a value on the way,")
            judge.grow("", lambda n: [n], probe=built, rows=(100, 800), each=EACH)
        except (Wrong, Stopped) as failure:
            judge.kept["forwards"] = failure
    if judge.kept["forwards"]:
        raise judge.kept["forwards"]


def both_ways(submission, name, inputs):
    """Results of an operation at pairs of inputs, and at the same the other way round, with the gradients of both.

    So an operation of one number gets every input as that, and a difference for its derivative moves all of them.
    """
    found = []
    for x, y in [*zip(inputs[::2], inputs[1::2]), *zip(inputs[1::2], inputs[::2])]:
        a, b = submission.Value(x), submission.Value(y)
        done = {"+": lambda: a + b, "*": lambda: a * b, "-": lambda: a - b, "/": lambda: a / b,
                "square": lambda: a ** 2, "double": lambda: 2 * a + 1}.get(name, lambda: getattr(a, name)())()
        done.backward()
        found.append([float(done.data), float(a.grad), float(b.grad)])
    return found


@homework.item(4, "each operation by itself")
def operations(judge):
    backwards(judge)
    for name in ("+", "*", "-", "/", judge.variant["exp"], judge.variant["tanh"], "square", "double"):
        with judge.part(0.5, name):
            inputs, program = positive(judge, 6), [(name, 0, 1)]
            pairs = [*zip(inputs[::2], inputs[1::2]), *zip(inputs[1::2], inputs[::2])]
            for pair, (value, *gradients) in zip(pairs, judge.run(both_ways, name, inputs, watch=True)):
                held(judge, program, pair, value, gradients, "the operation")


@homework.item(2, "a value that is used several times")
def reuse(judge):
    backwards(judge)
    compare(judge, [("*", 0, 0), ("+", 2, 0), ("*", 3, 2)], positive(judge, 2), "an expression with several x")


@homework.item(3, "random expressions")
def expressions(judge):
    backwards(judge)
    for _ in range(5):
        inputs, program = positive(judge, 3), []
        for step in range(8):
            name = str(judge.random.choice(["+", "*", "-", "/", judge.variant["tanh"], "double"]))
            program.append((name, int(judge.random.integers(3 + step)), int(judge.random.integers(3))))
        program.append((judge.variant["tanh"], len(program) + 2, 0))
        program.append(("+", len(program) + 2, int(judge.random.integers(3))))
        compare(judge, program, inputs, "a random expression", inner=True)


def passes(submission, x, y):
    """The gradients of two values after passes of two results, after one that is made again, and with one set anew."""
    a, b = submission.Value(x), submission.Value(y)
    product, total = a * b, a * a + b
    found = []
    for result in (product, total, product):
        result.backward()
        found.append([float(a.grad), float(b.grad)])
    a.grad = 0.0
    product.backward()
    return found + [[float(a.grad), float(b.grad)]]


@homework.item(2, "gradients of two passes add up")
def accumulation(judge):
    backwards(judge)
    inputs = positive(judge, 2)
    _, once = judge.run(run, [("*", 0, 1)], inputs, 1)
    _, twice = judge.run(run, [("*", 0, 1)], inputs, 2)
    judge.same(twice, [2 * each for each in once], "the gradients after a second backward(), which adds to the first,")
    x, y = inputs
    of_product, of_sum = np.array([y, x]), np.array([2 * x, 1])
    both = of_product + of_sum
    wanted = [of_product, both, both + of_product, both * [0, 1] + of_product * [1, 2]]
    for found, each, what in zip(judge.run(passes, x, y), wanted, (
            "one backward()", "backward() of two results", "backward() of two results, and of the first once more",
            "a gradient was set to 0, and backward() called once more")):
        judge.same(found, each, f"what has been added to the gradients after {what}")


def doubled(submission, depth):
    y = x = submission.Value(1.0)
    for _ in range(depth):
        y = y + y
    y.backward()
    return float(x.grad)


def row(submission, n):
    """n leaves, of which each is used twice in a chain: the gradients of the leaves, and of the values on the way."""
    leaves = [submission.Value(0.5 + 0.4 * i / n) for i in range(n)]
    values = leaves[:1]
    for leaf in leaves[1:]:
        values.append(values[-1] * leaf + leaf)
    values[-1].backward()
    return [float(each.grad) for each in leaves + values]


def of_row(n):
    """What `row` returns."""
    leaves = [0.5 + 0.4 * i / n for i in range(n)]
    values = leaves[:1]
    for leaf in leaves[1:]:
        values.append(values[-1] * leaf + leaf)
    slopes = [1.0]                                      # of the values, the last first
    for leaf in leaves[:0:-1]:
        slopes.append(slopes[-1] * leaf)
    slopes.reverse()
    return [slopes[0], *[slope * (value + 1) for slope, value in zip(slopes[1:], values)], *slopes]


def wide(submission, n):
    """n leaves, of which a value depends that n others use, at a depth that is no more than the logarithm of n."""
    def total(values):
        while len(values) > 1:
            values = [a + b for a, b in zip(values[::2], values[1::2])] + values[len(values) // 2 * 2:]
        return values[0]

    leaves = [submission.Value(0.5 + 0.4 * i / n) for i in range(n)]
    of_all = total([leaf * leaf for leaf in leaves])
    uses = [of_all * leaf + leaf for leaf in leaves]
    total(uses).backward()
    return [float(each.grad) for each in (*leaves, of_all, uses[0], uses[-1])]


def built(submission, n):
    """The same without a backward pass: n values that each depend on n leaves."""
    leaves = [submission.Value(0.5 + 0.4 * i / n) for i in range(n)]
    values = [leaf * leaf for leaf in leaves]
    while len(values) > 1:
        values = [a + b for a, b in zip(values[::2], values[1::2])] + values[len(values) // 2 * 2:]
    return len([values[0] * leaf + leaf for leaf in leaves])


def of_wide(n):
    """What `wide` returns."""
    leaves = [0.5 + 0.4 * i / n for i in range(n)]
    of_all, together = sum([leaf * leaf for leaf in leaves]), sum(leaves)
    return [*[2 * leaf * together + of_all + 1 for leaf in leaves], together, 1, 1]


def woven(submission, n):
    """n leaves, and a chain in which each value is used twice, so that there are paths of all lengths."""
    leaves = [submission.Value(0.2 + 0.4 * i / n) for i in range(n)]
    before, y = leaves[0], leaves[1]
    for leaf in leaves[2:]:
        before, y = y, y * leaf + before
    y.backward()
    return [float(leaf.grad) for leaf in leaves]


@homework.item(2, "each value is visited once")
def work(judge):
    """A chain in which each value is used twice has 2 ** n paths: who follows paths never comes to an end."""
    backwards(judge)
    judge.grow("", lambda n: [n], probe=woven)
    judge.same(judge.run(doubled, 60), 2.0 ** 60, "the gradient through 60 doublings")
    _, many = judge.grow("", lambda n: [n], probe=wide, rows=(200, 1600), each=2.5 * EACH,
                         memory=2.5 * MEMORY)
    judge.same(many, of_wide(1600), "the gradient in an expression of 1600 leaves, or of a value on the way,")


def chained(submission, length):
    y = x = submission.Value(0.5)
    for i in range(length):
        y = y + 1.0 if i % 3 else y * 1.0 if i % 2 else 1.0 - y
    y.backward()
    return float(x.grad)


def branching(submission, length):
    """A chain into which other leaves come, and in which a value is used twice: gradients of leaves and of values on
    the way."""
    leaves = [submission.Value(0.25 * i) for i in range(5)]
    y, kept = leaves[0], []
    for i in range(length):
        y = y + leaves[i // 2 % 5] if i % 2 else y * 1.0
        if i % (length // 7) == 0:
            kept.append(y)
    (y + y).backward()
    return [float(each.grad) for each in leaves + kept]


@homework.item(2, "a chain longer than Python's stack")
def depth(judge):
    backwards(judge)
    sign = (-1.0) ** len(range(0, 20_000, 6))
    judge.same(judge.run(chained, 20_000), sign, "the gradient through a chain of 20 000 operations")
    length = 20_000
    uses = [2.0 * [i // 2 % 5 for i in range(1, length, 2)].count(leaf) + 2.0 * (leaf == 0) for leaf in range(5)]
    judge.same(judge.run(branching, length), uses + len(range(0, length, length // 7)) * [2.0],
               "in a chain of 20 000 operations, into which five leaves come, the gradient of a leaf or of a value on "
               "the way")

"""Finite differences are noticed however the submission hides its input, and sums that are not such are left alone."""

import itertools
import math
import types

import numpy as np
import pytest

from minigrad._core.profiling.instruments import Meter, Shown, Tick
from minigrad.homework.finite_differences import DIGITS, compiled, evidence
from minigrad.homework.process import Process
from tests.drawn import share

X = np.random.default_rng(0).uniform(-1.5, 1.5, (2, 3))

#: how a body makes a point next to x: an array that was copied, a list, single numbers, rows, a view, another order
DIFFERENCES = {
    "an array": "(np.tanh(x + h) - np.tanh(x - h)) / (2 * h)",
    "a plain copy": "np.tanh(np.asarray(x.tolist()) + h)",
    "a direction": "np.tanh(x + h * np.arange(6.).reshape(2, 3))",
    "one entry": "copy = x.copy()\ncopy[1, 2] += h",
    "one entry of a view": "copy = x.copy()\nflat = copy.reshape(-1)\nflat[4] -= h",
    "one entry, through an iterator": "copy = x.copy()\ncopy.flat[4] += h",
    "an attribute": "class Point: pass\npoint = Point()\npoint.x = x.copy()\npoint.x[0] += h",
    "in place": "x += h",
    "another order": "x.T + h",
    "all at once": "x + h * np.eye(6).reshape(6, 2, 3)",
    "single numbers": "[np.tanh(each + h) for each in x.ravel()]",
    "Python's numbers": "[[math.tanh(each + h) for each in row] for row in x.tolist()]",
    "rows": "[np.tanh(row + h) for row in x]",
    "numbers that are put back": "for i in range(6):\n    copy = x.copy()\n    copy.flat[i] = copy.flat[i] + h",
    "np.add": "np.tanh(np.add(x, h))",
    "operator": "import operator\noperator.add(x.copy(), h)",
    "a lambda": "(lambda at: np.tanh(at + h))(x)",
    "a factor": "np.tanh(x * (1 + h))",
    "a callback": "list(map(np.tanh, map(np.add, [x], [h])))",
    "decimals": ("from decimal import Decimal\n"
                 "[(Decimal(each) + Decimal(h) ** 2).exp() for each in x.ravel().tolist()]"),
    "fractions": ("from fractions import Fraction\n"
                  "[math.exp(Fraction(each) + Fraction(h)) for each in x.ravel().tolist()]"),
    "an array of decimals": ("from decimal import Decimal\n"
                             "np.array([Decimal(each) for each in x.ravel().tolist()], object)"),
    "decimals in iterators": ("from decimal import Decimal\n"
                              "list(map(float, map(Decimal.exp, map(Decimal, x.ravel().tolist()))))"),
    "integers of many digits": "[int(each * 2 ** 40) * 10 ** 30 for each in x.ravel().tolist()]",
    "an array of long integers": "x.astype(object) * 10 ** 30",
    "extended precision": "np.tanh(x.astype(np.longdouble) + h)",
    "text": "exec('np.tanh(np.add(x, h))')",
    "a complex step": "np.tanh(x + 1e-30j).imag / 1e-30",
    "a complex step, as short as a rounding error": "np.tanh(x + 3e-16j).imag / 3e-16",
    "a complex step in a direction": "np.tanh(x + 1e-30j * x).imag / 1e-30",
    "complex numbers as short": "import cmath\n[cmath.tanh(each + 2e-17j) for each in x.ravel().tolist()]",
    "complex numbers": "import cmath\n[cmath.tanh(each + 1e-30j) for each in x.ravel().tolist()]",
}
#: points that are far away
FAR = {
    "eighth order": "sum(c * (np.tanh(x + k * .02) - np.tanh(x - k * .02)) for k, c in enumerate((.8, -.2, .04), 1))",
    "Richardson's extrapolation": "[np.tanh(x + .3 / 2 ** k) for k in range(4)]",
    "one difference": "(np.exp(x + 1.) - np.exp(x)) / 1.",
    "one quotient": "np.log(np.exp(x + .5) / np.exp(x)) / .5",
    "factors": "[np.tanh(x * (1 + k / 10)) for k in range(1, 5)]",
    "an einsum over displaced copies": ("np.einsum('kij,k', np.tanh(np.stack([x + k / 9 for k in range(1, 5)])), "
                                        "np.ones(4))"),
    "copies side by side": "np.tanh(x[..., None] + np.arange(1, 5) / 9)",
    "nodes of a fit, for each number": ("[[math.exp(each + k / 7) for k in (-3, -2, 1, 2)]\n"
                                        " for each in x.ravel().tolist()]"),
    "one entry at a time": ("for i in range(6):\n    copy = x.copy()\n    copy.flat[i] = copy.flat[i] + .5\n"
                            "    np.multiply(copy, 3.)"),
    "a circle": "np.tanh(x + .3 * np.exp(2j * np.pi * np.arange(8) / 8).reshape(8, 1, 1))",
    "a multiple of the input": "[np.tanh(2 * x * (1 + k / 90)) for k in (1, 2, 3)]",
    "a value on the way": "u = np.exp(x)\n[np.log(v) + 1 for v in (u - .02 * u, u, u + .02 * u)]",
    "one difference on the way": "u = np.exp(x)\nnp.log(u * 1.01) - np.log(u * .99)",
    "a square on the way": "u = np.exp(x / 2)\n((u + .01) ** 2 - (u - .01) ** 2) / .02",
    "a circle around a value on the way": ("u = np.exp(-x)\n"
                                           "[np.sin(u + u * np.exp(2j * np.pi * k / 6) / 2) for k in range(6)]"),
    "different amounts": "h = .01 * np.exp(x)\n[(x + k * h, x - k * h) for k in (1, 2)]",
    "products, far away": "u = np.exp(x)\nnp.multiply(x + 2. ** 20, u) - np.multiply(x, u)",
    "squares, far away": "u = np.exp(x)\nnp.square(u + 900.) - np.square(u - 900.)",
    "products, each entry moved by another amount": ("a = np.exp(x[::-1]) + 9\nu = np.cos(x)\n"
                                                     "((x + a) * u - x * u) / a"),
    "the same, by a factor": "a = np.exp(x[::-1]) + 9\nu = np.cos(x)\n((x + a) * u - (x - a) * u) * (.5 / a)",
    "entries that are raised, one in each copy": ("e = np.exp(x - x.max(1, keepdims=True))\n"
                                                  "np.where(np.eye(3) > 0, 1e9 * e[:, None], e[:, None]).sum(-1)"),
    "entries that are raised, one after the other": ("e = np.exp(x)\nfor k in range(3):\n    raised = e.copy()\n"
                                                     "    raised[:, k] = 1e9"),
    "totals of unit vectors": "np.eye(4).cumsum(0)",
    "totals of unit vectors, one after the other": "[unit.cumsum() for unit in np.eye(5, dtype=int)]",
    "totals of unit vectors in lists": ("[list(itertools.accumulate([0.] * k + [1.] + [0.] * (4 - k)))\n"
                                      " for k in range(5)]"),
    "totals of multiples of unit vectors": "(3 * np.eye(4)).cumsum(0)",
    "products, number by number": ("for a, b in zip(x.ravel().tolist(), np.cos(x).ravel().tolist()):\n"
                                   "    (a + 1) * b - a * b"),
    "complex products, number by number": ("for a, b in zip((x + 1j * x[::-1]).ravel().tolist(), x.ravel().tolist()):\n"
                                           "    a * (b + 4.) - a * b"),
    "products of NumPy's numbers, far apart": ("for a, b in zip(x.ravel(), np.cos(x).ravel()):\n"
                                               "    ((a + 2. ** 18) * b - (a - 2. ** 18) * b) / 2. ** 19"),
    "values that are scaled before": "np.exp(x + 1.) * .5 - .5 * np.exp(x)",
    "a value and the opposite of another": "np.exp(x + 1.) + -np.exp(x)",
    "a stack": "np.tensordot([1., -1.], np.stack([np.exp(x + 1.), np.exp(x)]), 1)",
    "a list": "np.subtract.reduce([np.exp(x + 1.), np.exp(x)])",
    "lists in which one number is raised": ("e = np.exp(x).ravel().tolist()\n"
                                            "[sum(e[:k] + [e[k] * 9e9] + e[k + 1:]) for k in range(6)]"),
    "totals of entries that are set": ("for k in range(5):\n    unit = np.zeros((2, 5))\n    unit[:, k] = 1\n"
                                       "    unit.cumsum(1)"),
}
HONEST = {
    "a formula": "1 - np.tanh(x) ** 2",
    "a shift that is undone": "largest = x.max()\n(x - largest) + largest",
    "a softmax, by rows": "[np.exp(row - row.max()) for row in x]",
    "a softmax, by numbers": "[[math.exp(each - max(row)) for each in row] for row in x.tolist()]",
    "a guard": "np.log(np.abs(x) + 1e-12) + (x + 1e-12)",
    "the same numbers": "(x + 0, x - 0., 0 + x.T, x + 0j, [each + 0. for each in x.ravel()])",
    "totals": "total = 0.\nfor each in x.ravel():\n    total += each",
    "a total of rows": "total = np.zeros(3)\nfor row in x:\n    total += row",
    "counting": "n = 0\nfor each in x.ravel():\n    n += 1",
    "text": "'a' + 'b', [1] + [2], (1,) + (2,)",
    "other numbers": "x + 1, x - 0.1, x + x.T.reshape(2, 3), 2 * x - x / 3",
    "exponentials": "(np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x)), np.exp(2 * x), np.cosh(x)",
    "powers": "x * x * x, x ** 2, x / x ** 2, (1 - x) * (1 + x)",
    "quotients": "np.exp(x) / np.exp(x).sum(), np.exp(x) / np.exp(-x), np.tanh(x) / x, (2 * x) / (x + x)",
    "Euler's formula": ("np.exp(1j * x).imag, (np.exp(1j * x) - np.exp(-1j * x)) / 2j, np.cos(x + 0j), "
                        "[complex(math.exp(each), each) for each in x.ravel().tolist()]"),
    "points of the plane": "abs(x + 1j * x[::-1]), abs(3 * x - 1j * x ** 2), np.angle(x - 1j)",
    "roots of one": ("[np.exp(2j * np.pi * k / 3) * x for k in range(3)], np.fft.ifft(np.fft.fft(x)), "
                     "x * np.exp(1j * np.pi)"),
    "one row less each of its entries": "[1 / np.exp(x[0] - each).sum() for each in x[0]]",
    "a square root by iteration": "s = 1 + x * x\nr = s\nfor _ in range(6):\n    r = (r + s / r) / 2",
    "products by parts": "(x + x[::-1]) ** 2 - (x - x[::-1]) ** 2",
    "a difference of products that is divided": "u = np.cos(x)\n(x * u - u * x[::-1] * 2) / (u + 3)",
    "an array that is filled": "g = np.zeros(6)\nfor k in range(6):\n    g[k] = x.flat[k]\n    g[k] += 1.",
    "an array that is changed, entry by entry": "g = np.exp(x)\nfor k in range(3):\n    g[:, k] = g[:, k] * 2.",
    "a matrix of ones below the diagonal": "np.tri(4) @ np.ones(4), np.triu(np.ones((5, 5)), 1)",
    "the same in lists": ("[[1.] * (k + 1) + [0.] * (4 - k) for k in range(5)], np.tri(5), "
                          "[[0.] * k + [2.] for k in range(9)]"),
    "sums and differences, number by number": ("for a, b in zip(x.ravel().tolist(), x[::-1].ravel().tolist()):\n"
                                               "    1 - a * a, (a - 1) * (a + 1), math.exp(a - b), (a + b) - (a - b),"
                                               " a + b - b"),
    "numbers less the largest": ("for row in x.tolist():\n    e = [math.exp(a - max(row)) for a in row]\n"
                                 "    [a / sum(e) - 1. for a in e]"),
    "a list that is filled": ("g = [0.] * 6\nfor k in range(6):\n"
                              "    g = g[:k] + [g[k] + float(x.flat[k])] + g[k + 1:]"),
    "values that are scaled": "np.exp(x) * 2. - np.exp(-x) * .5, np.stack([np.exp(x), np.exp(-x), np.exp(2 * x)])",
    "labels": "x[np.arange(2), [0, 1]] - np.eye(3)[[0, 1]].sum(1), np.exp(x) - np.eye(3)[[0, 1]]",
    "a layer of a network": "[np.tanh(np.array([1., 2., 3.]) + row / 50) for row in np.vstack([x] * 4) * x[0]]",
    "frequencies": "u = np.exp(x)\n[np.sin(k * u) for k in range(1, 9)], [np.exp(1j * k * u) for k in range(1, 9)]",
    "unit vectors": "[np.square(each * (1 + k / 50)) for each in np.eye(6) for k in range(9)]",
    "integers": "hash('a'), id(x), 2 ** 60, [1, 2 ** 60, (3, None)], {1: 'a'}, np.array([None, 'a', 1], object)",
    "zeros": "np.zeros((2, 3)) + 1e-6, x * 0, np.zeros(6) * x.ravel()",
    "a part of what a call gives": "(lambda: types.SimpleNamespace(n=1))().n += h\nn = 2\nn *= h",
}


def seen_in(body, *, x=X, more=()):
    meter, tick = Meter([each for each in vars(np).values() if isinstance(each, np.ufunc)]), Tick()
    names = {"np": np, "itertools": itertools, "x": x.copy(), "h": 1e-6, "types": types, "math": types.SimpleNamespace(
        tanh=Shown(math.tanh), exp=Shown(math.exp)), "exec": lambda text: exec(compiled(text, "b.py", tick), names)}
    watch, sentences = evidence([names["x"], *more])
    meter.watch(watch)
    try:
        exec(compiled(body, "a.py", tick), names)
    finally:
        meter.close()
    return sentences()


@pytest.mark.parametrize("how", DIFFERENCES)
@pytest.mark.parametrize("h", ["1e-4", "1e-6", "1e-8"])
def test_a_difference_is_noticed_every_time(how, h):
    for seed in range(3):
        x = np.random.default_rng(seed).uniform(-1.5, 1.5, (2, 3))
        assert seen_in(f"h = {h}\n{DIFFERENCES[how]}", x=x)


@pytest.mark.parametrize("how", FAR)
def test_points_far_away_are_noticed_too(how):
    for seed in range(3):
        assert seen_in(FAR[how], x=np.random.default_rng(seed).uniform(-1.5, 1.5, (2, 3)))


@pytest.mark.parametrize("how", HONEST)
def test_an_honest_sum_is_not(how):
    for seed in share(range(20)):
        x = np.random.default_rng(seed).uniform(-1.5, 1.5, (2, 3))
        d, y = np.random.default_rng(100 + seed).uniform(-1.5, 1.5, (2, 2, 3))
        assert not seen_in(HONEST[how], x=x, more=[d, y])


def test_a_step_in_the_direction_of_another_input_is_noticed():
    v = np.random.default_rng(5).uniform(-1, 1, (2, 3))
    names = "v = np.random.default_rng(5).uniform(-1, 1, (2, 3))\n"
    assert seen_in(names + "[np.exp(x + k / 10 * v) for k in (1, 2, 3)]", more=[v])


@pytest.mark.parametrize("name", ["issubclass", "next", "type"])
def test_a_builtin_that_is_replaced_hides_nothing(name):
    source = (f"import builtins\nfrom decimal import Decimal\nbuiltins.{name} = lambda *a: 1 / 0\n"
              "def f(x):\n    return float(Decimal(x[0]))\n")
    process = Process(source, forbidden=("minigrad",))
    try:
        answer, seen, _ = process.ask("", "f", ["f", [0.25, 0.5, 1.0]], [1])
    finally:
        process.close()
    assert answer == 0.25 and seen and seen[0].startswith(DIGITS)


def test_a_gradient_that_is_a_unit_vector_is_given():
    """Its running totals, from the other end, are the answer."""
    unit = np.array([0., 0., 1., 0., 0.])
    watch, sentences = evidence([X], given=[unit, X])
    for value in (unit[::-1].copy(), np.tri(5)):
        watch(None, (), value)
    assert sentences() == []


def test_it_raises_nothing_of_its_own():
    body = """
huge = np.full(x.shape, 1e308)
with np.errstate(all='raise'):
    x + huge, x - huge, (x + 0j) + 1e-310j, np.array(['a'], object) + 'b'
"""
    assert all(["complex" in each or "small step" in each for each in seen_in(body)])


def test_a_sum_may_have_many_terms():
    assert seen_in("total = " + " + ".join(["1"] * 900) + "\nx + h")


def test_only_inputs_that_say_something_are_watched():
    for x in (X[0, :2], np.arange(6), np.zeros(4), np.eye(3)):      # few, integers, all alike, and alike but for one
        watch, sentences = evidence([x, "text", 3.])
        watch(None, (), x + 1e-6)
        assert not sentences()


def test_the_value_passes_through_and_lines_stay():
    source = ("class A:\n    def f(self, y):\n        self.n += 1\n        y[0] += 1\n"
              "        return super().__add__ if y is None else y - 1\n")
    names = {}
    exec(compiled(source, "a.py", Tick()), names)
    a = names["A"]()
    a.n = 1
    assert (a.f(np.array([1., 2.])) == [1, 1]).all() and a.n == 2
    with pytest.raises(TypeError) as failure:
        a.f(np.array([1., 2.]).tolist())
    assert failure.traceback[-1].lineno == 4


def test_all_of_python_can_be_instrumented():
    source = '''
"""A docstring."""
from __future__ import annotations
def f(*a: -1, b=-2, **c) -> "x":
    """Another."""
    match b:
        case -1 | -2: b = -b
        case {"k": -3, **rest}: pass
    while b > 0:
        b -= 1
    else:
        b = (lambda y: -y)(2)
    with open_(b) as g: pass
    x = [i + 1 for i in a if -i < 0]
    del x[-1]
    async def later():
        async for _ in a: pass
    return f"{b + 1!r:>{3 + 4}}", *x, {-1: +2, **c}
def open_(b):
    import contextlib
    return contextlib.nullcontext(b)
'''
    names = {}
    exec(compiled(source, "a.py", Tick()), names)
    assert names["f"](1, 2, 3) == ("-1     ".rjust(7).replace("-1     ", "     -1"), 2, 3, {-1: 2})
    assert names["__doc__"] == "A docstring." and names["f"].__doc__ == "Another."

"""Finite differences are noticed however the submission hides its input, and sums that are not such are left alone."""

import numpy as np
import pytest

from minigrad.homework.finite_differences import ENTRY, Steps, compiled

X = np.random.default_rng(0).uniform(-1.5, 1.5, (2, 3))

#: how a body makes a point next to x: an array that was copied, a list, single numbers, rows, a view, another order
DIFFERENCES = {
    "an array": "(np.tanh(x + 1e-6) - np.tanh(x - 1e-6)) / 2e-6",
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
    "Python's numbers": "import math\n[[math.tanh(each + h) for each in row] for row in x.tolist()]",
    "rows": "[np.tanh(row + h) for row in x]",
    "numbers that are put back": "for i in range(6):\n    copy = x.copy()\n    copy.flat[i] = copy.flat[i] + h",
    "np.add": "np.tanh(np.add(x, h))",
    "operator": "import operator\noperator.add(x.copy(), h)",
    "a lambda": "(lambda at: np.tanh(at + h))(x)",
    "a complex step": "np.tanh(x + 1e-30j).imag / 1e-30",
    "complex numbers": "import cmath\n[cmath.tanh(each + 1e-30j) for each in x.ravel().tolist()]",
}
HONEST = {
    "a formula": "1 - np.tanh(x) ** 2",
    "a shift that is undone": "largest = x.max()\n(x - largest) + largest",
    "a guard": "np.log(np.abs(x) + 1e-12) + (x + 1e-12)",
    "the same numbers": "(x + 0, x - 0., 0 + x.T, x + 0j, [each + 0. for each in x.ravel()])",
    "totals": "total = 0.\nfor each in x.ravel():\n    total += each",
    "a total of rows": "total = np.zeros(3)\nfor row in x:\n    total += row",
    "counting": "n = 0\nfor each in x.ravel():\n    n += 1",
    "text": "'a' + 'b', [1] + [2], (1,) + (2,)",
    "other numbers": "x + 1, x - 0.1, x + x.T.reshape(2, 3), 2 * x - x / 3",
    "zeros": "np.zeros((2, 3)) + 1e-6",
    "a part of what a call gives": "import types\n(lambda: types.SimpleNamespace(n=1))().n += h\nn = 2\nn *= h",
}


def steps_in(body, *, x=X):
    steps = Steps()
    names = {ENTRY: steps.noticed, "np": np, "x": x.copy(), "h": 1e-6}
    steps.watch([names["x"]])
    exec(compiled(body, "a.py"), names)
    return steps.count


@pytest.mark.parametrize("how", DIFFERENCES)
@pytest.mark.parametrize("h", ["1e-4", "1e-6", "1e-8"])
def test_a_difference_is_noticed_every_time(how, h):
    for seed in range(5):
        x = np.random.default_rng(seed).uniform(-1.5, 1.5, (2, 3))
        assert steps_in(f"h = {h}\n{DIFFERENCES[how]}", x=x)


@pytest.mark.parametrize("how", HONEST)
def test_an_honest_sum_is_not(how):
    assert not steps_in(HONEST[how])


def test_it_raises_nothing_of_its_own():
    body = """
huge = np.full(x.shape, 1e308)
with np.errstate(all='raise'):
    x + huge, x - huge, (x + 0j) + 1e-310j, np.array(['a'], object) + 'b'
"""
    assert steps_in(body) == 1          # the complex step


def test_a_sum_may_have_many_terms():
    assert steps_in("total = " + " + ".join(["1"] * 900) + "\nx + h") == 1


def test_only_what_is_watched_counts():
    steps = Steps()
    assert steps.noticed(X + 1e-6) is not None and steps.count == 0
    steps.watch([X[0, :2], np.arange(6), np.zeros(4), "text", 3.])
    steps.noticed(X[0, :2] + 1e-6)
    assert steps.count == 0 and steps.originals == []
    steps.watch([X])
    steps.noticed(X + 1e-6)
    assert steps.count == 1


def test_the_value_passes_through_and_lines_stay():
    source = ("class A:\n    def f(self, y):\n        self.n += 1\n        y[0] += 1\n"
              "        return super().__add__ if y is None else y - 1\n")
    names = {ENTRY: Steps().noticed}
    exec(compiled(source, "a.py"), names)
    a = names["A"]()
    a.n = 1
    assert (a.f(np.array([1., 2.])) == [1, 1]).all() and a.n == 2
    with pytest.raises(TypeError) as failure:
        a.f(np.array([1., 2.]).tolist())
    assert failure.traceback[-1].lineno == 4

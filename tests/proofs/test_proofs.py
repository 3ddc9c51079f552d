"""A share of the proofs, faults that they must find, and the conventions at kinks.

``SHARE=3`` proves another eighth of the table than ``SHARE=0``; ``python -m tests.proofs`` proves all of it.
"""

import functools
import os
import types
import zlib

import numpy as np
import pytest

pytest.importorskip("sympy")
pytest.importorskip("flint")

from minigrad.autograd import Function
from minigrad.ops import exports
from tests.proofs import exact, ledger, orders, symbolic

SHARE = int(os.environ.get("SHARE", 0)) % 8
ROWS = [row for row in ledger.rows() if zlib.crc32(row.name.encode()) % 8 == SHARE]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.drawn
def test_proofs_are_as_written_down(row):
    written = [entry for entry in ledger.read() if entry.row == row.name]
    assert sorted([entry[:3] for entry in ledger.prove(row)]) == sorted([entry[:3] for entry in written])


def test_every_formula_is_on_the_list():
    formulas = {(row.name, formula.of) for row in ledger.rows() for formula in row.formulas}
    assert formulas == {(entry.row, entry.of) for entry in ledger.read()}


def test_nothing_that_has_a_means_is_only_tested():
    for entry in ledger.read():
        kind = exports.ROWS[entry.row].kind
        assert entry.means != "tests" or kind == "general" or entry.row in {*exact.WITHOUT, *ledger.WITHOUT_MEANING}


# ------------------------------------------------------------------------------ faults that must be found


def spoilt(program, steps=None, result=None):
    return types.SimpleNamespace(steps=steps or program.steps, constants=program.constants,
                                 result=program.result if result is None else result)


def negated(program):
    """The same with a minus at the end."""
    return spoilt(program, [*program.steps, (exports.ROWS["neg"], [program.result])], program.result + 1)


def without_last(program):
    """Without the last step."""
    return spoilt(program, result=program.result - 1)


def swapped(program):
    """With one operand in place of both, in the first step that has two."""
    steps = [*program.steps]
    at = next(i for i, (_, places) in enumerate(steps) if len(places) == 2 and places[0] != places[1])
    steps[at] = steps[at][0], [steps[at][1][0]] * 2
    return spoilt(program, steps)


@pytest.mark.parametrize("name, of, fault", [
    ("tan", "self", negated), ("tan", "self", without_last), ("mul", "other", swapped), ("sqrt", "self", swapped),
    ("atan2", "other", negated), ("gelu_backward", "self", swapped), ("clamp", "self", negated),
    ("special_i1e", "self", swapped), ("lstm_state", "g", negated), ("logaddexp", "other", swapped),
    ("digamma", "self", negated), ("maximum", "other", negated), ("special_erfcx", "self", negated),
])
@pytest.mark.drawn
def test_a_spoilt_formula_is_refuted(monkeypatch, name, of, fault):
    programs = symbolic.programs
    monkeypatch.setattr(symbolic, "programs", lambda *arguments: fault(programs(*arguments)))
    with pytest.raises(symbolic.Refuted, match="at {.*the formula is .*, and the derivative"):
        symbolic.prove(exports.ROWS[name], of)


def test_a_wrong_meaning_is_noticed(monkeypatch):
    monkeypatch.setitem(symbolic.MEANINGS, "sinh", symbolic.MEANINGS["cosh"])
    with pytest.raises(symbolic.Refuted):
        symbolic.prove(exports.ROWS["sinh"], "self")


class Doubled(Function):
    """x + flip(x), with one of these gradients."""

    @staticmethod
    def forward(ctx, x, gradient):
        ctx.gradient = gradient
        return x + x.flip(0)

    @staticmethod
    def backward(ctx, d):
        return ctx.gradient(d), None


@pytest.mark.parametrize("gradient", [lambda d: d - d.flip(0), lambda d: d, lambda d: 2 * (d + d.flip(0)),
                                      lambda d: d.roll(1, 0) + d.flip(0), lambda d: d.conj() + d.flip(0),
                                      lambda d: (d + d.flip(0)) * (1 + 1e-9)])
def test_a_gradient_that_is_not_the_transpose_is_refuted(gradient):
    matrix, at = made_of(lambda d: d + d.flip(0)), np.ones(6)
    np.testing.assert_array_equal(exact.reverse(matrix, at), exact.columns(matrix))
    wrong = made_of(gradient)
    assert exact.distance(exact.reverse(wrong, at), exact.columns(wrong)) > exact.FAR


def made_of(gradient):
    row = types.SimpleNamespace(name="doubled", kind="linear")
    f = exact.Function(row, {"x": np.ones(3, np.complex128)}, "x")
    f.row = lambda x: Doubled.apply(x, gradient)
    return f


def test_what_is_not_linear_is_noticed():
    f = made_of(None)
    f.row = lambda x: x * x.conj()
    assert exact.distance(*exact.linearity(f, np.random.default_rng(0))) > exact.FAR


def selection(name, call, function=None):
    row = functools.partial(function or exports.ROWS[name])
    row.name = name
    return exact.Function(row, call, "self")


@pytest.mark.parametrize("function, message", [
    (lambda self, dim, keepdim: self.max(dim).values.detach() + 0 * self.sum(dim), "reverse is not the matrix"),
    (lambda self, dim, keepdim: 2 * self.max(dim).values - self.max(dim).values.detach(), "reverse is not the matrix"),
    (lambda self, dim, keepdim: self.max(dim).values + 0 * self.sum(dim) ** 2 + self.min(dim).values, "none of the"),
])
def test_a_selection_of_another_element_is_refuted(function, message):
    call, rng = {"self": np.ones((3, 4)), "dim": 1, "keepdim": False}, np.random.default_rng(0)
    assert exact.compare_selection(selection("amax", call), rng) == (3, True)
    with pytest.raises(exact.Refuted, match=message):
        exact.compare_selection(selection("amax", call, function), rng)


def test_proofs_hold_for_derivatives_of_every_order():
    assert not orders.first_order_only(ledger.rows(), ledger.read())


def test_a_row_that_calls_one_that_is_only_tested_is_named():
    rows = [exports.ROWS[name] for name in ("softmax", "softmax_backward", "sum.dim_IntList", "restore_dims", "mul")]
    entries = [ledger.Entry(row.name, "d", "tests" if row.name == "mul" else "balls", "") for row in rows]
    found = orders.first_order_only(rows, entries)
    assert found["softmax_backward"] == {"mul"} and found["softmax"] == {"softmax_backward"}
    assert "sum.dim_IntList" not in found


# ------------------------------------------------------------------------------ kinks, where it is a convention

KINKS = [
    ("relu", lambda t, x: t.relu(x), 0, 0), ("relu6", lambda t, x: t.nn.functional.relu6(x), 6, 0),
    ("abs", lambda t, x: t.abs(x), 0, 0), ("sign", lambda t, x: t.sign(x), 0, 0),
    ("clamp", lambda t, x: t.clamp(x, -1, 1), 1, 1), ("clamp_min", lambda t, x: t.clamp_min(x, 0), 0, 1),
    ("clamp by tensors", lambda t, x: t.clamp(x, t.zeros_like(x), t.ones_like(x)), 0, 1),
    ("hardtanh", lambda t, x: t.nn.functional.hardtanh(x), 1, 0),
    ("maximum of equals", lambda t, x: t.maximum(x, t.zeros_like(x)), 0, 0.5),
    ("minimum of equals", lambda t, x: t.minimum(x, t.zeros_like(x)), 0, 0.5),
    ("fmax of equals", lambda t, x: t.fmax(x, t.zeros_like(x)), 0, 1),
    ("fmax of equals, the other one", lambda t, x: t.fmax(t.zeros_like(x), x), 0, 0),
    ("amax of equals", lambda t, x: t.amax(t.stack([x, t.zeros_like(x)])), 0, 0.5),
    ("max along a dim, of equals", lambda t, x: t.max(t.stack([x, t.zeros_like(x)]), 0).values, 0, 1),
    ("leaky_relu", lambda t, x: t.nn.functional.leaky_relu(x, 0.25), 0, 0.25),
    ("elu", lambda t, x: t.nn.functional.elu(x, 0.5), 0, 0.5), ("celu", lambda t, x: t.celu(x), 0, 1),
    ("threshold", lambda t, x: t.nn.functional.threshold(x, 1, 0), 1, 0),
    ("hardshrink", lambda t, x: t.nn.functional.hardshrink(x), 0.5, 0),
    ("softshrink", lambda t, x: t.nn.functional.softshrink(x), 0.5, 0),
    ("hardsigmoid", lambda t, x: t.nn.functional.hardsigmoid(x), 3, 0),
    ("hardswish", lambda t, x: t.nn.functional.hardswish(x), 3, 1),
    ("prelu", lambda t, x: t.nn.functional.prelu(x, t.full((1,), 0.25, dtype=x.dtype)), 0, 0.25),
    ("norm of zeros", lambda t, x: t.linalg.vector_norm(t.stack([x, 0 * x])), 0, 0),
    ("the square root of 0", lambda t, x: t.sqrt(x), 0, float("inf")),
    ("x ** 0 at 0", lambda t, x: x ** 0, 0, 0), ("x ** 1 at 0", lambda t, x: x ** 1, 0, 1),
    ("xlogy", lambda t, x: t.xlogy(x, t.zeros_like(x)), 0, 0), ("sinc", lambda t, x: t.sinc(x), 0, 0),
    ("atan2 at the origin", lambda t, x: t.atan2(x, t.zeros_like(x)), 0, 0),
    ("hypot at the origin", lambda t, x: t.hypot(x, t.zeros_like(x)), 0, float("nan")),
    ("l1_loss", lambda t, x: t.nn.functional.l1_loss(x, t.zeros_like(x)), 0, 0),
    ("huber_loss", lambda t, x: t.nn.functional.huber_loss(x, t.zeros_like(x)), 1, 1),
    ("hinge_embedding_loss", lambda t, x: t.nn.functional.hinge_embedding_loss(x, -t.ones_like(x)), 1, -1),
    ("median of two", lambda t, x: t.median(t.stack([x, t.zeros_like(x)])), 0, 0.5),
    ("copysign at 0", lambda t, x: t.copysign(x, t.ones_like(x)), 0, 0),
    ("floor", lambda t, x: t.floor(x), 1, 0), ("frac", lambda t, x: t.frac(x), 1, 1),
    ("remainder", lambda t, x: t.remainder(x, 1), 1, 1), ("fmod", lambda t, x: t.fmod(x, 1), 1, 1),
]


@pytest.mark.parametrize("name, function, at, gradient", KINKS, ids=[kink[0] for kink in KINKS])
def test_the_gradient_at_a_kink_is_pytorchs(torch, name, function, at, gradient):
    x = torch.tensor(float(at), dtype=torch.float64, requires_grad=True)
    found, = torch.autograd.grad(function(torch, x), x)
    np.testing.assert_allclose(found.item(), gradient)

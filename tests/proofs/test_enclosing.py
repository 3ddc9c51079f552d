"""Ball arithmetic on general rows must notice every fault: in formulas, in meanings, at kinks."""

import numpy as np
import pytest

pytest.importorskip("sympy")
flint = pytest.importorskip("flint")

from minigrad.ops import exports
from tests.proofs import decompositions, duals, enclosing, ledger, network_meanings, stepping
from tests.proofs.test_proofs import SHARE

#: formulas whose gradient is 0 wherever it exists
ZERO = {"norm_0", "ones_of", "multilabel_margin_slope"}
BALLS = [entry for entry in ledger.read() if entry.means == "balls" and entry.row not in ZERO]


def text_with(change):
    """In place of ``enclosing.text_of``: the formula, and then a change to what it gives."""
    text_of = enclosing.text_of
    return lambda row, of: lambda d, *saved: change(text_of(row, of)(d, *saved))


@pytest.mark.parametrize("change", [lambda g: -g, lambda g: 2 * g, lambda g: g + 1e-25 * g],
                         ids=["sign", "factor", "25th digit"])
@pytest.mark.parametrize("entry", BALLS[SHARE::8], ids=lambda entry: f"{entry.row}, {entry.of}")
def test_a_spoilt_formula_is_refuted(monkeypatch, entry, change):
    monkeypatch.setattr(enclosing, "text_of", text_with(change))
    with pytest.raises(enclosing.Refuted, match="the formula has .*, and the derivative is"):
        enclosing.prove(exports.ROWS[entry.row], entry.of)


def spoilt_det(d, A):
    return d.unsqueeze(-1).unsqueeze(-1) * ops("cofactors")(A)                      # without conj


def spoilt_inverse(d, result):
    return -ops("times")(ops("times")(result, d), ops("adjoint")(result))           # one not transposed


def spoilt_norm(d, input, mean, rstd, weight):
    return ops("scaled")(d, weight, network_meanings.LAYER) * rstd     # as if mean and rstd were constant


def spoilt_softmax(d, result, dim):
    return result * d


def spoilt_scan(d, coefficients, dim, step):
    return ops("scan_back")(d, coefficients, dim, step)                             # without conj


def spoilt_eigenvectors(ds, eigenvalues, eigenvectors):
    V, adjoint = eigenvectors, ops("adjoint")
    inner = ops("times")(adjoint(V), ds[1])
    inner = ops("off_diagonal")(inner - adjoint(inner)) / ops("gaps")(eigenvalues)  # without 1/2
    return ops("times")(ops("times")(V, inner + ops("diag_embed")(ds[0], 0, -2, -1)), adjoint(V))


def ops(name):
    return exports.ROWS[name]


@pytest.mark.parametrize("name, of, wrong", [
    ("linalg_det", "A", spoilt_det), ("linalg_inv", "A", spoilt_inverse), ("native_layer_norm", "input", spoilt_norm),
    ("softmax", "self", spoilt_softmax), ("scan", "self", spoilt_scan), ("eigh_lower", "A", spoilt_eigenvectors),
])
def test_a_plausible_mistake_is_refuted(monkeypatch, name, of, wrong):
    monkeypatch.setattr(enclosing, "text_of", lambda row, of: wrong)
    with pytest.raises(enclosing.Refuted, match="the formula has"):
        enclosing.prove(exports.ROWS[name], of)


@pytest.mark.parametrize("name, of, other", [
    ("softmax", "self", "log_softmax"), ("linalg_inv", "A", "cofactors"), ("cumprod", "self", "logcumsumexp")])
def test_a_meaning_of_another_row_is_noticed(monkeypatch, name, of, other):
    monkeypatch.setitem(enclosing.MEANINGS, name, lambda *given: enclosing.MEANINGS[other](*given[:2]))
    with pytest.raises(enclosing.Refuted, match="the meaning is not what the kernel computes"):
        enclosing.prove(exports.ROWS[name], of)


def test_a_meaning_of_a_step_is_noticed_where_it_is_used(monkeypatch):
    monkeypatch.setitem(stepping.MEANINGS, "softmax_backward", lambda d, y, dim: y * d)
    with pytest.raises(enclosing.Refuted, match="the formula has"):
        enclosing.prove(exports.ROWS["softmax"], "self")


# ------------------------------------------------------------------------------ what the proofs rest on


def test_dual_numbers_agree_with_power_series():
    """Arb's own truncated series are another way to the same slope."""
    def function(x, exp, sqrt, log):
        return exp(x * x) / (x + 3) - sqrt(x) * log(x + 1) + x ** 3 / 7 - (2 - x) * (1 / x)

    x = flint.arb(5) / 7
    series = function(flint.arb_series([x, 1], prec=2), *[getattr(flint.arb_series, name)
                                                          for name in ("exp", "sqrt", "log")])
    dual = function(duals.Number(flint.acb(x), flint.acb(1)), duals.Number.exp, duals.Number.sqrt, duals.Number.log)
    assert dual.value.real.overlaps(series[0]) and dual.slope.real.overlaps(series[1])
    assert float(dual.slope.real.rad()) < 1e-13 and dual.is_real()


@pytest.mark.parametrize("z", [3 + 4j, -1 + 2j, 0.5 - 1j])
def test_parts_of_complex_dual_numbers(z):
    t, h = 2 - 1j, 1e-6
    x = duals.Number(flint.acb(z), flint.acb(t))
    for function, numeric in ((abs, abs), (duals.Number.angle, np.angle), (duals.Number.conjugate, np.conj),
                              (lambda x: x.imag, np.imag), (lambda x: x.real, np.real)):
        expected = (numeric(z + h * t) - numeric(z - h * t)) / (2 * h)
        np.testing.assert_allclose(complex(function(x).slope), expected, rtol=1e-8)


def test_a_kink_is_left_out():
    one = duals.Number(flint.acb(0), flint.acb(1))
    for function in (abs, duals.Number.sqrt, lambda x: max(x, duals.number(0)), lambda x: 1 / x):
        with pytest.raises(duals.Undecided):
            function(one)


def test_repeated_singular_values_have_no_vectors_to_differentiate():
    with pytest.raises((AssertionError, ZeroDivisionError)):
        decompositions.svd(duals.along(duals.numbers(np.eye(2)), np.ones((2, 2))))


def test_an_implicit_function_is_enclosed():
    """The root of y^2 = a at a = 2, and its slope 1 / (2 y)."""
    a = duals.along(duals.numbers(np.array([2.0])), np.array([1.0]))
    with flint.ctx.workprec(duals.BITS):
        y, = decompositions.implicit(lambda a, y: [y[0] * y[0] - a[0]], [np.sqrt([2.0])], a)
        assert y[0].value.real.overlaps(flint.arb(2).sqrt()) and float(y[0].value.real.rad()) < 1e-40
        assert y[0].slope.real.overlaps(1 / (2 * flint.arb(2).sqrt())) and float(y[0].slope.real.rad()) < 1e-40


def test_a_linear_step_acts_by_its_matrix():
    x = np.arange(6.0).reshape(2, 3) + 1j
    balls = duals.numbers(x)
    found, = stepping.step(exports.ROWS["mean.dim"], [(x, balls), ((1,), (1,)), (False, False), (None, None)])
    third = sum(balls[0], duals.number(0)) / 3
    assert found[0].value.overlaps(third.value)
    np.testing.assert_allclose(complex(found[1]), x[1].mean())


def test_a_linear_step_whose_matrix_is_rounded_proves_nothing():
    with pytest.raises(stepping.Unproved, match="not one of fractions"):
        stepping.fraction(np.sqrt(2))


@pytest.mark.parametrize("name, of, rank", [("pinv_numbers", "self", 1), ("lstsq_rows", "A", 2)])
def test_a_matrix_that_is_singular_keeps_its_rank(name, of, rank):
    row = exports.ROWS[name]
    call, rng = next(enclosing.points(row, of))
    with enclosing.precisely():
        comparison = enclosing.Comparison(row, of, call, rng)
        comparison.check()
    step = call[of] + 1e-6 * comparison.t
    sizes = np.linalg.svd(step, compute_uv=False)
    assert np.linalg.matrix_rank(call[of]) == rank < min(step.shape) and sizes[rank] < 1e-9 < sizes[rank - 1]


def test_formulas_run_without_a_program():
    """``qr_rows`` cannot be traced; its text runs at a level, step by step."""
    assert not exports.ROWS["qr_rows"].traceable
    assert enclosing.prove(exports.ROWS["qr_rows"], "A") > 5

"""A derivation has the equations that one would write by hand, and each of them gives the numbers of the pass."""

import contextlib
import copy
import pickle
import random
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest

import minigrad as torch
from minigrad import viz
from minigrad.__main__ import main
from minigrad.nn import functional as F
from minigrad.notation import calls
from minigrad.notation.expressions import Cotangent, Item, Number, Tangent
from minigrad.ops.exports import ROWS
from minigrad.viz import derivation
from minigrad.viz.derivation import EveryStep
from tests import drawn
from tests.ops.calling import calls_of_rows, recorded_loss
from tests.random_programs.running import functions
from tests.random_programs.writing import LENGTH, write

LEVELS = 1, 2, 3

#: What forward mode has to refuse, as in test_program.py.
NOT_FORWARD = {"spectral_diagonal", "divided_by_use"}


def checked(loss, level=3):
    """The text of a derivation, without shapes, whose equations are all computed."""
    for each in LEVELS:
        for fold in (True, False):
            viz.derive(loss, level=each, fold=fold).check()
    lines = str(viz.derive(loss, level=level)).splitlines()
    return [line.rpartition("   [")[0].rstrip() for line in lines if line]


# ------------------------------------------------------------------------------ by hand

def test_two_layers_with_cross_entropy_are_twelve_lines():
    x, t = torch.randn(5, 4), torch.tensor([0, 1, 2, 1, 0])
    W, b = torch.randn(4, 8, requires_grad=True), torch.zeros(8, requires_grad=True)
    V, c = torch.randn(8, 3, requires_grad=True), torch.zeros(3, requires_grad=True)
    with viz.recording():
        y = x @ W + b
        h = torch.relu(y)
        z = h @ V + c
        loss = F.cross_entropy(z, t)
    assert checked(loss) == [
        "y = x @ W + b", "h = relu(y)", "z = h @ V + c", "loss = cross_entropy(z, t)",
        "∇loss = 1", "z̅ = (softmax(z, 1) - onehot(t)) / 5", "c̅ = Σᵢ z̅ᵢⱼ", "V̅ = hᵀ @ z̅", "h̅ = z̅ @ Vᵀ",
        "y̅ = h̅ if h > 0 else 0", "b̅ = Σᵢ y̅ᵢⱼ", "W̅ = xᵀ @ y̅"]


def test_levels():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        p = x.exp() / x.exp().sum()
        loss = (p * p).sum() + x.sum()
    assert checked(loss)[:2] == ["p = softmax(x, 0)", "loss = sum(p²) + sum(x)"]
    assert checked(loss, 2)[0] == "p = exp(x) / sum(exp(x))"
    assert checked(loss, 1)[:4] == ["v₁ = exp(x)", "v₂ = exp(x)", "v₃ = sum(v₂)", "p = v₁ / v₃"]
    assert "p̅ = 2 * p" in checked(loss)


def test_parameters_of_a_sequential_have_names():
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    x = torch.randn(5, 4)
    with viz.recording():
        loss = model(x).sum()
    lines = checked(loss)
    assert lines[0] == "loss = sum(tanh(x @ layer0.weightᵀ + layer0.bias) @ layer2.weightᵀ + layer2.bias)"
    assert lines[-1] == "∇layer0.weight = v̅₂ᵀ @ x"


def test_parameters_of_a_layer_have_the_name_of_its_variable():
    one, two, x = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1), torch.ones(3, 2)
    with viz.recording():
        y = two(one(x) * x)
        loss = (y * y).sum()
    assert checked(loss)[0] == "y = (x @ one.weightᵀ + one.bias) * x @ two.weightᵀ + two.bias"


def test_copies_and_views_of_views_are_left_out():
    a = torch.arange(6.).reshape(2, 3).requires_grad_()
    with viz.recording():
        y = a.T.contiguous().view(6).view(3, 2)
        z = a.T.contiguous().view(6)
        loss = (y * y).sum() + (z * z).sum()
    assert checked(loss)[:2] == ["y = aᵀ", "z = view(aᵀ, (6,))"]


def test_a_number_minus_a_tensor_is_a_difference():
    p = torch.tensor([.2, .7], requires_grad=True)
    with viz.recording():
        loss = (1 - p).log().sum() - torch.rsub(p, p * p, alpha=3).sum()
    assert checked(loss)[0] == "loss = sum(ln(1 - p)) - sum(p² - 3 * p)"


def test_a_scalar_is_written_before_a_difference():
    z, t, s = torch.randn(3, 2, requires_grad=True), torch.tensor([0, 1, 1]), torch.tensor(2., requires_grad=True)
    with viz.recording():
        part = s * s
        loss = (part * torch.nn.functional.cross_entropy(z, t)).exp()
    assert "z̅ = loss * part * (softmax(z, 1) - onehot(t)) / 3" in checked(loss)


def test_names_of_more_than_one_letter_stay_legible():
    assert [form(name).text() for name in ("z", "z₂", "h′₃", "loss", "x0") for form in (Cotangent, Tangent)] == [
        "z̅", "ż", "z̅₂", "ż₂", "h̅′₃", "ḣ′₃", "∇loss", "δloss", "∇x0", "δx0"]


def test_paths_that_meet_are_added():
    a = torch.tensor(3., requires_grad=True)
    with viz.recording():
        b = a * 2
        y = a * b + b
    assert checked(y) == ["b = 2 * a", "y = a * b + b", "y̅ = 1", "b̅ = 1 + a", "a̅ = b + 2 * b̅"]


def test_a_variable_that_changes_has_numbers():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        h = x * x
        h = h.sin()
        h.mul_(3)
        loss = h.sum()
    lines = checked(loss)
    assert lines[:4] == ["h = x²", "h₂ = sin(h)", "h₃ = 3 * h₂", "loss = sum(h₃)"]
    assert lines[-1] == "x̅ = 2 * h̅ * x"


# ------------------------------------------------------------------------------ SymPy

@pytest.mark.parametrize("f, result, gradient", [
    (lambda x: torch.sin(x) ** 2 + torch.cos(x) ** 2, "1", "0"),
    (lambda x: torch.log(torch.exp(x) * x) - torch.log(x), "x", "1"),
    (lambda x: x * x * x * 0.5, "x³ / 2", "3 * x² / 2"),
    (lambda x: (x ** 2 - 1) / (x - 1), "1 + x", "1")])
def test_scalars_by_algebra(f, result, gradient):
    pytest.importorskip("sympy")
    made = viz.derive(f, torch.tensor(0.7), sympy=True)
    made.check()
    assert {*made.forward[0].expression.text()} == {*result}            # SymPy's order of terms is its own
    assert made.backward[-1].expression.text() == gradient
    assert made.at(3).sympy and "sin" in str(viz.derive(torch.sin, torch.tensor(0.7), sympy=True))


def test_algebra_that_gives_other_numbers_is_dropped(monkeypatch):
    pytest.importorskip("sympy")
    made = viz.derive(lambda x: (x ** 2 - 1) / (x - 1), torch.tensor(1.), sympy=True)       # 0 / 0, where algebra has 2
    assert str(made.forward[0]) == "result = (x² - 1) / (x - 1)"
    monkeypatch.setattr(derivation, "shortened", lambda x: Number("3"))
    wrong = viz.derive(lambda x: torch.sin(x) * x, torch.tensor(0.7), sympy=True)
    wrong.check()
    assert "3" not in str(wrong)


def test_without_sympy_an_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(RuntimeError, match="pip install sympy"):
        viz.derive(torch.sin, torch.tensor(1.), sympy=True)


# ------------------------------------------------------------------------------ writes to views

def test_a_write_to_a_view_makes_another_whole():
    a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    with viz.recording():
        x = a * 3
        v = x[0]
        v.mul_(2)
        y = (x * x).sum()
    assert checked(y) == ["x = 3 * a", "v = x[0]", "v₂ = 2 * v", "x₂ = x with x[0] ← v₂", "y = sum(x₂²)",
                          "y̅ = 1", "x̅₂ = 2 * x₂", "v̅₂ = x̅₂[0]", "x̅ = x̅₂ with x̅₂[0] ← 2 * v̅₂", "a̅ = 3 * x̅"]
    made = viz.derive(y)
    assert r"x_{2} &= x \text{ with } x_{[0]} \leftarrow v_{2}".replace("\\\\", "\\") in made.latex
    assert "&#xa0;with&#xa0;" in made._repr_html_()


def test_what_shows_the_same_memory_is_told_anew():
    a = torch.tensor([[1., 2., 5.], [3., 4., 6.]], requires_grad=True)
    with viz.recording():
        x = a * 3
        first, second, column = x[0], x[1], x[:, 1:]
        first.mul_(2)
        column.add_(1)
        y = (first * second).sum() + column.sum()
    lines = checked(y)
    assert lines[:10] == [
        "x = 3 * a", "first = x[0]", "first₂ = 2 * first", "x₂ = x with x[0] ← first₂", "column = x₂[:, 1:]",
        "column₂ = column + 1", "x₃ = x₂ with x₂[:, 1:] ← column₂", "first₃ = x₃[0]", "second = x₃[1]",
        "y = sum(first₃ * second) + sum(column₂)"]
    assert "(zeros((2, 3)) with ·[1] ← ∇second)" in lines[14]
    assert lines[-4:] == ["x̅₂ = x̅₃ with x̅₃[:, 1:] ← ∇column₂₂", "∇first₂ = x̅₂[0]",
                          "x̅ = x̅₂ with x̅₂[0] ← 2 * ∇first₂", "a̅ = 3 * x̅"]


def test_a_write_to_the_whole_reaches_its_views():
    a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    with viz.recording():
        x = a * 3
        v = x.T[0]
        x.mul_(2)
        y = (v * v).sum()
    assert checked(y)[:4] == ["x = 3 * a", "x₂ = 2 * x", "v = (x₂ᵀ)[0]", "y = sum(v²)"]


def test_rows_written_in_a_loop():
    W, h = torch.tensor([[.5, .1], [.2, .3]], requires_grad=True), torch.ones(2)
    with viz.recording():
        out = torch.zeros(50, 2)
        for t in range(50):
            h = torch.tanh(W @ h)
            out[t] = h
        loss = (out * out).sum()
    lines = checked(loss)
    assert lines[1:4] == ["    hₜ = tanh(W @ hₜ₋₁)", "    outₜ = outₜ₋₁ with outₜ₋₁[t - 1] ← hₜ", "loss = sum(out₅₀²)"]
    assert len(lines) < 12


@pytest.mark.drawn
@pytest.mark.parametrize("write", [
    "x.T[0].add_(a[0, 0])", "x[:, 1:].mul_(a[:, :1])", "x.view(-1)[::2].copy_(a[0, 0])", "x.diagonal().sin_()",
    "x.unsqueeze(1)[1].zero_()", "x.detach().mul_(2)", "x[a > 2] = 1.", "x[0, 1:] = a[1, 1:]", "x[-1] = x[0]",
    "x.as_strided((2,), (2,), 1).mul_(3)", "x[1].as_strided((2,), (2,)).mul_(3)", "x.t_()[0].exp_()",
    "x[1].as_strided_((2,), (1,), 0).sin_()", "x.t().as_strided((3,), (1,), 2).mul_(a[0])",
    "x[0][1].pow_(2)", "x.unsqueeze_(0)[0, 1].mul_(3)"])
def test_writes(write):
    a = torch.arange(1., 7.).reshape(2, 3).requires_grad_()
    with viz.recording():
        x = a * 1.5
        before = x[1]
        exec(write, {"x": x, "a": a})
        loss = (x * x).sum() + before.sum()
    checked(loss)
    for level in LEVELS:
        viz.derive(loss, level=level, mode="forward").check()
    viz.code(loss), viz.code(loss, mode="forward")


def test_writes_to_parts_of_complex_numbers():
    a = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    with viz.recording():
        x = a * 2
        x.imag.mul_(3)
        x.real[0] = 5.
        loss = (x * x.conj()).real.sum()
    checked(loss)


def test_as_strided_reads_what_lies_around_a_part():
    a = torch.arange(1., 7.).reshape(2, 3).requires_grad_()
    with viz.recording():
        x = a * 1.5
        y = x[1].as_strided((2, 2), (3, 1), 1)
        loss = (y * y).sum()
    assert checked(loss)[:2] == ["x = a * 1.5", "y = as_strided(x, (2, 2), (3, 1), 1, (3, 1), 0)"]
    v = torch.arange(1., 7.).reshape(2, 3)[1].requires_grad_()
    with viz.recording():
        loss = (v.as_strided((2,), (3,), 0) * v[0]).sum()
    with pytest.raises(RuntimeError, match="as_strided reads"):
        viz.derive(loss)


def test_a_gradient_that_goes_to_two_views_reaches_each():
    a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    b = torch.tensor([[5., 6.], [7., 8.]], requires_grad=True)
    with viz.recording():
        x, y = a * 2, b * 3
        u, v = x[1], y[:, 0]
        x.add_(1), y.add_(1)
        loss = (u + v).sum()
    assert [line for line in checked(loss) if "with" in line] == [
        "y̅₂ = zeros((2, 2)) with ·[:, 0] ← v̅", "x̅₂ = zeros((2, 2)) with ·[1] ← u̅"]


@pytest.mark.parametrize("write", ["x[0] = 5.", "x[x > 4] = 1.", "x[[1]] = a[:1]", "x[:, 1] = a[:, 0]", "x[0] += 1"])
def test_writes_that_no_graph_knows_are_heard(write):
    a = torch.arange(1., 7.).reshape(2, 3).requires_grad_()
    with viz.recording():
        x = a * 3
        with torch.no_grad():
            exec(write, {"x": x, "a": a})
        loss = (x * a).sum()
    assert "x₂ = " in str(viz.derive(loss))
    checked(loss)
    viz.code(loss)


def test_what_is_zero_keeps_its_shape_inside_a_function():
    x, at = torch.tensor([1., 2.], requires_grad=True), torch.tensor([0, 0, 1])
    with viz.recording():
        y = torch.index_select(x - x, 0, at)
        loss = (y * x[at]).sum()
    assert checked(loss)[0] == "y = index_select(expand(0, (2,)), 0, at)"


def test_two_passes_of_one_graph_with_a_write():
    a = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording() as written:
        x = a * 3
        x[0].mul_(2)
        loss = (x * x).sum()
        loss.backward(retain_graph=True)
        loss.backward(torch.tensor(2.))
    for one in written.passes:
        for level in LEVELS:
            EveryStep(written, one).at(level).check()


def test_a_part_at_another_place_is_noticed():
    a = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    with viz.recording():
        x = a * 3
        x[0] = a[1]
        loss = (x * x).sum()
    for part in ("forward", "backward"):
        made = viz.derive(loss)
        equations = getattr(made, part)
        (at,) = [i for i, each in enumerate(equations) if " with " in str(each)]
        inside = equations[at].expression
        equations[at] = replace(equations[at], expression=replace(inside, place=Item(inside.place.sequence, 1)))
        with pytest.raises(RuntimeError, match="gives other numbers"):
            made.check()


def test_many_steps_of_a_loop():
    W, h = torch.eye(2, requires_grad=True), torch.zeros(2)
    with viz.recording():
        for _ in range(150):
            h = torch.tanh(W @ h + 1)
        loss = h.sum()
    made = viz.derive(loss, fold=False)
    made.check()
    assert len(made.backward) > 150
    made = viz.derive(loss)
    made.check()
    assert [len(part) for part in (made.forward, made.backward)] == [2, 4]


def test_a_function_of_ones_own_is_told_by_its_backward():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x ** 3

        @staticmethod
        def backward(ctx, d):
            x, = ctx.saved_tensors
            return 3 * d * x ** 2

    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        y = Cube.apply(x)
        loss = (y * 2).sum()
    assert any(["x²" in line for line in checked(loss)])


def test_a_gradient_to_start_from_and_complex_numbers():
    x = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    with viz.recording():
        y = x * x * 1j
    v = torch.tensor([1., 2j])
    made = viz.derive(y, gradient=v)
    made.check()
    assert "conj(x)" in str(made) and "<mo>*</mo>" in made._repr_html_()


def test_a_second_derivative_is_another_pass():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        y = (x ** 3).sum()
        g, = torch.autograd.grad(y, x, create_graph=True)
        z = g.sum()
    for level in LEVELS:
        viz.derive(z, level=level).check()


# ------------------------------------------------------------------------------ rows and programs

def test_every_equation_of_every_row_gives_the_numbers_of_the_pass():
    met = set()
    for name in drawn.share([*calls_of_rows()]):
        for arguments in calls_of_rows()[name][:2]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    written, loss = recorded_loss(ROWS[name], arguments)
                    one = written.pass_of(loss) if loss is not None else None
                except (RuntimeError, TypeError, ValueError):   # such a call is there for its own errors
                    continue
                if one is not None:
                    steps = EveryStep(written, one)
                    for level in LEVELS:
                        steps.at(level).check()
                    steps.at(3, fold=False).check()
                    met.add(name)
    assert len(met) > 60


def test_every_tangent_of_every_row_gives_the_numbers_of_forward_mode():
    met = 0
    for name in drawn.share([name for name in calls_of_rows() if name not in NOT_FORWARD], one_in=6):
        with contextlib.suppress(RuntimeError, TypeError, ValueError), warnings.catch_warnings():   # as above
            warnings.simplefilter("ignore")
            _, loss = recorded_loss(ROWS[name], calls_of_rows()[name][0])
            told = [viz.derive(loss, level=level, mode="forward") for level in LEVELS] if loss is not None else []
        for made in told:
            made.check()
        met += len(told) == len(LEVELS)
    assert met > 40


def test_tangents_by_hand():
    x, w = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
    with viz.recording():
        y = x * w
        z = torch.sin(y) + 3
        loss = z.sum()
    made = viz.derive(loss, mode="forward")
    made.check()
    assert [str(each) for each in made.backward] == ["ẏ = ẋ * w + ẇ * x", "ż = ẏ * cos(y)", "δloss = sum(ż)"]
    assert r"\dot{y} &= \dot{x} \, w + \dot{w} \, x" in made.latex and "<mo>˙</mo>" in made._repr_html_()
    for fold in (True, False):
        viz.derive(loss, level=1, mode="forward", fold=fold).check()
    assert str(viz.derive(lambda x: x + 3, torch.tensor(2.), mode="forward").backward[0]) == "δresult = ẋ"


def test_a_wrong_tangent_is_noticed():
    made = viz.derive(lambda x: torch.sin(x) * x, torch.tensor([2., 1.]), gradient=None, mode="forward")
    made.check()
    made.backward[0] = replace(made.backward[0], expression=made.forward[0].expression)
    with pytest.raises(RuntimeError, match="gives other numbers"):
        made.check()


#: Programs that once were told wrongly: views by as_strided of parts and of what was transposed in place, one gradient
#: that two views get, a zero inside a function, a loop whose first rounds read what they do not make.
ALWAYS = [493, 701, 704, 978, 1065, 1339]


def test_random_programs():
    """A pass of any program is told, writes to views included."""
    told = through_views = 0
    for number in [*ALWAYS, *drawn.share(range(320), one_in=8)]:
        program = write(random.Random(f"code/{number}").randbytes(LENGTH))
        namespace = {"torch": torch, "seen": [], **functions(torch)}
        with warnings.catch_warnings(), np.errstate(all="ignore"), viz.recording() as written:
            warnings.simplefilter("ignore")
            for instruction in program.instructions:
                try:
                    exec(instruction.code, namespace)
                except Exception:                       # what a program may not do is another test's matter
                    pass
        for one in written.passes:
            if one.failed or one.roots[0] is None or not one.leaves:
                continue
            steps = EveryStep(written, one)
            for level in LEVELS:
                steps.at(level).check()
            steps.at(3, fold=False).check()
            told += 1
            through_views += any([" with " in str(each) for each in steps.forward])
    assert told > 10 and through_views > 1


def test_a_wrong_equation_is_noticed(monkeypatch):
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        loss = (x * x).sum()
    monkeypatch.setitem(calls.HERE, "mul", lambda quantities, *rest: Number("7"))
    with pytest.raises(RuntimeError, match="gives other numbers"):
        viz.derive(loss, level=1).check()


# ------------------------------------------------------------------------------ forms and errors

def test_latex_and_mathml():
    x = torch.tensor([1., 2.], requires_grad=True)
    made = viz.derive(lambda x: (x * x).sum(), x)
    assert r"\bar{x} &= 2 \, x \\" in made.latex
    assert made._repr_html_().count("<math") == len(made.forward + made.backward)
    assert repr(made).startswith("<Derivation of ")


def test_an_expression_on_the_command_line(capsys):
    assert main(["derive", "sin(x) * y + x", "x=1", "y=2"]) == 0
    assert "x̅ = 1 + y * cos(x)" in capsys.readouterr().out
    assert main(["derive", "x * x", "x=[1,2]", "--level", "7"]) == 2
    assert "--level is 1, 2 or 3, not '7'" in capsys.readouterr().err
    assert main(["derive", "x * x", "x=3", "--latex"]) == 0
    assert r"\bar{x} &= 2 \, x" in capsys.readouterr().out


def test_a_copy_has_its_own_lists_and_a_pickle_is_refused():
    made = viz.derive(lambda x: (x * x).sum(), torch.tensor([2., 1.]))
    for copied in (copy.copy(made), copy.deepcopy(made)):
        copied.check()
        assert str(copied) == str(made) and copied.at(1).forward
        copied.forward.clear()
    assert made.forward
    with pytest.raises(TypeError, match="a Derivation cannot be pickled: .* viz.code"):
        pickle.dumps(made)
    for make in (pickle.dumps, copy.deepcopy):
        with viz.recording() as written, pytest.raises(TypeError, match="a Recording cannot be pickled or copied"):
            make(written)


def test_what_cannot_be_told_is_refused():
    x = torch.tensor([1., 2.], requires_grad=True)
    with pytest.raises(RuntimeError, match="was not computed in a recording"):
        viz.derive((x * x).sum())
    with pytest.raises(TypeError, match="expected a Tensor or a function, not 'int'"):
        viz.derive(3)
    with pytest.raises(TypeError, match="must return a Tensor, and returned 'tuple'"):
        viz.derive(lambda x: (x, x), x)
    with pytest.raises(RuntimeError, match="mode is 'reverse' or 'forward', not 'both'"):
        viz.derive(lambda x: x.sum(), x, mode="both")
    with viz.recording():
        constant = torch.ones(2) * 3
    with pytest.raises(RuntimeError, match="constant has no tangent"):
        viz.derive(constant, mode="forward")
    with pytest.raises(RuntimeError, match="or 3 .simplified., not 4"):
        viz.derive(lambda x: x.sum(), x, level=4)
    with viz.recording():
        h = torch.cat([x, x])
        h.unfold(0, 2, 1).fill_(3.)
        loss = h.sum()
    with pytest.raises(RuntimeError, match=r"'h' is read after fill_ has written .* lie upon each other"):
        viz.derive(loss)


def test_a_batched_attention_head_is_what_one_writes_by_hand():
    seed = torch.Generator().manual_seed(0)
    x = torch.randn(2, 4, 8, generator=seed, dtype=torch.float64)
    Wq, Wk, Wv = [(torch.randn(8, 8, generator=seed, dtype=torch.float64) / 4).requires_grad_() for _ in range(3)]
    with viz.recording():
        q, k, v = x @ Wq, x @ Wk, x @ Wv
        s = q @ k.transpose(-2, -1) / 2
        a = torch.softmax(s, dim=-1)
        out = a @ v
        loss = out.pow(2).sum()
    assert checked(loss)[:13] == [
        "q = x @ Wq", "k = x @ Wk", "v = x @ Wv", "s = q @ kᵀ / 2", "a = softmax(s, -1)", "out = a @ v",
        "loss = sum(out²)", "∇loss = 1", "∇out = 2 * out", "a̅ = ∇out @ vᵀ", "s̅ = a * (a̅ - sum(a̅ * a, -1))",
        "v̅ = aᵀ @ ∇out", "∇Wv = view(x, (8, 8))ᵀ @ reshape(v̅, (8, 8))"]


def test_a_view_of_another_shape_stays():
    x, W = torch.ones(2, 3, 4), torch.ones(4, 5, requires_grad=True)
    with viz.recording():
        y = (x.reshape(6, 4) @ W).reshape(3, 2, 5)          # as many rows, but not those of x
        loss = (y * torch.ones(3, 2, 5)).sum()
    assert checked(loss)[0].startswith("y = view(view(x, (6, 4)) @ W")

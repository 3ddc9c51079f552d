"""What repeats in a pass is told once, and each equation gives the numbers of the pass in every round."""

from dataclasses import replace

import pytest

import minigrad as torch
from minigrad import viz
from minigrad.notation.expressions import Cotangent, Index, Indexed, Name, Series, substituted
from minigrad.viz import recurrences
from minigrad.viz.repetition import Step, repetitions
from tests.viz.loops import PROGRAMS, cell, layers, transformer, two_before

LEVELS = 1, 2, 3


def told(loss, **options):
    """The lines of a derivation without their shapes."""
    lines = str(viz.derive(loss, **options)).splitlines()
    return [line.rpartition("   [")[0].rstrip() or line for line in lines if line]


# ------------------------------------------------------------------------------ finding

def steps(text):
    """``a=f(b) c=g(a,2)`` as steps."""
    made = []
    for each in text.split():
        name, _, called = each.partition("=")
        form, _, given = called.rstrip(")").partition("(")
        given = [x for x in given.split(",") if x]
        made.append(Step(form, tuple([x for x in given if not x.isdecimal()]), (name,),
                         tuple([int(x) for x in given if x.isdecimal()])))
    return made


@pytest.mark.parametrize(("text", "found"), [
    ("a1=f(a0) a2=f(a1) a3=f(a2) b=g(a3)", [(0, 1, 3)]),                                   # carried
    ("a1=f(a0) b1=g(a1,x) a2=f(b1) b2=g(a2,x) a3=f(b2) b3=g(a3,x)", [(0, 2, 3)]),          # and shared
    ("a1=f(w1) a2=f(w2) a3=f(w3)", [(0, 1, 3)]),                                           # its own
    ("a1=f(x,0) a2=f(x,2) a3=f(x,4) a4=f(x,6)", [(0, 1, 4)]),                              # even numbers
    ("c2=f(c1,c0) c3=f(c2,c1) c4=f(c3,c2) c5=f(c4,c3)", [(0, 1, 4)]),                      # from two before
    ("z=g(y) a1=f(a0) a2=f(a1) a3=f(a2) b1=g(a3) b2=g(b1) b3=g(b2)", [(1, 1, 3), (4, 1, 3)]),
    ("a1=f(a0) a2=f(a1)", []),                                                             # too few
    ("a1=f(x,0) a2=f(x,2) a3=f(x,3)", []),                                                 # uneven
    ("a1=f(a0) a2=f(a0) a3=f(a2)", []),                                                    # other wiring
    ("a1=f(w1) a2=f(v2) a3=f(w3)", []),                                                    # not called alike
    ("a1=f(w1) a2=f(w1) a3=f(w2)", []),                                                    # neither shared nor its own
    ("a1=f(b) a2=f(a1) a3=f(b) a4=f(a3)", []),
])
def test_blocks_are_folded_that_are_the_same_but_for_names(text, found):
    assert [(each.begin, each.period, each.times) for each in repetitions(steps(text), lambda x: x[0])] == found


def test_a_round_that_is_not_like_the_others_is_told_by_itself():
    W, h = torch.randn(3, 3, requires_grad=True), torch.zeros(2, 3)
    with viz.recording():
        for k in range(12):
            h = torch.tanh(h @ W) if k != 5 else torch.sin(h @ W)
        loss = h.sum()
    lines = told(loss)
    assert lines[:4] == ["for t = 1, …, 5:", "    hₜ = tanh(hₜ₋₁ @ W)", "h′₀ = sin(h₅ @ W)", "for t = 1, …, 6:"]
    assert lines[-1].count("Σₜ₌") == 2
    for level in LEVELS:
        viz.derive(loss, level=level).check()


def test_numbers_that_do_not_grow_evenly_are_not_folded():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        h = x
        for k in range(6):
            h = h * 2.5 ** k + 1
        loss = h.sum()
    made = viz.derive(loss)
    assert "for " not in str(made)
    made.check()


# ------------------------------------------------------------------------------ equations

@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.drawn
def test_every_round_of_every_equation_gives_the_numbers_of_the_pass(program):
    torch.manual_seed(0)
    loss = program()
    for level in LEVELS:
        made = viz.derive(loss, level=level)
        made.check()
        viz.derive(loss, level=level, fold=False).check()
        viz.derive(loss, level=level, mode="forward").check()
        assert len(str(made)) < 0.7 * len(str(viz.derive(loss, level=level, fold=False)))
        assert any([isinstance(each, viz.Recurrence) for each in made.forward])
        assert any([isinstance(each, viz.Recurrence) for each in made.backward])


def test_a_recurrent_cell():
    assert told(cell(200)) == [
        "for t = 1, …, 200:", "    zₜ = x[t - 1] @ U + hₜ₋₁ @ W + b", "    hₜ = tanh(zₜ)", "loss = sum(h₂₀₀²)",
        "∇loss = 1", "h̅₂₀₀ = 2 * h₂₀₀", "z̅₂₀₀ = h̅₂₀₀ * (1 - h₂₀₀²)",
        "for t = 199, …, 1:", "    h̅ₜ = z̅ₜ₊₁ @ Wᵀ", "    z̅ₜ = h̅ₜ * (1 - hₜ²)",
        "b̅ = Σₜ₌₁²⁰⁰ Σᵢ (z̅ₜ)ᵢⱼ", "W̅ = Σₜ₌₁²⁰⁰ hₜ₋₁ᵀ @ z̅ₜ", "U̅ = Σₜ₌₁²⁰⁰ x[t - 1]ᵀ @ z̅ₜ"]


def test_tangents_are_recurrences_too():
    assert told(two_before(), mode="forward") == [
        "for t = 2, …, 21:", "    bₜ = bₜ₋₂ * 0.5 + sin(bₜ₋₁)", "loss = sum(b₂₀ * b₂₁)",
        "for t = 2, …, 21:", "    ḃₜ = ḃₜ₋₂ * 0.5 + ḃₜ₋₁ * cos(bₜ₋₁)", "δloss = sum(ḃ₂₀ * b₂₁ + ḃ₂₁ * b₂₀)"]


def test_what_is_carried_over_two_rounds():
    assert told(two_before())[:2] == ["for t = 2, …, 21:", "    bₜ = bₜ₋₂ * 0.5 + sin(bₜ₋₁)"]
    assert "    b̅ₜ = b̅ₜ₊₂ * 0.5 + b̅ₜ₊₁ * cos(bₜ)" in told(two_before())


def test_two_rounds_may_begin_with_the_same():
    s = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        h = [s, s]
        for _ in range(3):
            h.append(torch.sin(h[-2]))
        loss = (h[-1] * h[-2]).sum()
    made = viz.derive(loss, level=1)
    made.check()
    assert told(loss, level=1)[:3] == ["h₁ = h₀", "for t = 2, 3, 4 (hₜ₋₂: s, s, h_2):", "    hₜ = sin(hₜ₋₂)"]


def test_layers_are_told_for_each_layer():
    lines = told(layers())
    assert lines[:2] == ["for l = 1, …, 12 (weightₗ, biasₗ of layer0, …, layer22):",
                         "    vₗ = tanh(vₗ₋₁ @ weightₗᵀ + biasₗ)"]
    assert "    ∇biasₗ = Σᵢ (v̅ₗ)ᵢⱼ" in lines and "    ∇weightₗ = v̅ₗᵀ @ vₗ₋₁" in lines
    lines = told(transformer())
    assert "for l = 1, …, 4 (norm1.weightₗ, …, down.biasₗ of blocks.0, …, blocks.3):" in lines
    assert "for l = 4, …, 1:" in lines


def test_of_two_loops_the_outer_one_is_told():
    weights = [(torch.eye(2) * (1 + k)).requires_grad_() for k in range(5)]
    x = torch.ones(3, 2)
    with viz.recording():
        for _ in range(4):
            for W in weights:
                x = torch.tanh(x @ W)
        loss = x.sum()
    lines = told(loss)
    assert lines[:3] == ["for t = 1, …, 4:", "    xₜ = tanh(x′′′′ₜ₋₁ @ W)", "    x′ₜ = tanh(xₜ @ W₂)"]
    assert "W̅₂ = Σₜ₌₁⁴ xₜᵀ @ (x̅′ₜ * (1 - x′ₜ²))" in lines
    for level in LEVELS:
        viz.derive(loss, level=level).check()


def test_a_last_round_that_is_told_by_itself_has_the_number_of_its_gradient():
    cell, h = torch.nn.GRUCell(3, 4), torch.zeros(2, 4)
    with viz.recording():
        for x in torch.randn(6, 2, 3):
            h = cell(x, h)
        loss = (h * h).sum()
    lines = told(loss)
    assert "loss = sum(h₆²)" in lines and "h̅₆ = 2 * h₆" in lines


def test_what_one_call_has_returned_is_not_folded():
    x = torch.tensor([1., 2., 3., 4.], requires_grad=True)
    with viz.recording():
        a, b, c, d = x.split(1)
        loss = a * b * c * d
    assert "for " not in str(viz.derive(loss))


def test_an_index_has_a_letter_that_the_program_has_not():
    s, t = torch.tensor(2., requires_grad=True), torch.tensor(3.)
    with viz.recording():
        for _ in range(5):
            s = (s * t).sin()
    assert told(s)[:2] == ["for r = 1, …, 5:", "    sᵣ = sin(sᵣ₋₁ * t)"]


def test_what_a_loop_starts_with_may_have_another_name():
    x = torch.tensor([1., 2.], requires_grad=True)
    with viz.recording():
        a, b = x, x
        for _ in range(6):
            a, b = a.sin() + b, b.cos()
        loss = (a * b).sum()
    for level in LEVELS:
        made = viz.derive(loss, level=level)
        made.check()
        assert "for t = " in str(made)


# ------------------------------------------------------------------------------ forms

def test_latex_and_mathml_of_recurrences():
    made = viz.derive(cell())
    assert r"&\text{for } t = 1, \ldots, 24\colon \\" in made.latex
    assert r"\quad \overline{h_{t}} &= \overline{z_{t+1}} \, W^{\top} \\" in made.latex
    assert r"\bar{W} &= \sum_{t=1}^{24} h_{t-1}^{\top} \, \overline{z_{t}} \\" in made.latex
    page = made._repr_html_()
    assert "<munderover><mo>∑</mo>" in page
    assert "<msub><mi>h</mi><mrow><mi>t</mi><mo>−</mo><mn>1</mn></mrow></msub>" in page
    assert page.count("<tr>") == page.count("</tr>") == 3 + 8 + 2
    assert repr(made).startswith("<Derivation of 3 + 8 equations")
    assert r"\mathrm{weight}_{l}, \mathrm{bias}_{l}\text{ of layer0, \ldots, layer22}" in viz.derive(layers()).latex


def test_an_index_as_text():
    assert [Index("t", slope, offset).text() for slope, offset in [(1, 0), (1, -1), (-1, 4), (2, 1)]] == [
        "t", "t - 1", "-t + 4", "2 * t + 1"]
    assert Indexed(Name("h"), Index("t", 2, -1)).text() == "h₂ₜ₋₁"
    assert Indexed(Cotangent("h"), Index("l", 1, 3)).at(4) == Cotangent("h₇")
    assert Series(Index("t"), "t", 3, 1).text() == "Σₜ₌₁³ t" and [*Series(Index("t"), "t", 3, 1).numbers] == [3, 2, 1]


# ------------------------------------------------------------------------------ planted faults

def test_a_wrong_index_in_a_sum_is_noticed(monkeypatch):
    right = recurrences.index_of

    def shifted(own, numbers, symbol):
        index = right(own, numbers, symbol)
        return replace(index, offset=0) if index.offset == -1 else index

    loss = cell()
    made = viz.derive(loss)
    monkeypatch.setattr(recurrences, "index_of", shifted)
    wrong = viz.derive(loss)
    made.backward[-2] = wrong.backward[-2]
    assert "W̅ = Σₜ₌₁²⁴ hₜᵀ @ z̅ₜ" in str(made)
    with pytest.raises(RuntimeError, match="gives other numbers"):
        made.check()


def test_a_wrong_index_in_a_recurrence_is_noticed():
    made = viz.derive(cell())
    (at, rounds), = [(i, each) for i, each in enumerate(made.backward) if isinstance(each, viz.Recurrence)]
    first, second = rounds.equations
    late = Indexed(Name("h"), Index("t", 1, -1))
    wrong = replace(second, expression=substituted(second.expression, {Indexed(Name("h"), Index("t")): late}))
    assert wrong.expression.text() == "h̅ₜ * (1 - hₜ₋₁²)"
    made.backward[at] = replace(rounds, equations=(first, wrong))
    with pytest.raises(RuntimeError, match=r"at t = 23 gives other numbers"):
        made.check()

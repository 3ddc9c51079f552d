"""A program with loops computes the same numbers as its single lines, bit for bit."""

import random

import numpy as np
import pytest

import minigrad as torch
from minigrad import viz
from minigrad.viz import loops as written
from tests import drawn
from tests.viz.loops import PROGRAMS, cell, layers, random_loop, run_random_loop, transformer, two_before
from tests.viz.test_program import run_alone


def code(program):
    """The lines of a program, or of its loops, without comments and blank lines."""
    return [line for line in str(program).splitlines() if line.strip() and not line.strip().startswith("#")]


def same(loss, mode="reverse"):
    """The program with loops, whose results are those of the one without."""
    plain, program = viz.code(loss, mode=mode, fold=False), viz.code(loss, mode=mode)
    expected, names = plain.run(), program.run()
    for (label, name), (also, folded) in zip(plain.results, program.results, strict=True):
        assert label == also and np.asarray(expected[name]).tobytes() == np.asarray(names[folded]).tobytes(), label
    return plain, program


@pytest.mark.drawn
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_loops_compute_the_same_bits(program):
    torch.manual_seed(0)
    plain, folded = same(program())
    assert len(code(folded)) < 0.75 * len(code(plain))
    assert sum([line.startswith("for ") for line in code(folded)]) >= 2


def test_random_loops():
    """Derivations and programs of random loops: each equation, each result and each gradient."""
    loops = 0
    for number in drawn.share(range(200), one_in=20):
        loss = run_random_loop(random_loop(random.Random(f"loop/{number}")))
        if not loss.requires_grad:
            continue
        _, program = same(loss)
        loops += any([line.startswith("for ") for line in code(program)])
        for level in (1, 2, 3):
            viz.derive(loss, level=level).check()
    assert loops > 4


def test_a_recurrent_cell_is_two_loops():
    _, program = same(cell())
    lines = code(program)
    assert [line for line in lines if line.startswith("for ")] == ["for t in range(24):", "for t in range(22, 0, -1):"]
    assert "all_h = [h]" in lines and "    all_h.append(h)" in lines and "    h = np.tanh(z)" in lines
    assert "    d_z_23 = d_h_24 * (1 - all_h[t + 1] * all_h[t + 1])" in lines
    assert "# AccumulateGrad: d_W is the gradient of W" in str(program)


def test_each_layer_has_its_own_weights():
    _, program = same(layers())
    text = str(program)
    assert "all_weight = [layer0_weight, layer2_weight," in text and "t = all_weight[k].T" in text
    assert "    # AccumulateGrad: d_weight is the gradient of 22…2.weight" in text
    assert dict(program.results)["gradient of 22.bias"] == "all_d_bias[11]"
    assert max(map(len, text.splitlines())) < 400                # but for the numbers of an input


def test_what_is_carried_over_two_rounds_comes_from_a_list():
    _, program = same(two_before())
    assert any(["all_add[t]" in line or "all_b[t]" in line for line in code(program)])


def test_writes_to_memory_stay_where_they_were():
    x, w = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 0.5], requires_grad=True)
    with viz.recording():
        h, total = x * 1, torch.zeros(2)
        for k in range(6):
            y = h * w
            y.add_(k)
            total.add_(y)
            h = y.cos()
        loss = (h * total).sum()
    _, program = same(loss)
    assert any([line.startswith("    total[...] = ") for line in code(program)])


def test_tangents_have_loops_too():
    loss = cell()
    _, program = same(loss, mode="forward")
    assert "for t in range(" in str(program)


def test_a_program_with_loops_needs_numpy_alone(tmp_path):
    torch.manual_seed(0)
    loss = transformer(3)
    program = viz.code(loss)
    assert "for " in str(program)
    printed = run_alone(program, tmp_path)
    assert float(printed.partition("loss = ")[2].split()[0]) == pytest.approx(loss.item(), rel=1e-6)


def test_a_wrong_place_is_noticed(monkeypatch):
    """The program that is handed out has been run: if a loop reads another round's numbers, that is noticed."""
    right = written.Loop.index_of
    monkeypatch.setattr(written.Loop, "index_of",
                        lambda self, numbers, first=0: right(self, numbers, first).replace(" + 1", ""))
    with pytest.raises(RuntimeError, match="gives another gradient"):
        viz.code(cell())

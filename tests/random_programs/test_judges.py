"""The judges of random programs: what they say of programs of which the answer is known, and of libraries that are
wrong."""

import random

import numpy as np
import pytest

import minigrad

from .counting import MUST_OCCUR, Counts
from .examining import examine, shortest
from .judging import compare, judge
from .known import PYTORCH_IS_SILENT, PYTORCH_REFUSES
from .plain import Library, Refused
from .program import Instruction, Program, Question
from .running import Failure, run
from .writing import LENGTH, write


def program(*lines, leaves=("x0",), of="loss9"):
    ask = Instruction(f"g10 = torch.autograd.grad({of}, [{', '.join(leaves)}])", Question("grad", of, leaves))
    return Program([*map(Instruction, lines), ask])


X = "x0 = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64, requires_grad=True)"


# ------------------------------------------------------------------- what minigrad must get right, and PyTorch does not

@pytest.mark.parametrize("name", [*PYTORCH_IS_SILENT, *PYTORCH_REFUSES])
def test_minigrad_is_right_where_pytorch_is_not(name):
    known = (PYTORCH_IS_SILENT | PYTORCH_REFUSES)[name]
    done = run(known, minigrad)
    verdict = judge(known, done)
    assert not any(done.failures) and not verdict.wrong and verdict.gradients == 1


@pytest.mark.parity
@pytest.mark.parametrize("name", PYTORCH_IS_SILENT)
def test_pytorch_is_still_silently_wrong(name):
    known = PYTORCH_IS_SILENT[name]
    done = run(known, pytest.importorskip("torch"))
    assert not any(done.failures) and "a wrong gradient" in judge(known, done).wrong


@pytest.mark.parity
@pytest.mark.parametrize("name", PYTORCH_REFUSES)
def test_pytorch_still_refuses(name):
    assert any(run(PYTORCH_REFUSES[name], pytest.importorskip("torch")).failures)


def test_a_refusal_between_the_two_writes_of_a_statement_is_not_judged():
    """The base shows less of its memory than the view, which is not read anew after the first of them."""
    known = program(X, "c1 = torch.tensor([1., 2., 3., 4.], dtype=torch.float64)", "v2 = c1[1:]",
                    "with torch.no_grad():\n    c1.as_strided_((2,), (2,))", "v3 = v2.narrow(0, 1, 2)",
                    "loss9 = x0.sum() + ((v2 + x0) * 1.5).sum()", "v3[0] += loss9")
    done = run(known, minigrad)
    assert done.failures[6].reason == "outside"
    verdict = judge(known, done)
    assert not verdict.wrong and "two writes" in verdict.undecided


# ------------------------------------------------------------------------------ gradients in one memory

def test_leaves_must_not_share_the_memory_of_their_gradients():
    done = run(known := program(X, "c1 = x0.detach().clone().requires_grad_()", "loss9 = (x0 + c1).sum()",
                                leaves=("x0", "c1")), minigrad)
    assert not done.shared and not judge(known, done).wrong
    done = run(Program([*known.instructions, Instruction("x0.grad = torch.ones(3, dtype=torch.float64)"),
                        Instruction("c1.grad = x0.grad[:]")]), minigrad)
    assert done.shared == [("x0", "c1")]
    assert "in one memory" in judge(known, done).wrong


# ------------------------------------------------------------------------------ the plain library

def differences(text, **names):
    """What the plain library says of the derivative of ``loss`` in direction ``x0.history.direction``."""
    lib = Library([(0, 1e-6), (0, -1e-6)])
    namespace = {"torch": lib, **names}
    exec(X + "\n" + text, namespace)
    plus, minus = namespace["loss"].tangents
    return float(plus - minus) / 2e-6, namespace["x0"].history.direction


@pytest.mark.parametrize(
    ("text", "gradient"),
    [
        ("loss = (x0 * x0).sum()", [1, 3, 5]),
        ("y = x0 * 2; y[1:] = 7; loss = y.sum()", [2, 0, 0]),
        ("y = x0 * 2; v = y[1:]; v.mul_(x0[1:]); loss = y.sum()", [2, 6, 10]),
        ("y = x0 * 2; d = y.detach(); d.mul_(3); loss = (y * y).sum()", [12, 36, 60]),
        ("y = x0.detach() * x0; loss = y.sum()", [0.5, 1.5, 2.5]),
        ("y = x0 * 2\nwith torch.no_grad():\n    y.mul_(2)\nloss = (y * y).sum()", [8, 24, 40]),
        ("y = x0 * 2; y.register_hook(lambda g: g * 3); loss = y.sum()", [6, 6, 6]),
        ("with torch.no_grad():\n    v = x0[:2]\nloss = v.sum() + x0.sum()", [1, 1, 1]),
    ],
)
def test_tangents_are_what_autograd_believes(text, gradient):
    change, direction = differences(text)
    assert change == pytest.approx(float(np.dot(gradient, direction)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x0.mul_(2)", "leaf"),
        ("x0[0] = 1", "view of a leaf"),
        ("a, b, c = (x0 * 1).unbind(); a.mul_(2)", "several views"),
        ("y = x0 * 1\nwith torch.no_grad():\n    v = y[:2]\nv.mul_(2)", "view made in no_grad"),
        ("y = x0 * 1\nwith torch.no_grad():\n    v = y[:2]\ny.mul_(2)\nv * 2", "stale view"),
        ("y = (x0 * 1).expand(2, 3); y.mul_(2)", "overlaps itself"),
        ("y = x0 * 1; y[1:].mul_(y[:-1])", "overlap"),
        ("y = x0 * 1; y.mul_(torch.tensor([1j]))", "cast"),
        ("y = x0 * 1; y.mul_(torch.tensor([[1.0], [1.0]]))", "shape"),
    ],
)
def test_the_plain_library_refuses(text, why):
    with pytest.raises(Refused, match=f"^{why}$"):
        differences(text)


def test_a_write_to_the_same_elements_with_others_between_them_is_not_judged():
    x = "x0 = torch.tensor([[0.5, 1.5], [2.5, 3.5]], dtype=torch.float64, requires_grad=True)"
    p = program(x, "y1 = x0.movedim(0, -1) * 2", "v2 = y1[None, 0]", "v3 = v2.narrow(0, 0, 1)",
                "v3[torch.tensor([0])] = v2", "loss9 = y1.sum()")
    done = run(p, minigrad)
    assert done.failures[4] is None and judge(p, done).undecided.startswith("the same elements")


def test_which_of_two_reasons_a_write_is_refused_for_does_not_matter():
    p = program(X, "y = x0 * torch.tensor(1j)", "v = x0.expand(2, 3).detach()", "v[0].add_(y)",
                "loss9 = x0.sum()")
    done = run(p, minigrad)
    assert "was expanded or cut into overlapping windows" in done.failures[3].message      # and would be cast
    assert not judge(p, done).wrong


# ------------------------------------------------------------------------------ they notice

def test_a_wrong_gradient_is_noticed():
    p = program(X, "loss9 = (x0 * x0).sum()")
    done = run(p, minigrad)
    assert not judge(p, done).wrong
    done.gradients[-1]["x0"] += [0, 0.01, 0]
    assert "a wrong gradient: along a random direction the loss changes by" in judge(p, done).wrong


def test_a_wrong_second_derivative_is_noticed():
    lines = [Instruction(X), Instruction("loss9 = (x0 * x0 * x0).sum()")]
    ask = Instruction("g10 = torch.autograd.grad(loss9, [x0], create_graph=True)", Question("grad", "loss9", ("x0",)))
    again = Instruction("g11 = torch.autograd.grad(g10[0].sum(), [x0])", Question("second", "loss9", ("x0",)))
    p = Program([*lines, ask, again])
    done = run(p, minigrad)
    assert not judge(p, done).wrong
    done.gradients[-1]["x0"][1] *= 1.1
    assert "a wrong gradient" in judge(p, done).wrong


def test_a_wrong_retained_gradient_is_noticed():
    p = program(X, "y1 = x0 * 2", "y1.retain_grad()", "y1.mul_(3)", "loss9 = (y1 * y1).sum()")
    done = run(p, minigrad)
    assert not judge(p, done).wrong
    done.end["y1"]["grad"] = done.end["y1"]["grad"] * 3
    assert "a wrong gradient" in judge(p, done).wrong and "y1" in judge(p, done).wrong


def test_wrong_values_and_versions_are_noticed():
    p = program(X, "y1 = x0 * 2", "y1.mul_(3)", "loss9 = y1.sum()")
    done = run(p, minigrad)
    done.states[2]["y1"] = (2, done.states[2]["y1"][1])
    assert judge(p, done).wrong == "instruction 2, 'y1.mul_(3)': y1._version is 2, and 1 writes happened"
    done.states[2]["y1"] = (1, np.zeros(3))
    assert ("y1 holds\n[0. 0. 0.]\ninstead of\n[3. 9. 15.]".replace("[3.", "[ 3.").replace(" 9.", "  9.") in judge(
        p, done).wrong)


def test_refusals_that_are_missing_or_too_many_are_noticed():
    p = program(X, "x0.mul_(2)", "loss9 = x0.sum()")
    done = run(p, minigrad)
    assert done.failures[1].reason == "leaf" and not judge(p, done).wrong
    done.failures[1] = None
    assert "must be refused (leaf), and was not" in judge(p, done).wrong
    done = run(p, minigrad)
    done.failures[2] = Failure(RuntimeError, "no")
    assert "raised RuntimeError: no" in judge(p, done).wrong


PASS = Instruction("loss9.backward()", Question("backward", "loss9", ("x0",)))
RETAINED_OTHERWISE = {
    "in the shape of the base": [
        "x0 = torch.tensor([1. + 1.j, 2., 3.j], dtype=torch.complex128, requires_grad=True)", "v1 = (x0 * x0).real",
        "v1.unsqueeze_(0)", "v1.grad_fn", "v1.retain_grad()", "v2 = v1[0]", "v2[1:] = -1.5", "loss9 = v1.sum()"],
    "without what was retained of the old value": [
        X, "y1 = x0 * 2", "y1.retain_grad()", "v2 = y1[1:]", "loss9 = y1.sum()",
        Instruction("loss9.backward(retain_graph=True)", Question("backward", "loss9", ("x0",))),
        "Doubled.apply(y1)", "y1.retain_grad()", "loss9 = (y1 * x0).sum()"]}


@pytest.mark.parity
@pytest.mark.parametrize("how", RETAINED_OTHERWISE)
def test_what_pytorch_retains_otherwise_is_not_compared(how):
    lines = [Instruction(line) if isinstance(line, str) else line for line in RETAINED_OTHERWISE[how]]
    p, torch = Program([*lines, PASS]), pytest.importorskip("torch")
    mine, theirs = run(p, minigrad), run(p, torch)
    name = "v1" if "v1" in mine.end else "y1"
    retained, other = mine.end[name]["grad"], theirs.end[name]["grad"]
    assert retained.shape != other.shape or not np.allclose(retained, other)
    assert not compare(p, mine, theirs).wrong


def test_differences_from_another_library_are_noticed():
    p = program(X, "y1 = x0 * 2", "y1.register_hook(lambda g: seen.append(g.clone()))", "y1.mul_(3)",
                "loss9 = y1.sum()")
    theirs = run(p, minigrad)
    assert not compare(p, run(p, minigrad), theirs).wrong
    for change in (
        lambda mine: mine.states[3].update(y1=(0, mine.states[3]["y1"][1])),
        lambda mine: mine.states[3].update(y1=(1, mine.states[3]["y1"][1] + 1)),
        lambda mine: mine.gradients[-1].update(x0=None),
        lambda mine: mine.end["y1"].update(grad_fn="AddBackward0"),
        lambda mine: mine.end["y1"].update(is_leaf=0),
        lambda mine: mine.end["x0"].update(grad=np.ones(3)),
        lambda mine: mine.seen.clear(),
        lambda mine: mine.failures.__setitem__(3, Failure(RuntimeError, "no")),
    ):
        mine = run(p, minigrad)
        change(mine)
        assert compare(p, mine, theirs).wrong
    theirs.failures[3] = Failure(RuntimeError, "one of the variables needed for gradient computation has been modified "
                                               "by an inplace operation")
    assert compare(p, run(p, minigrad), theirs).only_torch_refused == "modified"


# ------------------------------------------------------------------------------ programs

def some_programs(n):
    return [write(random.Random(seed).randbytes(LENGTH)) for seed in range(n)]


@pytest.mark.filterwarnings("ignore")           # as when they are compared
def test_what_is_printed_runs():
    for p in some_programs(20):
        if not any(run(p, minigrad).failures):
            exec(str(p).replace("import torch\n", ""), {"torch": minigrad})


def test_zeros_are_the_simplest_program():
    assert len(write(bytes(LENGTH))) <= 6


def test_a_failing_program_becomes_short():
    """Only what is needed stays: what the write writes to, and what that was made of."""
    found = next(p for p in some_programs(50) if ".exp_()" in str(p))
    short = shortest(found, lambda p: ".exp_()" in str(p) and not examine(p, minigrad).wrong)
    assert len(short) < len(found) / 2 and not [i for i in short.instructions if i.asks]
    assert not any([f and f.reason == "NameError" for f in run(short, minigrad).failures])


def test_without_a_tensor_nobody_asks_for_its_gradient():
    p = program(X, "x1 = x0.detach().requires_grad_()", "loss9 = x0.sum()", leaves=("x0", "x1"))
    assert str(p.without({1})).splitlines()[-1] == "g10 = torch.autograd.grad(loss9, [x0])"


def test_what_is_too_rare_is_named():
    counts = Counts()
    for i in range(100):
        counts.add([feature for k, feature in enumerate(MUST_OCCUR) if i < 3 + k])
    assert counts.too_rare() == MUST_OCCUR[:2] and "3.0%  " + MUST_OCCUR[0] in str(counts)

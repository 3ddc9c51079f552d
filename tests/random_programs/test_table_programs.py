"""Random programs around the table: they do what differences, loops, the other mode and PyTorch say; and the judges
notice when they do not."""

import pytest

import minigrad
from tests import drawn

from .counting import Counts
from .examining import shortest
from .long_runs import KINDS, long_run
from .nested import Nested, Pass, Statement
from .table_judging import examine_table
from .table_running import run_table
from .table_writing import write_table

FEW = 60
X = "x0 = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64, requires_grad=True)"


def some_are_right(torch, seed):
    print(f"seed {seed}")
    failed, counts = long_run(range(FEW), seed, torch, kind="table")
    assert not failed, "see above; the same again: python -m tests.random_programs --kind table --seed " + str(seed)
    assert counts.programs == FEW and counts.share("a pass") > 0.5


def test_loops_differences_and_the_other_mode_agree():
    """Other programs with each commit, and the same ones wherever it is tested."""
    some_are_right(None, drawn.number_of_the_commit())


@pytest.mark.parity
def test_pytorch_agrees():
    """The same programs each time: of others, about one in two hundred differs in a way that no rule knows."""
    some_are_right(pytest.importorskip("torch"), 3)


@pytest.mark.parity
def test_a_pass_that_only_pytorch_refuses_may_free_here_what_a_later_one_needs():
    torch = pytest.importorskip("torch")
    program = Nested([
        Statement(X, leaf=True),
        Statement("y1 = torch.nn.functional.multilabel_margin_loss(x0, torch.tensor([1, 0, -1]))"),
        Statement("y2 = x0.sin()"),
        Statement("loss3 = y1 + (y2 * y2).sum()"),
        Statement("g4 = torch.autograd.grad(loss3, [x0], create_graph=True)", asks=Pass("loss3", ("x0",), "g4")),
        Statement("loss5 = g4[0].square().sum()"),
        Statement("g6 = torch.autograd.grad(loss5, [x0])", asks=Pass("loss5", ("x0",), "g6")),
        Statement("loss7 = y2.sum()"),
        Statement("g8 = torch.autograd.grad(loss7, [x0])", asks=Pass("loss7", ("x0",), "g8")),
    ])
    assert [[bool(outcome.failure) for outcome in run_table(program, library).outcomes[-3:]]
            for library in (minigrad, torch)] == [[False, False, True], [True, False, False]]
    assert not examine_table(program, minigrad, torch).wrong


# ------------------------------------------------------------------------------ they notice


def test_all_of_the_table_can_be_called():
    assert len(KINDS["table"].must_be_called) > 500


@pytest.fixture(scope="module")
def noticed():
    """A function that says what is found to be wrong with some programs, which were written before anything was."""
    programs = [write_table(f"noticed/{i}") for i in range(170)]
    return lambda: " ".join([examine_table(program, minigrad).wrong for program in programs])


def test_a_wrong_gradient_is_noticed(monkeypatch, noticed):
    grad = minigrad.autograd.grad
    monkeypatch.setattr(minigrad.autograd, "grad", lambda *args, **options: tuple(
        [g if g is None else g * 1.01 for g in grad(*args, **options)]))
    assert "a wrong gradient" in noticed()


@pytest.mark.drawn
def test_results_of_vmap_in_another_order_are_noticed(monkeypatch, noticed):
    vmap, tree_map = minigrad.vmap, minigrad.utils._pytree.tree_map
    monkeypatch.setattr(minigrad, "vmap", lambda f, **options: lambda *args: tree_map(
        lambda t: t.roll(1, -1) if t.ndim else t, vmap(f, **options)(*args)))
    assert "with a loop in place of vmap it is" in noticed()


@pytest.mark.drawn
def test_modes_that_disagree_are_noticed(monkeypatch, noticed):
    jvp = minigrad.func.jvp
    monkeypatch.setattr(minigrad.func, "jvp", lambda *args: (jvp(*args)[0], minigrad.utils._pytree.tree_map(
        lambda t: t * 1.01, jvp(*args)[1])))
    assert "with the other mode it is" in noticed()


@pytest.mark.drawn
def test_a_tangent_that_is_lost_is_noticed(monkeypatch, noticed):
    forward_ad = minigrad.autograd.forward_ad
    monkeypatch.setattr(forward_ad, "unpack_dual", lambda t: forward_ad.UnpackedDualTensor(t, None))
    assert "is None\nwith" in noticed()


@pytest.mark.drawn
def test_modes_that_are_wrong_alike_are_noticed(monkeypatch, noticed):
    for name in ("jacrev", "jacfwd"):
        exact = getattr(minigrad.func, name)
        monkeypatch.setattr(minigrad.func, name, lambda f, *more, exact=exact, **options: lambda *args: (
            minigrad.utils._pytree.tree_map(lambda t: t * 1.1, exact(f, *more, **options)(*args))))
    assert "with differences it is" in noticed()


@pytest.mark.drawn
def test_an_error_that_nobody_raises_on_purpose_is_noticed(monkeypatch, noticed):
    def vmap(f, **options):
        raise KeyError("vmap")

    vmap.__code__ = vmap.__code__.replace(co_filename="/minigrad/func/vmap.py")
    monkeypatch.setattr(minigrad, "vmap", vmap)
    assert "raises KeyError" in noticed()


# ------------------------------------------------------------------------------ programs


@pytest.mark.filterwarnings("ignore")           # as when they are compared
def test_what_is_printed_runs():
    for i in range(20):
        program = write_table(f"printed/{i}")
        if not any([outcome.failure for outcome in run_table(program, minigrad).outcomes]):
            exec(str(program).replace("import torch\n", ""), {"torch": minigrad})


def test_a_failing_program_becomes_short():
    inner = (Statement("y3 = a2.sin()"), Statement("y4 = a2.cos()"), Statement("return y3"))
    program = Nested([
        Statement(X, leaf=True), Statement("with torch.no_grad():", (Statement("y1 = x0 * 2"),)),
        Statement("def f5(a2):", inner), Statement("r6 = torch.vmap(f5)(x0)"), Statement("loss7 = (x0 * 3).sum()"),
        Statement("g8 = torch.autograd.grad(loss7, [x0])", asks=Pass("loss7", ("x0",), "g8")),
    ])
    assert len(program) == 10
    assert str(shortest(program, lambda p: "sin()" in str(p) and "vmap" in str(p))) == (
        f"import torch\n{X}\ndef f5(a2):\n    y3 = a2.sin()\n    return y3\nr6 = torch.vmap(f5)(x0)\n")


def test_a_pass_asks_for_the_leaves_that_are_there():
    program = Nested([Statement(X), Statement(X.replace("x0", "x1")), Statement("loss2 = x0.sum()"),
                      Statement("g3 = torch.autograd.grad(loss2, [x0, x1])", asks=Pass("loss2", ("x0", "x1"), "g3"))])
    assert str(program.without({1})).splitlines()[-1] == "g3 = torch.autograd.grad(loss2, [x0])"


def test_what_is_never_called_is_named():
    counts = Counts([], ("sin", "cos"))
    counts.add([], ["sin"])
    assert counts.never_called() == ["cos"] and "1 of 2 functions of the table were called; not: cos" in str(counts)

"""The judge without processes, as in a page: the same points and reasons, and nothing left behind."""

import sys
from pathlib import Path

import pytest

import minigrad as torch
from minigrad import homework
from minigrad.homework import cli, judge

SOLUTIONS = Path(__file__).parent / "solutions"
# Its items run the submission in copies of its process.
NEEDS_PROCESSES = "grade_the_tests"


@pytest.fixture
def page(monkeypatch):
    """An interpreter that cannot start another."""
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(judge, "Process", None)


@pytest.mark.parametrize("name", sorted({path.stem for path in SOLUTIONS.glob("*.py")} - {NEEDS_PROCESSES}))
@pytest.mark.drawn
def test_a_solution_gets_all_points(page, name):
    result = homework.check(SOLUTIONS / f"{name}.py", name, seed=0)
    assert result.earned == result.points, str(result)


@pytest.mark.parametrize("name", ["newton", "ten_derivatives", "own_function"])
def test_a_starter_gets_the_reasons_that_it_gets_in_a_process(name, tmp_path, monkeypatch):
    path = tmp_path / f"{name}.py"
    path.write_text(homework.find(name).started(), encoding="utf-8")
    expected = homework.check(path, name, seed=0)
    monkeypatch.setattr(sys, "platform", "emscripten")
    found = homework.check(path, name, seed=0)
    assert [(each.verdict, each.reasons) for each in found.outcomes] == [
        (each.verdict, each.reasons) for each in expected.outcomes]
    assert found.earned < found.points


def test_it_is_practice_and_says_so(page, tmp_path, capsys):
    path, target = SOLUTIONS / "own_function.py", tmp_path / "results.json"
    result = homework.check(path, items=["values"])
    assert "This is practice" in str(result) and "This is practice" in result._repr_html_()
    for name in ("gradescope", "prairielearn"):
        assert cli.main(["check", str(path), "--item", "values", "--format", name, "--to", str(target)]) == 2
        assert "no form for another system is written" in capsys.readouterr().err and not target.exists()


def test_a_check_in_a_process_is_none():
    result = homework.check(SOLUTIONS / "own_function.py", items=["values"])
    assert result.note == "" and homework.FORMATS["gradescope"](result)


def test_what_needs_processes_says_so(page):
    result = homework.check(SOLUTIONS / f"{NEEDS_PROCESSES}.py", NEEDS_PROCESSES)
    assert result.earned == 0
    assert "on your computer" in str(result)


def test_a_forbidden_call_is_found_under_another_name_and_minigrad_is_whole_again(page, tmp_path):
    path = tmp_path / "checkpointing.py"
    path.write_text("import minigrad\nhidden = getattr(getattr(minigrad, 'auto' 'grad'), 'gr' 'ad')\n"
                    "x = minigrad.tensor(1.0, requires_grad=True)\nhidden(x * x, x)\n", encoding="utf-8")
    before = torch.autograd.grad
    result = homework.check(path, "checkpointing")
    assert {each.verdict for each in result.outcomes} == {"foul"}
    assert torch.autograd.grad is before
    assert "submission" not in sys.modules


def test_forbidden_classes_and_modules_are_whole_again(page):
    classes = torch.enable_grad, torch.utils.checkpoint.CheckpointFunction
    before = [dict(vars(cls)) for cls in classes]
    for name in ("own_function", "checkpointing"):
        homework.check(SOLUTIONS / f"{name}.py", name, items=[homework.find(name).items[0].name])
    assert [dict(vars(cls)) for cls in classes] == before
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad(), torch.enable_grad():
        assert torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False).requires_grad


def test_stop_is_not_a_mistake_of_the_submission(page, tmp_path):
    path = tmp_path / "newton.py"
    path.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        homework.check(path, "newton")

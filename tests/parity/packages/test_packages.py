"""The runner itself: it notices a number that differs, and a program that fails."""

import sys

import pytest

from tests.parity.packages.__main__ import PROGRAMS, complaint, record


@pytest.mark.parametrize("program, noticed", [("print(0.5)", None), ("print(0.6)", "0.6"),
                                              ("print(0.5); print(1 / 0)", "ZeroDivisionError"),
                                              ("print(0.5); print(2)", "2 lines"), ("import torch; print(0.5)", None)])
@pytest.mark.drawn
def test_what_a_program_prints_is_compared(program, noticed, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program)
    path.with_suffix(".txt").write_text("0.5\n")
    found = complaint(path, [sys.executable, "-m", "minigrad", "run"], tree=True)
    assert found is None if noticed is None else noticed in found


def test_a_program_that_fails_is_not_recorded(tmp_path, capsys):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("print(0.5)")
    bad.write_text("print(0.5)\n1 / 0")
    bad.with_suffix(".txt").write_text("as it was")
    assert record([good, bad]) == 1 and record([good]) == 0
    assert good.with_suffix(".txt").read_text() == "0.5\n" and bad.with_suffix(".txt").read_text() == "as it was"
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_each_program_has_the_answers_of_pytorch():
    for path in PROGRAMS:
        assert len(path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()) >= 4

"""The runner itself: it notices a number that differs, and a program that fails."""

import sys

import pytest

from tests.parity.packages.__main__ import HERE, NOTED, PROGRAMS, SMALL, complaint, drawn, note, record, times_beside


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


def test_the_numbers_of_commits_draw_all_small_programs_in_turn():
    assert len(SMALL) >= 10 and {path for k in range(len(SMALL)) for path in drawn(SMALL, k)} == {*SMALL}
    assert all(len({*drawn(SMALL, k)}) == 3 for k in range(20))


def test_what_a_run_found_is_written_down(tmp_path):
    paths = [tmp_path / "use_one.py", tmp_path / "use_two.py"]
    text = note({paths[0]: None, paths[1]: "0.6"}, 0, {paths[0]: (0.5, 0.25)})
    assert text.splitlines()[3:] == ["use_one equal 0.50 0.25", "use_two differs", "shipped_tests pass"]


def test_the_last_run_was_of_all_programs_and_found_pytorchs_figures():
    said = dict(line.split(maxsplit=1) for line in NOTED.read_text(encoding="utf-8").splitlines() if line[0] != "#")
    assert said.pop("shipped_tests") == "pass"
    assert {*said} == {path.stem for path in PROGRAMS} and all(each.startswith("equal") for each in said.values())


def test_the_table_has_the_versions_and_the_times_of_the_last_run():
    page = (HERE.parents[2] / "docs" / "reference" / "torch_name.rst").read_text(encoding="utf-8")
    lists = [(HERE / name).read_text(encoding="utf-8") for name in ("small.txt", "large.txt")]
    for line in "".join(lists).splitlines():
        name, _, version = line.strip().partition("==")
        if version and f"   * - {name}\n" in page:
            assert f"   * - {name}\n     - {version}\n" in page
    for line in NOTED.read_text(encoding="utf-8").splitlines():
        if " equal " in line and line[0] != "#":
            assert f"     - {', '.join(line.split()[2:])}\n" in page


def test_times_are_of_what_comes_after_the_imports(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("import time\nclass A: pass\ntime.sleep(0.01)\n")
    inner, whole = times_beside(path, [sys.executable], [sys.executable], 1, True)
    assert inner > 0 and whole > 0
    assert "program: " in capsys.readouterr().out
    path.write_text("import time\n1 / 0")
    assert times_beside(path, [sys.executable], [sys.executable], 1, True) == ()
    assert "ZeroDivisionError" in capsys.readouterr().out

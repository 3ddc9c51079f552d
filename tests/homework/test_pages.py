"""The pages about homework say what is true."""

import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from minigrad import homework
from minigrad.homework import cli, likeness, oral

PAGES = Path(__file__).resolve().parents[2] / "docs" / "homework"


def read(name):
    return (PAGES / f"{name}.rst").read_text(encoding="utf-8")


def test_the_index_leads_to_every_assignment_in_order():
    pages = re.findall(r"^   (\w+)$", read("index"), re.MULTILINE)
    assert pages == [*homework.names(), "grading", "judging", "own_work", "writing"]


@pytest.mark.parametrize("name", homework.names())
def test_a_handout_lists_the_items_and_what_is_forbidden(name):
    page, assignment = read(name), homework.find(name)
    assert page.startswith(f"{assignment.title}\n{'=' * len(assignment.title)}\n")
    assert re.findall(r"^   \* - (?!Item)(.+)\n     - (\d+)$", page.replace("``", ""), re.MULTILINE) == [
        (item.title, str(item.points)) for item in assignment.items]
    assert all([f"``{each}``" in page for each in assignment.forbidden])
    assert f"homework start {name}\n" in page and f"homework check {name}.py\n" in page


@pytest.mark.drawn
def test_the_commands_of_the_page_about_own_work_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for folder in ("submissions", "last_year"):
        Path(folder).mkdir()
        shutil.copy(Path(__file__).parent / "solutions" / "own_function.py", folder)
    commands = re.findall(r"^   \$ python (.*)$", read("own_work"), re.MULTILINE)
    assert len(commands) == 11
    for command in commands:
        words = shlex.split(command)
        if words[:1] == ["-c"]:
            made = subprocess.run([sys.executable, *words[:2]], capture_output=True, check=True)
            assert words[2] == ">" and Path(words[3]).write_bytes(made.stdout)
            continue
        assert words[:3] == ["-m", "minigrad", "homework"]
        if words[3] == "start":
            Path("ada.py").unlink(missing_ok=True)
        assert cli.main(words[3:]) in (0, 1), (command, capsys.readouterr().err)    # of a starter, points are missing
    assert "sealed" in Path("ada.py").read_text(encoding="utf-8") and Path("tutor.txt").exists()
    said = Path("alike.txt").read_text(encoding="utf-8")
    assert "own_function.py and the published solution" in said and "own_function.py (known)" in said
    assert "left out" in capsys.readouterr().err


def test_the_page_about_own_work_says_what_the_program_does():
    page = read("own_work")
    assert likeness.SHARE == 0.5 and "from half of the shorter text on" in page
    assert oral.WANTED == 3 and "three questions" in page


def test_every_verdict_is_explained():
    from minigrad.homework import judge
    listed = re.findall(r"^    (\w+)  +\w", judge.__doc__, re.MULTILINE)
    explained = re.findall(r"^   \* - (\w+)\n", read("grading"), re.MULTILINE)
    assert explained[0] == "Verdict" and explained[1:] == listed and len(listed) == 12


def test_the_assignment_of_the_page_for_instructors_works(tmp_path):
    code = re.search(r"code-block:: python\n\n((?:   .*\n|\n)+)", read("writing"))[1]
    spec, submission = tmp_path / "angles.py", tmp_path / "mine.py"
    spec.write_text(textwrap.dedent(code), encoding="utf-8")
    starter = homework.find(spec).started()
    for body, earned in (("raise NotImplementedError", 0), ("return d * np.cos(x)", 2),
                         ("return d * np.conj(np.cos(x))", 3)):
        submission.write_text(starter.replace("raise NotImplementedError", body), encoding="utf-8")
        assert homework.check(submission, spec).earned == earned

"""Where exercises are, and how a file is read."""

import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from minigrad.exercises import pages
from tests.exercises.conftest import PAGE, STAGES, forget


def test_an_exercise_has_its_parts():
    title, (one, twice), _ = pages.read(PAGE)
    assert title == "Small numbers" and [one.title, twice.title] == ["One", "Twice"]
    assert one.text == "Let ``x`` be 1, as in :math:`x = 1`." and one.hints == ["Count.", "Count to ``1``."]
    assert one.starter == "x = ...\n" and "It is 1" in one.check and not one.stage and one.points == 0


def test_a_stage_has_points():
    _, (first, second), _ = pages.read(STAGES)
    assert first.stage and first.points == 3 and second.points == 7 and first.rubric == "3 points. ``x`` is 1."


def test_a_project_says_what_to_expect():
    _, exercises, projects = pages.read(PAGE + "\n\n# %% Project: 2\n# 10 points.\n#\n# The slope is 6.\n")
    assert len(exercises) == 2 and projects == {2: "10 points.\n\nThe slope is 6."}


@pytest.mark.parametrize("kind", ["Starter", "Check", "Hint"])
def test_a_missing_part_is_refused(kind):
    with pytest.raises(ValueError, match="'Twice' needs a text, a starter, a check and hints$"):
        head, _, tail = PAGE.rpartition(f"# %% {kind}\n")
        pages.read(head + tail)


def test_a_stage_without_a_rubric_is_refused():
    with pytest.raises(ValueError, match="'Second' needs a text, a starter, a check and hints, and a rubric"):
        pages.read(STAGES.rpartition("# %% Rubric")[0])


def test_a_part_before_the_first_exercise_is_refused():
    with pytest.raises(ValueError, match="page: Starter comes before the first exercise"):
        pages.read("# %% Starter\nx = 1\n" + PAGE, "page")


def test_pages_come_in_the_order_of_the_path_and_others_last(course):
    assert pages.parts() == {"Numbers": ["small_numbers"], pages.BEYOND: ["built_up"]}
    assert pages.names() == ["small_numbers", "built_up"]


def test_the_course_has_its_pages():
    assert len(pages.names()) > 30 and pages.names()[0] == "gradients_of_one_expression"
    assert all(pages.find(name).name == name and len(pages.find(name).exercises) >= 3 for name in pages.names())


@pytest.mark.parametrize("asked", ["small_numbers", "small", "small_numbers.py", "x/small_numbers.ipynb"])
def test_a_page_is_found_by_what_is_unmistakable(course, asked):
    assert pages.find(asked).title == "Small numbers"


@pytest.mark.parametrize(("asked", "said"), [
    ("small_nubers", "Did you mean small_numbers?"), ("", "To list all of them"), ("zzz", "To list all of them")])
def test_a_wrong_name_says_what_is_there(course, asked, said):
    with pytest.raises(LookupError, match="no page with exercises is called") as refused:
        pages.find(asked)
    assert said in str(refused.value)


def test_a_beginning_of_two_names_is_refused():
    with pytest.raises(LookupError, match="Did you mean gradients_of_one_expression or gradient_layouts"):
        pages.find("gradient")


def test_a_number_that_is_not_there_is_refused(course):
    with pytest.raises(LookupError, match="small_numbers has 2 exercises, numbered from 1: there is no number 3"):
        pages.find("small").exercise(3)


def test_an_installed_package_reads_an_archive(course, tmp_path, monkeypatch):
    archive = tmp_path / "pages.json.zlib"
    archive.write_bytes(zlib.compress(json.dumps(pages.sources()).encode()))
    monkeypatch.setattr(pages, "ARCHIVE", archive)
    monkeypatch.setattr(pages, "TUTORIALS", tmp_path / "nowhere")
    forget()
    assert pages.names() == ["small_numbers", "built_up"] and pages.find("built").exercises[1].points == 7


def test_an_installation_without_exercises_says_so(course, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "TUTORIALS", tmp_path / "nowhere")
    forget()
    with pytest.raises(LookupError, match="this installation has no pages.json.zlib. Install minigrad from"):
        pages.names()


def test_a_wheel_takes_the_exercises_along_without_their_solutions(tmp_path):
    """The command that writes the archive, alone: it compiles nothing."""
    root = Path(pages.__file__).resolve().parents[2]
    if not (root / "setup.py").exists():
        pytest.skip("outside the clone")
    subprocess.run([sys.executable, "setup.py", "--quiet", "build_py", "-d", tmp_path], cwd=root, check=True,
                   capture_output=True)
    archive = tmp_path / "minigrad" / "exercises" / "pages.json.zlib"
    packed = json.loads(zlib.decompress(archive.read_bytes()))
    assert packed == pages.sources() and {name.removesuffix(".py") for name in packed} == {*pages.names(), "path.toml"}
    assert not any("# %% Solution" in text for text in packed.values())
    assert archive.stat().st_size < 90_000

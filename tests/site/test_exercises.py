"""The exercises of the tutorials: a check refuses the starter, in words, and accepts the solution."""

import ast
import contextlib
import importlib
import io
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx_gallery")
ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tutorials" / "exercises").glob("*.py"))


@pytest.fixture(scope="module", autouse=True)
def extension():
    """The extension of the site that reads exercises."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    yield importlib.import_module("exercises")
    sys.path.remove(str(ROOT / "docs" / "_ext"))


def run(*sources):
    """Run the sources one after the other in one namespace, as the cells of a notebook."""
    names = {"__name__": "__main__"}
    for source in sources:
        exec(compile(source, "<exercise>", "exec"), names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_check_refuses_the_starter_and_accepts_the_solution(path, extension):
    for each in extension.read(path):
        with contextlib.redirect_stdout(io.StringIO()):
            with pytest.raises(Exception) as refused:
                run(each.starter, each.check)
            run(each.starter, each.solution, each.check)
        assert not isinstance(refused.value, SyntaxError), each.title


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_assertion_of_a_check_says_what_is_wrong(path, extension):
    for each in extension.read(path):
        found = [node for node in ast.walk(ast.parse(each.check)) if isinstance(node, ast.Assert)]
        assert found and all(node.msg is not None for node in found), each.title


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_page_has_three_exercises(path, extension):
    assert any(page.endswith("/" + path.stem) for page in extension.PAGES)
    assert len(extension.read(path)) == 3


EXERCISE = """# %% Exercise: One
# Some *text*.
#
# More.

# %% Starter
x = ...

# %% Check
assert x == 1, "It is 1."

# %% Hint
# Count.

# %% Solution
x = 1
"""


class TestReading:
    def read(self, extension, tmp_path, text):
        path = tmp_path / "page.py"
        path.write_text(text)
        return extension.read(path)

    def test_an_exercise_has_its_parts(self, extension, tmp_path):
        one, = self.read(extension, tmp_path, EXERCISE)
        assert one.title == "One" and one.text == "Some *text*.\n\nMore." and one.hints == ["Count."]
        assert one.starter == "x = ...\n" and one.solution == "x = 1\n" and "It is 1" in one.check

    @pytest.mark.parametrize("kind", ["Starter", "Check", "Hint", "Solution"])
    def test_a_missing_part_is_refused(self, extension, tmp_path, kind):
        with pytest.raises(ValueError, match="'One' needs a text, a starter, a check, hints and a solution"):
            self.read(extension, tmp_path, EXERCISE.replace(f"# %% {kind}\n", ""))

    def test_a_part_before_the_first_exercise_is_refused(self, extension, tmp_path):
        with pytest.raises(ValueError, match="Starter comes before the first exercise"):
            self.read(extension, tmp_path, "# %% Starter\nx = 1\n" + EXERCISE)


def test_the_page_folds_checks_hints_and_solutions(extension, tmp_path):
    path = tmp_path / "page.py"
    path.write_text(EXERCISE)
    text = extension.as_rst(extension.read(path))
    parts = ("1. One", "Some *text*", "x = ...", "dropdown:: Check", "dropdown:: Hint", "dropdown:: Solution")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "\n\n   Count." in text


def test_a_notebook_has_a_cell_for_each_answer(extension, tmp_path):
    path = tmp_path / "page.py"
    path.write_text(EXERCISE)
    made = {"cells": [{"cell_type": "markdown", "source": ["The end.\n\n## Exercises\n\n## Projects\n\n1. More."]}]}
    extension.add_to_notebook(made, extension.read(path))
    sources = ["".join(cell["source"]) for cell in made["cells"]]
    assert sources[0].endswith("## Exercises") and sources[-1] == "## Projects\n\n1. More."
    kinds = [cell["cell_type"] for cell in made["cells"]]
    assert kinds == ["markdown", "markdown", "markdown", "code", "code", "markdown"]
    assert "### 1. One" in sources[2] and "<summary>Solution</summary>" in sources[2] and sources[3] == "x = ..."

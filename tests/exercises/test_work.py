"""The file that a student works in, written and read again; and a notebook."""

import json

import pytest

from minigrad.exercises import pages, work


def test_a_file_has_the_tasks_and_starters_and_nothing_that_helps(course):
    text = work.started(pages.find("small"), "small_numbers.py")
    assert "# %% 1. One\n# Let `x` be 1, as in x = 1.\n\nx = ...\n" in text
    assert "python -m minigrad exercise check small_numbers.py" in text
    assert "It is 1" not in text and "Count" not in text
    assert all(len(line) <= 120 for line in text.splitlines())


def test_a_stage_says_what_is_expected(course):
    text = work.started(pages.find("built"), "built_up.py")
    assert "# %% 1. First (3 points)\n# Let `x` be 1.\n#\n# Expected: 3 points. `x` is 1.\n" in text


@pytest.mark.parametrize("name", pages.names())
def test_a_started_file_is_read_again(name, tmp_path):
    page = pages.find(name)
    path = tmp_path / "mine.py"                         # the first line says which page it is
    path.write_text(work.started(page, path.name), encoding="utf-8")
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
    found = work.work_in(path)
    assert found.page is page and [*found.answers] == [*range(1, len(page.exercises) + 1)]
    for number, answer in found.answers.items():
        assert page.exercise(number).is_untouched(answer.source)


def test_a_line_of_an_answer_has_its_number(course, write):
    text = work.started(pages.find("small"), "small_numbers.py")
    found = work.work_in(write("small_numbers.py", text))
    answer = found.answers[2]
    assert text.splitlines()[answer.line - 1].startswith("# %% 2.") and answer.source.startswith("\n")


@pytest.mark.parametrize(("text", "said"), [
    ("x = 1\n", 'no cells that begin with a line such as "# %% 1. One"'),
    ("# %% 1. One\nx = 1\n# %% 1. One\nx = 2\n", "two cells for exercise 1"),
    ('# Exercises of "?" (nothing_such)\n# %% 1. One\n', "no page with exercises is called 'nothing_such'")])
def test_a_file_that_cannot_be_read_says_why(write, text, said):
    with pytest.raises(LookupError, match=said):
        work.work_in(write("small_numbers.py", text))


def notebook(write, *cells):
    made = [{"cell_type": kind, "source": source.splitlines(True)} for kind, source in cells]
    return write("small_numbers.ipynb", json.dumps({"cells": made}))


def test_a_notebook_has_an_answer_below_each_heading(write):
    path = notebook(write, ("markdown", "# Small numbers"), ("code", "x = 7"), ("markdown", "### 1. One\n\nText."),
                    ("code", "x = 1"), ("code", "x += 0"), ("code", 'assert x == 1,   "It is 1."'),
                    ("markdown", "### 3. Something else"), ("code", "y = 3"))
    found = work.work_in(path)
    assert {number: answer.source for number, answer in found.answers.items()} == {1: "x = 1\nx += 0\n"}


def test_a_notebook_is_started_and_read_again(course, tmp_path):
    page = pages.find("built")
    path = tmp_path / "mine.ipynb"
    path.write_text(work.started_notebook(page), encoding="utf-8")
    made = json.loads(path.read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in made["cells"]]
    assert sources[2] == "### 1. First\n\nLet `x` be 1.\n\nExpected: 3 points. `x` is 1." and sources[3] == "x = ..."
    assert sources[4] == 'exercises.check("built_up", 1, globals())' and "Count" not in "".join(sources)
    found = work.work_in(path)
    assert found.page is page and {number: each.source for number, each in found.answers.items()} == {
        1: "x = ...\n", 2: "y = ...\n"}


def test_the_cells_of_a_started_notebook_run(course, tmp_path):
    names = {}
    for cell in json.loads(work.started_notebook(pages.find("small")))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)


def test_a_notebook_without_such_a_heading_says_so(write):
    with pytest.raises(LookupError, match='has no heading such as "### 1. One"'):
        work.work_in(notebook(write, ("code", "x = 1")))
    for text in ("x = 1", "[]", '{"cells": [], "metadata": []}'):
        with pytest.raises(LookupError, match="is not a notebook"):
            work.work_in(write("small_numbers.ipynb", text))

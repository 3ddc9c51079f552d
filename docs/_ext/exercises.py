"""Exercises: ``tutorials/exercises/PAGE.py`` holds those of a page, each with a check and hints.

``minigrad/exercises/pages.py`` reads them, for the command line too, and says how a file is written. The solutions are
in ``tutorials/exercises/solutions/PAGE.py``, where opening an exercise does not show one::

    # %% Solution: The slope of a parabola
    def slope(x):
        return 2 * x

The numbers that a project leads to are computed there, too, and not shown::

    # %% Project: 1
    assert 2 * 3.0 == 6.0

The page shows the task and the starter; the check, each hint and the solution unfold. The tests run every exercise
twice: the check must refuse the starter, and accept the solution.
"""

import re
import textwrap
from pathlib import Path

from sphinx_gallery import gen_rst, notebook

from course import PAGES, TUTORIALS
from minigrad.exercises import pages

SOLUTION = re.compile(r"^# %% (Solution|Project): (.+)$", re.MULTILINE)
#: where sphinx-gallery's own end of a page begins
END = re.compile(r"^\.\. _sphx_glr_download", re.MULTILINE)
HEADING = re.compile(r"^Exercises\n-+$", re.MULTILINE)
INTRODUCTION = ("Write your answer into the starter and run the check after it: it is silent when your answer is "
                "right, and otherwise says what is wrong. In a terminal, ``python -m minigrad exercise start {}`` "
                "writes a file to work in.")
#: exercises of pages that are not in the path of the course, and whose solutions are not shown
OTHERS = {"exercises/capstone": "capstone"}


def read(path):
    """The exercises of a file, with their solutions, if there are any.

    Raises
    ------
    ValueError
        If an exercise lacks a part, or the file of solutions does not have those of these exercises, in order.
    """
    _, found, _ = pages.read(path.read_text(encoding="utf-8"), str(path))
    if solutions := beside(path, "Solution"):
        titles = [each.title for each in found]
        if [*solutions] != titles:
            raise ValueError(f"{path}: there are solutions of {[*solutions]}, and the exercises are {titles}")
        for each in found:
            each.solution = solutions[each.title]
    return found


def beside(path, kind):
    """{title: code} of what the file of solutions has of a kind, "Solution" or "Project"."""
    answers = path.parent / "solutions" / path.name
    if not answers.exists():
        return {}
    _, *parts = SOLUTION.split(answers.read_text(encoding="utf-8"))
    return {title: code.strip() + "\n"
            for each, title, code in zip(parts[::3], parts[1::3], parts[2::3]) if each == kind}


def file_of(page):
    """The file of the exercises of a page, "folder/name" or its name alone."""
    return TUTORIALS / "exercises" / f"{page.rpartition('/')[2]}.py"


def exercises_of(page):
    """The exercises of a page; none if it has no file."""
    return read(file_of(page)) if file_of(page).exists() else []


def projects_of(page):
    """{number: what to expect} of the projects of a page."""
    return pages.read(file_of(page).read_text(encoding="utf-8"), page)[2]


def code(source, options=""):
    return f".. code-block:: python\n{options}\n" + textwrap.indent(source, "   ")


def folded(title, body):
    return f".. dropdown:: {title}\n\n" + textwrap.indent(body, "   ")


def as_rst(exercises, name):
    """What the page of this name shows under "Exercises"."""
    parts = [INTRODUCTION.format(name)]
    for number, each in enumerate(exercises, 1):
        parts += [f".. rubric:: {number}. {each.title}", each.text]
        if each.rubric:
            parts += [f".. admonition:: Expected\n\n{textwrap.indent(each.rubric, '   ')}"]
        # live.js runs a stage after those before it.
        starter = code(each.starter, "   :class: stage\n" if each.stage else "")
        parts += [starter, folded("Check", code(each.check))]
        parts += [folded(f"Hint {i}" if len(each.hints) > 1 else "Hint", hint) for i, hint in enumerate(each.hints, 1)]
        if each.solution:
            parts += [folded("Solution", code(each.solution))]
    return "\n\n".join(parts)


def add_exercises(app, docname, source):
    """Insert the exercises of a tutorial after the heading of its section."""
    page = docname.removeprefix("tutorials/")
    name = OTHERS.get(docname) or (page in PAGES and page.rpartition("/")[2])
    if name and (exercises := exercises_of(name)):
        heading = HEADING.search(source[0])
        source[0] = f"{source[0][:heading.end()]}\n\n{as_rst(exercises, name)}\n\n{source[0][heading.end():]}"
        if projects := projects_of(name):
            end = END.search(source[0])
            place = end.start() if end else len(source[0])
            source[0] = f"{source[0][:place]}\n\n{projects_as_rst(projects)}\n\n{source[0][place:]}"


def projects_as_rst(projects):
    """What unfolds below the projects."""
    return "\n\n".join([folded(f"Project {number}: what to expect", text) for number, text in sorted(projects.items())])


def unfolding(title, body):
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def add_to_notebook(made, exercises, name, projects=()):
    """Insert a text, a starter and a check for each exercise after the heading; hints unfold, and there is no solution.
    """
    rest = {"cells": []}
    notebook.add_markdown_cell(rest, INTRODUCTION.format(name).replace("``", "`"))
    for number, each in enumerate(exercises, 1):
        hints = [unfolding("Hint", as_markdown(hint)) for hint in each.hints]
        notebook.add_markdown_cell(rest, "\n\n".join([f"### {number}. {each.title}", as_markdown(each.text), *hints]))
        notebook.add_code_cell(rest, each.starter)
        notebook.add_code_cell(rest, each.check)
        # "Run all" goes on after a check that is not content yet.
        rest["cells"][-1]["metadata"]["tags"] = ["raises-exception"]
    texts = ["".join(cell["source"]) for cell in made["cells"]]
    place = next(i for i, text in enumerate(texts) if re.search("^#+ Exercises$", text, re.MULTILINE))
    before, heading, after = re.split("^(#+ Exercises)$", texts[place], flags=re.MULTILINE)
    made["cells"][place]["source"] = [before + heading]
    if after.strip():
        notebook.add_markdown_cell(rest, after.strip())
    made["cells"][place + 1:place + 1] = rest["cells"]
    for number in sorted(projects):
        notebook.add_markdown_cell(made, unfolding(f"Project {number}: what to expect", as_markdown(projects[number])))


def as_markdown(text):
    return notebook.rst2md(text, {"default_role": "code"}, "", {})


def save_with_exercises(made, path):
    """sphinx-gallery's ``save_notebook``, with the exercises of the page."""
    name = Path(path).name.partition(".")[0]
    if exercises := exercises_of(name):
        add_to_notebook(made, exercises, name, projects_of(name))
    save_notebook(made, path)


save_notebook = gen_rst.save_notebook


def setup(app):
    app.connect("source-read", add_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

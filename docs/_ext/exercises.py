"""Exercises: ``tutorials/exercises/PAGE.py`` holds those of a page, each with a check, hints and a solution.

A file is a sequence of cells, like a tutorial. Each begins with a line that says what it is::

    # %% Exercise: The slope of a parabola
    # What to do, in reStructuredText.

    # %% Starter
    def slope(x):
        ...

    # %% Check
    assert slope(3.0) == 6.0, "The derivative of x² is 2x."

    # %% Hint
    # What may help. Several hints come one after the other.

    # %% Solution
    def slope(x):
        return 2 * x

The page shows the task and the starter; the check, each hint and the solution unfold. The tests run every exercise
twice: the check must refuse the starter, and accept the solution.
"""

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from sphinx_gallery import gen_rst, notebook

from course import PAGES, TUTORIALS

CELL = re.compile(r"^# %% (Exercise: .+|Starter|Check|Hint|Solution)$", re.MULTILINE)
HEADING = re.compile(r"^Exercises\n-+$", re.MULTILINE)
INTRODUCTION = ("Write your answer into the starter and run the check after it: it is silent when your answer is "
                "right, and otherwise says what is wrong.")


@dataclass
class Exercise:
    title: str
    text: str
    starter: str = ""
    check: str = ""
    hints: list[str] = field(default_factory=list)
    solution: str = ""


def uncommented(lines):
    return "\n".join(re.sub(r"^# ?", "", line) for line in lines.strip().splitlines())


def read(path):
    """The exercises of a file.

    Raises
    ------
    ValueError
        If a cell comes before the first exercise, or an exercise has no starter, check, hint or solution.
    """
    found = []
    _, *parts = CELL.split(path.read_text(encoding="utf-8"))
    for kind, body in zip(parts[::2], parts[1::2]):
        if kind.startswith("Exercise: "):
            found.append(Exercise(kind.removeprefix("Exercise: "), uncommented(body)))
        elif not found:
            raise ValueError(f"{path}: {kind} comes before the first exercise")
        elif kind == "Hint":
            found[-1].hints.append(uncommented(body))
        else:
            setattr(found[-1], kind.lower(), body.strip() + "\n")
    for each in found:
        if not (each.text and each.starter and each.check and each.hints and each.solution):
            parts = "a text, a starter, a check, hints and a solution"
            raise ValueError(f"{path}: the exercise {each.title!r} needs {parts}")
    return found


def exercises_of(page):
    """The exercises of a page, "folder/name" or its name alone; none if it has no file."""
    path = TUTORIALS / "exercises" / f"{page.rpartition('/')[2]}.py"
    return read(path) if path.exists() else []


def code(source):
    return ".. code-block:: python\n\n" + textwrap.indent(source, "   ")


def folded(title, body):
    return f".. dropdown:: {title}\n\n" + textwrap.indent(body, "   ")


def as_rst(exercises):
    """What the page shows under "Exercises"."""
    parts = [INTRODUCTION]
    for number, each in enumerate(exercises, 1):
        parts += [f".. rubric:: {number}. {each.title}", each.text]
        parts += [code(each.starter), folded("Check", code(each.check))]
        parts += [folded(f"Hint {i}" if len(each.hints) > 1 else "Hint", hint) for i, hint in enumerate(each.hints, 1)]
        parts += [folded("Solution", code(each.solution))]
    return "\n\n".join(parts)


def add_exercises(app, docname, source):
    """Insert the exercises of a tutorial after the heading of its section."""
    if docname.removeprefix("tutorials/") in PAGES and (exercises := exercises_of(docname)):
        heading = HEADING.search(source[0])
        source[0] = f"{source[0][:heading.end()]}\n\n{as_rst(exercises)}\n\n{source[0][heading.end():]}"


def unfolding(title, body):
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def add_to_notebook(made, exercises):
    """Insert a text, a starter and a check for each exercise after the heading; hints and solutions unfold."""
    rest = {"cells": []}
    notebook.add_markdown_cell(rest, INTRODUCTION)
    for number, each in enumerate(exercises, 1):
        hints = [unfolding("Hint", as_markdown(hint)) for hint in each.hints]
        hints.append(unfolding("Solution", f"```python\n{each.solution}```"))
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


def as_markdown(text):
    return notebook.rst2md(text, {"default_role": "code"}, "", {})


def save_with_exercises(made, path):
    """sphinx-gallery's ``save_notebook``, with the exercises of the page."""
    if exercises := exercises_of(Path(path).name.partition(".")[0]):
        add_to_notebook(made, exercises)
    save_notebook(made, path)


save_notebook = gen_rst.save_notebook


def setup(app):
    gen_rst.save_notebook = save_with_exercises
    app.connect("source-read", add_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The file that a student works in: each exercise is a cell, with its task as a comment and its starter as code.

    # %% 2. As few as possible
    # What to do.

    def twelfth(x):
        return x

The lines that begin a cell are how answers are found again; everything else is the student's.  In a notebook, started
here or downloaded from a page, the heading "2. As few as possible" says that the next cells of code are the answer.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from minigrad.exercises.formulas import in_a_line
from minigrad.exercises.pages import find

__all__ = ["Answer", "Work", "started", "started_notebook", "work_in"]

FIRST = '''\
# Exercises of "{title}" ({name})
#
# Write your answers into the cells below, and leave the lines that begin with "# %%" as they are.
#     python -m minigrad exercise check {file}
#     python -m minigrad exercise hint {name}
'''
#: how a cell of a notebook begins that checks the answer above it
CHECK = "exercises.check("
NAMED = re.compile(r'# Exercises of ".+" \((\w+)\)')
CELL = re.compile(r"^# %% (?P<number>\d+)\. .*$", re.MULTILINE)
HEADING = re.compile(r"^#+ (?P<number>\d+)\. (?P<title>.+?)\s*$", re.MULTILINE)
FORMULA = re.compile(r":math:`([^`]+)`")
DISPLAYED = re.compile(r"^\.\. math::(.*(?:\n+ {3}.*)*)", re.MULTILINE)


@dataclass
class Answer:
    """What a file has for an exercise: the code, the number of its first line, and the file of whose lines it is."""

    source: str
    line: int
    file: str


@dataclass
class Work:
    page: object
    #: number of the exercise -> Answer
    answers: dict


def commented(text):
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


def plain(text):
    """The text for a terminal or a comment: no marks of reStructuredText, and each formula as a line."""
    text = DISPLAYED.sub(lambda found: f"    {in_a_line(' '.join(found[1].split()))}", text)
    return unmarked(FORMULA.sub(lambda found: in_a_line(found[1]), text))


def markdown(text):
    """The text for a notebook, which shows formulas."""
    text = DISPLAYED.sub(lambda found: f"$${' '.join(found[1].split())}$$", text)
    return unmarked(FORMULA.sub(lambda found: f"${' '.join(found[1].split())}$", text))


def unmarked(text):
    text = re.sub(r":doc:`([^`<]+?)\s*<[^`>]+>`", r"\1", text)
    text = re.sub(r":\w+:`~?([^`]+)`", r"\1", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def started(page, file):
    """The text of a new file for the exercises of a page."""
    cells = [FIRST.format(title=page.title, name=page.name, file=file)]
    for number, each in enumerate(page.exercises, 1):
        points = f" ({each.points} points)" if each.points else ""
        rubric = f"\n#\n# Expected: {commented(plain(each.rubric)).removeprefix('# ')}" if each.rubric else ""
        cells.append(f"# %% {number}. {each.title}{points}\n{commented(plain(each.text))}{rubric}\n\n{each.starter}")
    return "\n\n".join(cells)


def started_notebook(page):
    """The text of a new notebook: for each exercise its task, its starter and a cell that checks the variables."""
    def cell(kind, source, **more):
        cells.append({"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {},
                      "source": source.strip("\n").splitlines(True), **more})

    def code(source):
        cell("code", source, execution_count=None, outputs=[])

    cells = []
    cell("markdown", f"# {page.title}")
    code("from minigrad import exercises")
    for number, each in enumerate(page.exercises, 1):
        rubric = f"\n\nExpected: {markdown(each.rubric)}" if each.rubric else ""
        cell("markdown", f"### {number}. {each.title}\n\n{markdown(each.text)}{rubric}")
        code(each.starter)
        code(f'{CHECK}"{page.name}", {number}, globals())')
    return json.dumps({"cells": cells, "metadata": {"minigrad": {"page": page.name}}, "nbformat": 4,
                       "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def work_in(path):
    """The answers in a file, a Python script or a notebook; raises LookupError, OSError or SyntaxError."""
    path = Path(path)
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".ipynb":
        return in_notebook(path, text)
    named = NAMED.match(text)
    page = find(named.group(1) if named else path.stem)
    starts = [*CELL.finditer(text)]
    answers = {}
    for start, following in zip(starts, [*starts[1:], None]):
        number = int(start["number"])
        if number in answers:
            raise LookupError(f"{path} has two cells for exercise {number}: leave one of them")
        source = text[start.end():following.start() if following else None]
        answers[number] = Answer(source, text.count("\n", 0, start.end()) + 1, str(path))
    if not answers:
        raise LookupError(f'{path} has no cells that begin with a line such as "# %% 1. {page.exercises[0].title}": '
                          f"python -m minigrad exercise start {page.name} writes a file that has them")
    return Work(page, answers)


def in_notebook(path, text):
    try:
        made = json.loads(text)
        cells, named = made["cells"], made.get("metadata", {}).get("minigrad", {}).get("page", path.stem)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LookupError(f"{path} is not a notebook") from None
    page = find(named)
    answers, number = {}, None
    checks = {squeezed(each.check) for each in page.exercises}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            if heading := HEADING.search(source):
                number = int(heading["number"])
                right = number <= len(page.exercises) and heading["title"] == page.exercises[number - 1].title
                number = number if right else None
        elif cell["cell_type"] == "code" and number and squeezed(source) not in checks and CHECK not in source:
            before = answers[number].source if number in answers else ""
            answers[number] = Answer(f"{before}{source}\n", 1, f"<exercise {number} in {path.name}>")
    if not answers:
        raise LookupError(f'{path} has no heading such as "### 1. {page.exercises[0].title}" above a cell of code')
    return Work(page, answers)


def squeezed(source):
    return "".join(source.split())

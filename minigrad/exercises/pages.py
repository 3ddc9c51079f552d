"""The pages and their exercises: one file a page, a sequence of cells, each with a line that says what it is.

    # %% Exercise: The slope of a parabola
    # What to do, in reStructuredText.

    # %% Starter
    def slope(x):
        ...

    # %% Check
    assert slope(3.0) == 6.0, "The derivative of x² is 2x."

    # %% Hint
    # What may help. Several hints come one after the other.

A ``Project`` is one of the numbered projects at the end of a page, which have no check: its text says what to expect,

    # %% Project: 1
    # 10 points: 4 for the formula, 6 for the plot. The slope is 6 at 3.

A ``Stage`` is an exercise that goes on from those before it in the file: their answers run first.  A stage also has a
``Rubric``, which begins with its points and names the numbers that are expected.

The files are in ``tutorials/exercises`` of a clone; an installed package has them in one file beside this one, which
``setup.py`` writes.  Their solutions are in a folder of their own, and are not installed.
"""

import ast
import difflib
import functools
import json
import re
import tomllib
import zlib
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Exercise", "Page", "find", "names", "parts", "read"]

ARCHIVE = Path(__file__).with_name("pages.json.zlib")
TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"
CELL = re.compile(r"^# %% (Exercise: .+|Stage: .+|Project: \d+|Starter|Check|Hint|Rubric)$", re.MULTILINE)
HEADING = re.compile(r'"""Exercises of "(.+)"\."""')
POINTS = re.compile(r"(\d+) points?\b")
#: the part of pages that are not in the course's path
BEYOND = "Beyond the course"
NOWHERE = ("the exercises are not here: this installation has no {}. Install minigrad from a wheel or a clone; in a "
           "clone they are in tutorials/exercises.")


@dataclass
class Exercise:
    title: str
    text: str
    #: a stage goes on from the answers of the exercises before it
    stage: bool = False
    starter: str = ""
    check: str = ""
    hints: list[str] = field(default_factory=list)
    rubric: str = ""
    #: the site's alone: it is read from another folder
    solution: str = ""

    @property
    def points(self):
        found = POINTS.match(self.rubric)
        return int(found.group(1)) if found else 0

    @property
    def imports(self):
        """The imports of the starter."""
        return "\n".join([ast.unparse(each) for each in ast.parse(self.starter).body
                          if isinstance(each, (ast.Import, ast.ImportFrom))])

    @property
    def complete(self):
        return bool(self.text and self.starter and self.check and self.hints and (self.rubric or not self.stage))

    def is_untouched(self, answer):
        """Is the answer the starter still, but for comments and blank lines?"""
        try:
            return ast.dump(ast.parse(answer)) == ast.dump(ast.parse(self.starter))
        except SyntaxError:
            return False


@dataclass
class Page:
    """The exercises of a page of the course, under the name of its file."""

    name: str
    title: str
    part: str
    exercises: list[Exercise]
    #: number of a project -> what to expect of it
    projects: dict[int, str]

    def number_of(self, title):
        return [each.title for each in self.exercises].index(title) + 1

    def exercise(self, number):
        if not 1 <= number <= len(self.exercises):
            raise LookupError(f"{self.name} has {len(self.exercises)} exercises, numbered from 1: there is no number "
                              f"{number}")
        return self.exercises[number - 1]


# ------------------------------------------------------------------------------ a file


def uncommented(lines):
    return "\n".join(re.sub(r"^# ?", "", line) for line in lines.strip().splitlines())


def read(text, name="<exercises>"):
    """(the title of the page, its exercises, {number: text} of its projects) in the text of a file.

    Raises ValueError if a cell comes before the first exercise, or an exercise lacks one of its parts.
    """
    found, projects = [], {}
    opening, *cells = CELL.split(text)
    heading = HEADING.match(opening)
    for kind, body in zip(cells[::2], cells[1::2]):
        what, _, title = kind.partition(": ")
        if what == "Project":
            projects[int(title)] = uncommented(body)
        elif title:
            found.append(Exercise(title, uncommented(body), what == "Stage"))
        elif not found:
            raise ValueError(f"{name}: {kind} comes before the first exercise")
        elif kind == "Hint":
            found[-1].hints.append(uncommented(body))
        elif kind == "Rubric":
            found[-1].rubric = uncommented(body)
        else:
            setattr(found[-1], kind.lower(), body.strip() + "\n")
    for each in found:
        if not each.complete:
            raise ValueError(f"{name}: the exercise {each.title!r} needs a text, a starter, a check and hints"
                             f"{', and a rubric' if each.stage else ''}")
    return heading.group(1) if heading else name, found, projects


# ------------------------------------------------------------------------------ all files


@functools.cache
def sources():
    """{name of a file: its text}, of the path of the course and of all exercises: in the archive, or in a clone."""
    if ARCHIVE.exists():
        return json.loads(zlib.decompress(ARCHIVE.read_bytes()))
    if not (TUTORIALS / "exercises").is_dir():
        raise LookupError(NOWHERE.format(ARCHIVE.name))
    files = [TUTORIALS / "path.toml", *(TUTORIALS / "exercises").glob("*.py")]
    return {path.name: path.read_text(encoding="utf-8") for path in files}


@functools.cache
def parts():
    """{the title of a part: the names of its pages that have exercises}, in the order of reading."""
    there = {name.removesuffix(".py") for name in sources() if name.endswith(".py")}
    found = {part["title"]: [name for name in part["pages"] if name in there]
             for part in tomllib.loads(sources()["path.toml"])["parts"]}
    if beyond := sorted(there.difference(*found.values())):
        found[BEYOND] = beyond
    return found


def names():
    """The names of all pages that have exercises, in the order of reading.

    >>> names()[:2]
    ['gradients_of_one_expression', 'watch_a_backward_pass']
    """
    return [name for pages in parts().values() for name in pages]


@functools.cache
def page(name):
    title, found, projects = read(sources()[f"{name}.py"], name)
    return Page(name, title, next(part for part, pages in parts().items() if name in pages), found, projects)


def find(asked):
    """The page of this name, of which the beginning is enough if no other page begins so.

    >>> find("watch").title
    'Watch a backward pass'
    """
    name = asked.rpartition("/")[2].removesuffix(".py").removesuffix(".ipynb")
    known = names()
    matching = [each for each in known if each == name] or [each for each in known if name and each.startswith(name)]
    if len(matching) == 1:
        return page(matching[0])
    close = matching or difflib.get_close_matches(name, known, 3, 0.5)
    hint = (f"Did you mean {' or '.join(close)}?" if close else "To list all of them: python -m minigrad exercise")
    raise LookupError(f"no page with exercises is called {asked!r}. {hint}")

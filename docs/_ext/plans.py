"""The plan of a course and its lab sheets, from docs/teaching/plans.toml and docs/teaching/lectures.

``.. course-plan:: six`` is a table with the weeks of a plan: the lecture with its slides and its lab sheet, the pages
to read with the minutes of tutorials/path.toml, the homework with its hours, and what all of it takes.

``.. lab-sheet:: one_expression`` is the sheet of one lab: its parts with their minutes, and the task and the starter of
each exercise, so that the sheet can be used on paper. What should come out of a warm-up, its ``result``, is a program
whose output is folded away.
"""

import contextlib
import io
import textwrap
import tomllib
from functools import cache

import minigrad
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import lectures
from course import PAGES, PARTS, duration
from exercises import exercises_of, file_of
from fresh import start_afresh
from lectures import TEACHING

LECTURE, LAB = 45, 90           # minutes
MINUTES = {page: minutes for part in PARTS for page, minutes in part["pages"].items()}


@cache
def plans():
    return tomllib.loads((TEACHING / "plans.toml").read_text(encoding="utf-8"))


def doc(target, title=""):
    return f":doc:`{title} <{target}>`" if title else f":doc:`{target}`"


def bullets(lines):
    return "\n".join("* " + textwrap.indent(line, "  ").strip() for line in lines)


def cells(row):
    """One row of a list-table."""
    first, *rest = [textwrap.indent(cell, 7 * " ").strip() for cell in row]
    return "\n".join([f"   * - {first}", *[f"     - {cell}" for cell in rest]])


# ------------------------------------------------------------------------------ the plan


def minutes_of(week, hours):
    """What a week takes a student: the lecture, the lab, the pages and the homework, the longer one of two."""
    reading = sum(MINUTES[page] for page in week["read"])
    return LECTURE + LAB + reading + 60 * max([hours[name] for name in week["homework"]], default=0)


def row_of(number, week, hours):
    lecture = lectures.lecture(week["lecture"])
    reading = sum(MINUTES[page] for page in week["read"])
    read = [f"{doc('/tutorials/' + lectures.full(page))}, {MINUTES[page]} min" for page in week["read"]]
    homework = [f"{doc('/homework/' + name)}, about {hours[name]} h" for name in week["homework"]]
    after = ", ".join(f"“{lectures.lecture(name).title}”" for name in lecture.after)
    return cells([
        str(number),
        f"**{lecture.title}**\n\n:deck:`{lecture.name}` · {doc(f'/teaching/labs/{lecture.name}', 'lab sheet')}"
        + (f"\n\nBuilds on {after}." if after else ""),
        f"{bullets(read)}\n\n{duration(reading)}",
        "\n\nor\n\n".join(homework) or "The exercises of the pages that the lab leaves.",
        duration(minutes_of(week, hours)),
    ])


def plan_as_rst(name):
    plan, hours = plans()[name], plans()["hours"]
    rows = [row_of(number, week, hours) for number, week in enumerate(plan["weeks"], 1)]
    head = cells(["Week", "Lecture", "Read before it", "Homework", "In all"])
    return ".. list-table::\n   :header-rows: 1\n   :widths: 6 27 36 21 10\n\n" + "\n".join([head, *rows]) + "\n"


class CoursePlan(SphinxDirective):
    required_arguments = 1

    def run(self):
        self.env.note_dependency(str(TEACHING / "plans.toml"))
        for path in lectures.FOLDER.glob("*.toml"):
            self.env.note_dependency(str(path))
        return self.parse_text_to_nodes(plan_as_rst(self.arguments[0]))


# ------------------------------------------------------------------------------ the lab


def exercise(title):
    """(page, exercise) of this title; LookupError if the course has none, or several."""
    found = [(page, each) for page in PAGES if title in text_of(page) for each in exercises_of(page)
             if each.title == title]
    if len(found) != 1:
        raise LookupError(f"{len(found)} exercises are called {title!r}")
    return found[0]


def text_of(page):
    """The text of its exercises, which is searched sooner than it is read as exercises."""
    return file_of(page).read_text(encoding="utf-8") if file_of(page).exists() else ""


def printed(program):
    """What a program of a lab prints: the answer to a warm-up is computed, and folded away."""
    start_afresh()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(program, {"torch": minigrad})
    return said.getvalue()


def part_as_rst(part, began):
    when = f"Minutes {began} to {began + part['minutes']}"
    if "exercise" not in part:
        folded = ""
        if "result" in part:
            said = textwrap.indent(printed(part["result"]), "      ")
            folded = f"\n\n.. dropdown:: What comes out\n\n   .. code-block:: none\n\n{said}"
        return f".. rubric:: {part['title']}\n\n*{when}.*\n\n{part['text'].strip()}{folded}\n"
    page, task = exercise(part["exercise"])
    where = doc(f"/tutorials/{page}")
    starter = ".. code-block:: python\n\n" + textwrap.indent(task.starter, "   ")
    more = f"\n\n{part['text'].strip()}" if "text" in part else ""
    return f".. rubric:: {task.title}\n\n*{when}*, an exercise of {where}.\n\n{task.text}\n\n{starter}{more}\n"


def commands_of(parts):
    """How the exercises of a lab are begun and checked in a terminal."""
    pages = [*dict.fromkeys([exercise(part["exercise"])[0].rpartition("/")[2] for part in parts if "exercise" in part])]
    commands = "\n".join([f"   $ python -m minigrad exercise start {page}" for page in pages])
    return (f"The exercises are done in {'a file' if len(pages) == 1 else 'files'} of your own:\n\n"
            f".. code-block:: console\n\n{commands}\n\n"
            f"Then ``python -m minigrad exercise check {pages[0]}`` says what is wrong with an answer, and ``hint`` in "
            "place of ``check`` gives a hint.")


def lab_as_rst(lecture):
    lab, began, parts = lecture.lab, 0, []
    for part in lab["parts"]:
        parts.append(part_as_rst(part, began))
        began += part["minutes"]
    head = (f"{began} minutes, after the lecture “{lecture.title}” (:deck:`{lecture.name}`). Work in pairs, at one "
            f"keyboard, and change places with each part. You need {lab['needs']}.")
    end = f".. rubric:: Hand in\n\n{lab['hand_in'].strip()}\n"
    return "\n\n".join([head, commands_of(lab["parts"]), *parts, end])


class LabSheet(SphinxDirective):
    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        self.env.note_dependency(str(lectures.FOLDER / f"{name}.toml"))
        return [nodes.container("", *self.parse_text_to_nodes(lab_as_rst(lectures.lecture(name))),
                                classes=["lab-sheet"])]


def deck_role(role, raw, text, line, inliner, options=None, content=None):
    """``:deck:`one_expression```: a link to the slides of a lecture, which are a page without a theme."""
    here = inliner.document.settings.env.docname
    uri = "../" * here.count("/") + f"teaching/lectures/{text}.html"
    return [nodes.reference(raw, "slides", refuri=uri)], []


def setup(app):
    app.add_directive("course-plan", CoursePlan)
    app.add_directive("lab-sheet", LabSheet)
    app.add_role("deck", deck_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

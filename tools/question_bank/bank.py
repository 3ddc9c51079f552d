"""The bank as it is written: the questions of ``questions/*.toml``, and the pages that they belong to.

A question is data, and has no answer in it, only the way to compute one.  Its fields:

==============  =======================================================================================================
``name``        what it is called; ``pages.toml`` says by this name which page of the course it belongs to
``difficulty``  1: one fact or one step; 2: a few steps; 3: several ideas together
``kind``        ``choice``, ``number``, ``text`` (a short answer), or ``drawing``
``text``        what is asked; ``code`` is between single backticks
``draw``        what differs between variants: ``{a = [2, 3], f = ["sin", "cos"]}``; ``$a`` is replaced in all texts
``where``       which combinations are allowed, an expression of the drawn values
``program``     the program that is shown, and run
``after``       what is run after it, and not shown
``why``         why the right answer is right
==============  =======================================================================================================

and one of these four, from which the answer is computed:

==============  =======================================================================================================
``wrong``       with ``answer``, an expression, or without it, for what the program prints: wrong answers as
                ``[expression, the mistake that leads to it]``
``options``     ``[code, reason]``, with ``holds``: an expression of ``option`` that is true for the right one alone; or
                ``[sentence, expression that tells whether it is true, reason]``
``gradient``    the name of a leaf: the gradient that reaches it in ``result.backward()``, which is shown as the last
                line of the program; the wrong answers are the mistakes of the backward player
``graph``       what is drawn: the arguments of ``viz.graph``
==============  =======================================================================================================

:mod:`tools.question_bank.building` draws a variant and computes its answers.
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

KINDS = ("choice", "number", "text", "drawing")
#: by difficulty
LEVELS = {1: "easy", 2: "medium", 3: "hard"}
MINUTES = {1: 2, 2: 4, 3: 7}


@dataclass(frozen=True)
class Question:
    name: str
    difficulty: int
    kind: str
    text: str
    page: str
    why: str = ""
    draw: dict = field(default_factory=dict)
    where: str = "True"
    program: str = ""
    after: str = ""
    answer: str = ""
    wrong: tuple = ()
    holds: str = ""
    options: tuple = ()
    result: str = ""
    gradient: str = ""
    graph: str = ""

    @property
    def points(self):
        return self.difficulty


def pages_of_the_course():
    """{page: its part's title}, in the order of the course."""
    path = tomllib.loads((ROOT / "tutorials" / "path.toml").read_text(encoding="utf-8"))
    return {page: part for part in path["parts"] for page in part["pages"]}


def pages_of_questions():
    """{page: the names of its questions}, as ``pages.toml`` says."""
    return tomllib.loads((HERE / "pages.toml").read_text(encoding="utf-8"))


def questions():
    """{name: Question}, in the order of ``pages.toml``."""
    found = {}
    for path in sorted((HERE / "questions").glob("*.toml")):
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["questions"]:
            if each["name"] in found:
                raise ValueError(f"two questions are called {each['name']!r}")
            found[each["name"]] = each
    return {name: Question(page=page, **found[name]) for page, names in pages_of_questions().items() for name in names}


def page_title(page):
    """The title of a page, from the docstring of its script."""
    folder = pages_of_the_course()[page]["folder"]
    text = (ROOT / "tutorials" / folder / f"{page}.py").read_text(encoding="utf-8")
    return re.sub(r"``|:\w+:|`", "", next(line for line in text.splitlines() if line.strip('r" '))).strip()


def pages_of_weeks(plan, weeks):
    """The pages that a plan of the course, "six" or "twelve", reads in these weeks."""
    plans = tomllib.loads((ROOT / "docs" / "teaching" / "plans.toml").read_text(encoding="utf-8"))
    if plan not in plans:
        raise LookupError(f"there is no plan of {plan} weeks")
    found = dict(enumerate(plans[plan]["weeks"], 1))
    if missing := [str(week) for week in weeks if week not in found]:
        raise LookupError(f"the plan of {plan} weeks has no week {', '.join(missing)}")
    return [page.rpartition("/")[2] for week in weeks for page in found[week]["read"]]

"""``.. prerequisites-test::``: the questions of docs/teaching/prerequisites.toml, which mark themselves.

The answers are computed while the site is built. A script on the page compares what is typed with them; on paper, and
without the script, there is a line for each answer, and a list of them on a sheet at the end.
"""

import ast
import contextlib
import io
import textwrap
import tomllib
from pathlib import Path

import minigrad
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from course import TUTORIALS
from fresh import start_afresh

DATA = TUTORIALS.parent / "docs" / "teaching" / "prerequisites.toml"
SCRIPT = Path(__file__).with_name("prerequisites.html")         # what marks the answers, and how they are printed


def slope(function, at):
    """The derivative of a function of one number."""
    return minigrad.func.grad(function)(minigrad.tensor(float(at), dtype=minigrad.float64))


def topics():
    return tomllib.loads(DATA.read_text(encoding="utf-8"))["topics"]


def answer_of(question):
    """The number that answers a question, computed; and what its program printed, if it has one."""
    start_afresh()
    names, printed = {"torch": minigrad, "slope": slope}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(question.get("program", ""), names)
        value = eval(compile(ast.parse(question["answer"].strip(), mode="eval"), "<answer>", "eval"), names)
    return float(value), printed.getvalue()


def question_as_rst(number, question):
    """The text, the program, and a field for the answer."""
    value, _ = answer_of(question)
    parts = [f".. rubric:: {number}", question["text"].strip()]
    if "program" in question:
        parts.append(".. code-block:: python\n\n" + textwrap.indent(question["program"].strip(), "   "))
    parts.append(".. raw:: html\n\n   " + (
        f'<p class="marked"><input type="text" inputmode="decimal" autocomplete="off" data-right="{value:.6g}" '
        f'aria-label="Your answer to question {number}"> <span role="status"></span></p>'))
    return "\n\n".join(parts)


def as_rst():
    parts, answers, number = [], [], 0
    for topic in topics():
        parts.append(f".. rst-class:: subject\n\n.. rubric:: {topic['title']}")
        for question in topic["questions"]:
            number += 1
            parts.append(question_as_rst(number, question))
            answers.append(f"{number}. {answer_of(question)[0]:.4g}")
    score = "".join(f'<li data-topic="{len(topic["questions"])}">{topic["title"]}: <b>0</b> of '
                    f'{len(topic["questions"])}. To revise: {" ".join(topic["read"].split())}.</li>'
                    for topic in topics())
    parts.append(f'.. raw:: html\n\n   <ul class="score" hidden>{score}</ul>')
    parts.append(".. rst-class:: answers\n\n.. rubric:: Answers\n\n.. dropdown:: All answers\n\n" +
                 textwrap.indent("\n".join(answers), "   "))
    return "\n\n".join(parts)


class PrerequisitesTest(SphinxDirective):
    def run(self):
        for path in (DATA, SCRIPT):
            self.env.note_dependency(str(path))
        return [*self.parse_text_to_nodes(as_rst()), nodes.raw("", SCRIPT.read_text(encoding="utf-8"), format="html")]


def setup(app):
    app.add_directive("prerequisites-test", PrerequisitesTest)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

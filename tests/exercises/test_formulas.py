"""A formula of a task, as a line that a terminal and a comment can show."""

import re

import pytest

from minigrad.exercises import pages, work
from minigrad.exercises.formulas import in_a_line


@pytest.mark.parametrize(("formula", "line"), [
    (r"a^b \ln a", "a^b ln a"),
    (r"x^{12} + x^{-1/2}", "x^12 + x^(-1/2)"),
    (r"c_{n-1,k} + x_1 x_2", "c_(n-1,k) + x_1 x_2"),
    (r"\log \sum_i e^{x_i}", "log sum_i e^(x_i)"),
    (r"x\,\sigma(x)", "x sigma(x)"),
    (r"v \cos\theta + \sin^2\theta", "v cos theta + sin^2 theta"),
    (r"\frac{a + b}{g}", "(a + b) / g"),
    (r"\frac{a}{g} \left(x\right)", "(a / g) (x)"),
    (r"\sqrt{v'} + \sqrt[3]{2 n}", "sqrt(v') + (2 n)^(1/3)"),
    (r"\bar A = -Y^T \bar Y", "A_bar = -Y^T Y_bar"),
    (r"h \mapsto \langle y, h \rangle", "h -> <y, h>"),
    (r"G^{\mathsf T} / \|x\|", "G^T / |x|"),
    (r"1 - \text{weight\_decay} \cdot \beta_1^t", "1 - weight_decay * beta_1^t"),
    (r"\binom{s + r}{s}", "binom(s + r, s)"),
])
def test_a_formula_in_a_line(formula, line):
    assert in_a_line(formula) == line


def latex(text):
    """What is left of formulas in a text, outside its code."""
    return re.findall(r"\\[a-zA-Z]+|:math:|\.\. math::|\^\{|\$", re.sub("`[^`]+`", "", text))


@pytest.mark.parametrize("name", pages.names())
def test_no_task_and_no_hint_shows_latex(name):
    page = pages.find(name)
    texts = [text for each in page.exercises for text in (each.text, each.rubric, *each.hints)]
    assert [left for text in texts for left in latex(work.plain(text))] == []


def test_a_command_that_nobody_knows_is_found():
    assert in_a_line(r"\oint x") == r"\oint x" and latex(work.plain(r"As :math:`\oint x` says.")) == [r"\oint"]


def test_a_displayed_formula_is_a_line_of_its_own():
    text = "It flies\n\n.. math::\n\n   R = \\frac{v}{g}\n   + 1\n\nfar."
    assert work.plain(text) == "It flies\n\n    R = v / g + 1\n\nfar."
    assert work.markdown(text) == "It flies\n\n$$R = \\frac{v}{g} + 1$$\n\nfar."
    assert work.markdown("Let :math:`x^2` be ``x * x``.") == "Let $x^2$ be `x * x`."

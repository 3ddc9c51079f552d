"""The exercises of the tutorials: a check refuses the starter, in words, and accepts the solution."""

import ast
import contextlib
import importlib
import io
import json
import re
import sys
import textwrap
from pathlib import Path

import pytest

from minigrad.exercises.work import work_in

pytest.importorskip("sphinx_gallery")
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tutorials" / "exercises"
CAPSTONE = FOLDER / "capstone.py"
FILES = sorted(set(FOLDER.glob("*.py")) - {CAPSTONE})


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


#: the page, the exercise, an answer that has the right numbers in a way that the text forbids, and what is said of it
FORBIDDEN = [
    ("watch_a_backward_pass", 3, """
        def cotangents(w, x, t):
            product = w.clone().requires_grad_() * x
            difference = product - t
            d, = torch.autograd.grad((difference ** 2).sum(), difference)
            return d, d, d * x""", "without autograd"),
    ("from_numbers_to_tensors", 1, """
        def gradients(W, x, z_bar):
            return torch.func.vjp(torch.matmul, W, x)[1](z_bar)""", "without autograd"),
    ("from_numbers_to_tensors", 2, """
        def gradients(s, x, b, y_bar):
            return torch.func.vjp(lambda s, b: s * x + b, s, b)[1](y_bar)""", "without autograd"),
    ("from_numbers_to_tensors", 3, """
        def gradient(z, p_bar):
            return torch.func.grad(lambda z: z.softmax(0) @ p_bar)(z)""", "without autograd"),
    ("broadcasting_and_its_transpose", 1, """
        def product_vjp(a, b, grad):
            return torch.func.vjp(torch.mul, a, b)[1](grad)""", "without autograd"),
    ("broadcasting_and_its_transpose", 2, """
        def center_vjp(g):
            return torch.func.vjp(center, torch.zeros_like(g))[1](g)[0]""", "without autograd"),
    ("complex_derivatives", 1, """
        def quotient_vjp(z, w, g):
            z, w = z.requires_grad_(), w.requires_grad_()
            return torch.autograd.grad(z / w, (z, w), g)""", "without autograd"),
    ("the_chain_rule_as_linear_maps", 2, """
        def spread(g):
            return torch.func.vjp(smooth, g.new_zeros(len(g) + 1))[1](g)[0]""", "without autograd"),
    ("the_table_itself", 2, """
        def transpose(d):
            return torch.func.vjp(difference, d.new_zeros(len(d) + 1))[1](d)[0]""", "without autograd"),
]


#: the same of answers that are nearly right
NEARLY = [
    ("gradients_of_one_expression", 2, """
        def range_from(v, theta, h):
            vertical = v * torch.sin(theta)
            return v * torch.cos(theta) / 9.81 * (vertical + torch.sqrt(vertical ** 2 + 2 * 9.81 * h))

        def worth(v, theta, h):
            h = torch.tensor(h, requires_grad=True)
            range_from(torch.tensor(v), torch.tensor(theta), h).backward()
            return h.grad""", "a number of Python"),
    ("read_an_error", 2, """
        @torch.no_grad()
        def line(slope, start, times):
            return slope * times + start

        def loss_of(slope, start, times, heights):
            differences = line(slope, start, times) - heights + (start - start.detach())
            return differences.square().mean() + 0.001 * slope * slope""", "both parts of the loss"),
    ("a_network_from_modules", 1, """
        import minigrad as torch

        class Scale(nn.Module):
            def __init__(self):
                super().__init__()
                self.factor = nn.Parameter(torch.ones(()))

            def forward(self, x):
                return x + self.factor - 1""", "3 times the input"),
    ("a_network_from_modules", 3, """
        def fine_tune(network, x, y, steps):
            network[:-1].requires_grad_(False)
            optimizer = torch.optim.SGD(network[-1].parameters(), lr=0.0001)
            for _ in range(steps):
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(network(x), y).backward()
                optimizer.step()
            network.requires_grad_(True)""", "20 steps of SGD at a rate of 0.1"),
]


@pytest.mark.parametrize(("page", "number", "answer", "said"), FORBIDDEN + NEARLY)
def test_a_check_refuses_what_the_text_forbids(page, number, answer, said, extension):
    each = extension.read(FOLDER / f"{page}.py")[number - 1]
    with pytest.raises(AssertionError, match=said):
        run(each.starter, textwrap.dedent(answer), each.check)


def test_each_exercise_that_forbids_autograd_is_among_them(extension):
    found = {(path.stem, number) for path in FILES for number, each in enumerate(extension.read(path), 1)
             if re.search("no autograd|without autograd", each.text)}
    assert found == {(page, number) for page, number, *_, said in FORBIDDEN if said == "without autograd"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_project_says_what_to_expect(path, extension):
    there = re.findall(r"^# (\d)\. ", pages_of()[path.stem].split("# Projects\n")[1], flags=re.MULTILINE)
    assert there and [*map(str, extension.projects_of(path.stem))] == there


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_points_of_a_project_come_first_and_add_up(path, extension):
    for number, text in extension.projects_of(path.stem).items():
        opening = re.match(r"(\d+) points?: (.+?)\.(\s|$)", text, flags=re.DOTALL)
        assert opening, f"Project {number} begins with its points."
        points, parts = int(opening.group(1)), [int(part) for part in re.findall(r"(\d+)\s+for\b", opening.group(2))]
        assert parts and (sum(parts) == points or re.search(r"for\s+each\b", opening.group(2))), f"Project {number}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.drawn
def test_the_numbers_that_a_project_leads_to_are_computed(path, extension):
    computed = extension.beside(path, "Project")
    assert [*computed] == [*map(str, extension.projects_of(path.stem))]
    for code in computed.values():
        assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(code)))
        run(code)


def pages_of():
    """{name: source} of the tutorials."""
    return {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "tutorials").glob("*/*.py")
            if path.parent != FOLDER}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_page_has_three_exercises(path, extension):
    assert any(page.endswith("/" + path.stem) for page in extension.PAGES)
    assert len(extension.read(path)) == 3


@pytest.mark.parametrize("path", [*FILES, CAPSTONE], ids=lambda path: path.stem)
def test_no_solution_is_beside_the_starter(path):
    assert "Solution" not in path.read_text(encoding="utf-8")


def test_every_file_of_solutions_has_its_exercises():
    assert {path.name for path in (FOLDER / "solutions").iterdir()} == {path.name for path in FILES}


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
"""
SOLUTION = """# %% Solution: One
x = 1
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.py"
    path.write_text(EXERCISE)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "page.py").write_text(SOLUTION)
    return path


def test_what_to_expect_of_a_project_unfolds_at_the_end(extension, monkeypatch, page):
    page.write_text(EXERCISE + "\n# %% Project: 1\n# 10 points: it is 7.\n")
    monkeypatch.setattr(extension, "file_of", lambda name: page)
    source = ["Title\n=====\n\nExercises\n---------\n\nProjects\n--------\n\n1. Do.\n\n.. _sphx_glr_download_page:\n"]
    extension.add_exercises(None, f"tutorials/{extension.PAGES[0]}", source)
    parts = "1. One", "1. Do.", "Project 1: what to expect", "   10 points: it is 7.", "sphx_glr_download"
    places = [source[0].index(part) for part in parts]
    assert places == sorted(places)


class TestReading:
    def test_an_exercise_gets_its_solution(self, extension, page):
        one, = extension.read(page)
        assert one.title == "One" and one.starter == "x = ...\n" and one.solution == "x = 1\n"

    def test_solutions_of_other_exercises_are_refused(self, extension, page):
        (page.parent / "solutions" / "page.py").write_text(SOLUTION.replace("One", "Two"))
        with pytest.raises(ValueError, match=r"solutions of \['Two'\], and the exercises are \['One'\]"):
            extension.read(page)


def test_the_page_folds_checks_hints_and_solutions(extension, page):
    text = extension.as_rst(extension.read(page), "page")
    parts = ("exercise start page", "1. One", "Some *text*", "x = ...", "dropdown:: Check", "dropdown:: Hint",
             "dropdown:: Solution")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "\n\n   Count." in text


def test_a_notebook_has_a_cell_for_each_answer_and_no_solution(extension, page):
    made = {"cells": [{"cell_type": "markdown", "source": ["The end.\n\n## Exercises\n\n## Projects\n\n1. More."]}]}
    extension.add_to_notebook(made, extension.read(page), "page")
    sources = ["".join(cell["source"]) for cell in made["cells"]]
    assert sources[0].endswith("## Exercises") and sources[-1] == "## Projects\n\n1. More."
    kinds = [cell["cell_type"] for cell in made["cells"]]
    assert kinds == ["markdown", "markdown", "markdown", "code", "code", "markdown"]
    assert "### 1. One" in sources[2] and "<summary>Hint</summary>" in sources[2] and sources[3] == "x = ..."
    assert "x = 1" not in "".join(sources)


@pytest.mark.parametrize("name", ["watch_a_backward_pass", "checkpointing"])
def test_the_command_finds_the_answers_in_a_notebook_of_the_site(name, extension, tmp_path):
    made = {"cells": [{"cell_type": "markdown", "source": ["## Exercises\n\n## Projects\n\n1. More."]}]}
    exercises = extension.exercises_of(name)
    extension.add_to_notebook(made, exercises, name, extension.projects_of(name))
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(made), encoding="utf-8")
    found = work_in(path)
    assert [*found.answers] == [1, 2, 3]
    assert all(each.is_untouched(found.answers[number].source) for number, each in enumerate(exercises, 1))
    assert "what to expect" in "".join(made["cells"][-1]["source"])

"""Questions about one submission: they are about its own lines, and the answers are what these lines compute."""

import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from minigrad import homework
from minigrad.homework import cli, oral
from minigrad.homework.edits import edits

SOLUTIONS = Path(__file__).parent / "solutions"
ASSIGNMENT = '''
from minigrad.homework import Assignment

homework = Assignment("Weighing", starter="def weighed(x, w):\\n    raise NotImplementedError\\n")


@homework.item(2, "columns")
def columns(judge):
    x, w = judge.draw(2, 3), judge.draw(3)
    judge.same(judge.call("weighed", x, w), x @ w, "the result")


@homework.item(1, "is there")
def present(judge):
    judge.call("weighed", judge.draw(2, 3), judge.draw(3))
'''
SUBMISSION = '''\
import sys
sys.modules["where it ran"] = sys


def weighed(x, w):
    """Rows of x, weighed."""
    product = x * w
    return product.sum(1)
'''


@pytest.fixture
def weighing(tmp_path):
    (tmp_path / "weighing.py").write_text(ASSIGNMENT, encoding="utf-8")

    def check(source):
        path = tmp_path / "submission.py"
        path.write_text(source, encoding="utf-8")
        return homework.check(path, tmp_path / "weighing.py")

    return check


def array(text):
    return np.array(eval(text.replace("inf", "np.inf"), {"np": np}))


@pytest.mark.drawn
def test_the_answers_are_what_the_lines_compute(weighing):
    result, kinds = weighing(SUBMISSION), set()
    for seed in range(5):
        found = oral.questions(SUBMISSION, result, seed)
        assert len(found) == 3
        for question in found:
            kinds.add(question.kind)
            first, last = question.lines
            assert 7 <= first <= last <= 8
            if question.kind in ("line", "result"):
                x, w = [array(re.search(rf"`{name}` = (\[.*?\])(?:, `|,? what| for|\?|$)", " ".join(
                    question.text.split()))[1]) for name in "xw"]
                wanted = x * w if "product =" in question.text else (x * w).sum(1)
                assert np.allclose(array(question.answer), wanted, atol=1e-3)
            elif question.kind == "shape":
                changed, shape = re.search(r"`(\w)` had the shape (\(.*?\))", question.text).groups()
                shapes = {"x": (2, 3), "w": (3,)} | {changed: array(shape).tolist()}
                after = np.zeros(shapes["x"]) * np.zeros(shapes["w"])
                if after.shape == (2, 3):
                    assert question.answer.startswith("No line does") and "(2,)" in question.answer
                else:
                    assert f"Line 7 computes {after.shape} instead of (2, 3)." in question.answer
            else:
                before, after = [line.strip() for line in question.text.splitlines()[1:3]]
                assert before in SUBMISSION and "columns: 0 of 2" in question.answer
                assert "is there" not in question.answer
    assert kinds >= {"line", "shape", "edit"} and "where it ran" not in sys.modules


@pytest.mark.drawn
def test_a_line_that_would_raise_is_named_by_its_number_in_the_submission(weighing):
    source = SUBMISSION.replace("x * w", "np.stack([row * w for row in x[:2, :3]])")
    source = source.replace("import sys", "import numpy as np\nimport sys", 1)
    source = source.replace("    product = ", "    # weights\n    assert x.shape == (2, 3)\n    product = ")
    result = weighing(source)
    assert result.earned == 3
    answers = {question.answer for seed in range(5) for question in oral.questions(source, result, seed)
               if question.kind == "shape" and "`x` had" in question.text}
    assert answers == {"Line 9 raises AssertionError."}


def test_a_copy_that_takes_notes_computes_the_same(weighing):
    source = (SUBMISSION + "\n\nclass A:\n    n = 1\n\n    def f(self, *a, k=2, **b):\n        global G\n"
              "        G = self.n\n        if a:\n            return a\n        return\n\n\n"
              "def both(x):\n    yield x\n")
    text, lines = oral.noted(source)
    names = {}
    exec(compile(text, "noted.py", "exec"), names)
    sys.modules.pop("where it ran")
    x = np.ones((2, 3))
    assert (names["weighed"](x, x[0]) == 3).all() and names["A"]().f(1) == (1,) and names["A"]().f() is None
    assert list(names["both"](5)) == [5] and names["weighed"].__doc__ == "Rows of x, weighed."
    calls = names["__notes__"].taken()
    assert [(name, [step[:2] for step in steps]) for name, _, steps in calls] == [
        ("weighed", [[7, "assignment"], [8, "return"]]), ("A.f", [[16, "assignment"], [18, "return"]]),
        ("A.f", [[16, "assignment"]]), ("both", [])]
    assert {lines[number] for number in lines} >= {1, 2, 5, 7, 8, 18}


@pytest.mark.parametrize("name", homework.names())
@pytest.mark.drawn
def test_there_are_three_questions_about_every_solution(name):
    path = SOLUTIONS / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    begun = time.perf_counter()
    found = oral.questions(source, homework.check(path), 0)
    assert len(found) == 3 or name == "grade_the_tests" and len(found) == 2     # tests compute little themselves
    assert time.perf_counter() - begun < 120
    for question in found:
        quoted = [line.strip() for line in question.text.splitlines() if line.startswith("    ")]
        assert not quoted or quoted[0] == source.splitlines()[question.lines[0] - 1].strip()
        assert question.answer and "at 0x" not in question.text + question.answer


@pytest.mark.parametrize("source", ["def weighed(:\n", "", "def weighed(x, w):\n    raise NotImplementedError\n",
                                    "import os\nos._exit(0)\n", "import minigrad.homework\n"])
def test_of_nothing_nothing_is_asked(source, weighing):
    assert oral.questions(source, weighing(source), 0) == []
    assert "nothing to ask" in oral.asked([])


def test_a_submission_that_ends_its_process_is_asked_about_what_it_did_before(weighing):
    source = SUBMISSION + "\n\ndef other():\n    pass\n"
    ending = source.replace("    return product.sum(1)", "    result = product.sum(1)\n    sys.exit(1)")
    assert len(oral.questions(ending, weighing(ending), 1)) >= 1


def test_check_prints_questions_and_keeps_the_answers_apart(tmp_path, weighing, capsys):
    weighing(SUBMISSION)
    given = ["check", str(tmp_path / "submission.py"), "--assignment", str(tmp_path / "weighing.py"), "--oral"]
    assert cli.main(given) == 0
    out = capsys.readouterr().out
    questions, answers = out.split("Answers, for the tutor\n")
    assert "3 of 3 points" in questions and re.findall(r"^(\d)\. ", answers, re.MULTILINE) == ["1", "2", "3"]
    assert cli.main([*given, "--answers", str(tmp_path / "tutor" / "answers.txt")]) == 0
    assert "for the tutor" not in capsys.readouterr().out
    assert (tmp_path / "tutor" / "answers.txt").read_text(encoding="utf-8").startswith("1. ")


# ------------------------------------------------------------------------------ edits


@pytest.mark.parametrize("line, kind, after", [
    ("return d.sum(0)", "a reduction", "return d.mean(0)"), ("return a + b", "an operator", "return a - b"),
    ("return c * (a + b)", "an operator", "return c / (a + b)"),
    ("return -(a + b) * c", "a sign", "return (a + b) * c"),
    ("return a, b", "swapped results", "return b, a"), ("return x.T @ d", "a transpose", "return x @ d"),
    ("return (a + b) / n * c", "a factor", "return (a + b) * c"), ("return 2 * (a - b)", "a factor", "return (a - b)"),
    ("return d * np.conj(y)", "a conjugate", "return d * (y)"),
    ("return d * y.conj()", "a conjugate", "return d * (y)"),
    ("return x.sum(axis=1)", "an axis", "return x.sum(axis=0)"), ("x.grad += d", "a sum", "x.grad = d"),
    ("x.grad = d", "a sum", "x.grad += d"), ("é = np.sin(x)", "a function", "é = np.cos(x)"),
])
def test_an_edit_is_one_slip(line, kind, after):
    found = edits(f"def f(x):\n    {line}\n    # é\n")
    assert (kind, f"    {after}") in [(edit.kind, edit.after) for edit in found]
    for edit in found:
        assert edit.function == "f" and edit.line == 2 and edit.before == f"    {line}"
        compile(edit.source, "edited.py", "exec")
        assert edit.source.splitlines()[2] == "    # é" and len(edit.source.splitlines()) == 3


def test_there_is_nothing_to_edit_outside_functions():
    assert edits("a = 1 + 2\n\n\nclass A:\n    n = 1\n\n    def f(self):\n        return self\n")[0].function == "A.f"

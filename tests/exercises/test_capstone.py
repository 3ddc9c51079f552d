"""The capstone: a solution passes every stage with the numbers that its rubric expects, and a slip is told by its name.
"""

from pathlib import Path

import pytest

from minigrad.exercises import pages, words
from minigrad.exercises.running import checked
from minigrad.exercises.work import Answer, Work, started, work_in

SOLUTION = Path(__file__).with_name("capstone.py")


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("OPENBLAS_NUM_THREADS", "1")
        yield


@pytest.mark.slow
@pytest.mark.drawn
def test_the_solution_has_all_points():
    report = words.check(SOLUTION, seconds=300)
    assert report, repr(report)
    assert sum(each.points for each in report.verdicts) == 100 and "100 of 100 points" in repr(report)


def test_the_starter_is_a_program_without_a_right_stage(tmp_path):
    path = tmp_path / "capstone.py"
    path.write_text(started(pages.find("capstone"), path.name), encoding="utf-8")
    work = work_in(path)
    assert [checked(work, number).what for number in range(1, 8)] == 7 * ["missing"]


#: the stage, a slip in the solution, and what the check says
SLIPS = [
    (1, "sums[node] + gradient", "gradient", "Three paths of 1.5"),
    (1, "if not arrivals[node]:", "if True:", "1 of 15 graphs of minigrad's get wrong gradients.\ndiamonds in a row: "),
    (1, "in zip(roots, gradients)", "in zip(roots[:1], gradients)", "several roots: "),
    (1, "results = [None] * len(node.next_functions)", "continue", "None goes on"),
    (2, "gradient.sum(tuple(range(gradient.ndim - len(shape))))", "gradient", "gradient has the shape"),
    (2, "lambda g: sum_to(g * b.data, a.shape)", "lambda g: sum_to(g * a.data, a.shape)",
     "x.grad is [2.0, 30.0], and should be [4, 40]"),
    (2, "self.tensor.grad + gradient", "gradient", "A second pass adds to grad"),
    (2, "if any(operand.requires_grad for operand in operands)", "if True", "Nothing is recorded"),
    (3, "g * exponent * x.data ** (exponent - 1)", "g * exponent * x.data ** exponent", "power(x, 3): the gradient"),
    (3, "np.add.at(result, rows, g)", "result[rows] += g", "take(x, rows): the gradient is wrong"),
    (3, "if dim is not None and not keepdim", "if False", "sum(x, -1, False): in the backward pass, ValueError"),
    (3, "lambda g: sum_to(a.data.swapaxes(-1, -2) @ g, b.shape)", "lambda g: a.data.swapaxes(-1, -2) @ g",
     "the gradient of operand 2 has the shape"),
    (4, "scores - scores.data.max(-1, keepdims=True)", "scores", "The cross entropy of the scores 1000"),
    (4, "variance + 1e-5", "variance", "LayerNorm: the values are wrong"),
    (4, "value if isinstance(value, list) else [value]", "[value]", "modules in lists"),
    (4, "(-1 / targets.size)", "(-1.0)", "cross_entropy: the values are wrong"),
    (5, "/ (1 - first ** self.steps)", "", "After step 1 the parameter is"),
    (5, "p.data * (1 - self.lr * self.decay)", "p.data", "After step 1 the parameter is"),
    (5, "            if p.grad is None:\n                continue\n", "", "TypeError"),
    (6, "np.full((places, places), -1e9), 1)", "np.full((places, places), -1e9), 2)",
     "must not see what comes after it"),
    (6, " + self.place(np.arange(ids.shape[1]))", "", "A parameter has no gradient"),
]


@pytest.mark.drawn
@pytest.mark.parametrize(("stage", "right", "slip", "said"), SLIPS)
def test_a_slip_is_told(stage, right, slip, said, tmp_path):
    text = SOLUTION.read_text(encoding="utf-8")
    assert right in text
    path = tmp_path / "capstone.py"
    path.write_text(text.replace(right, slip), encoding="utf-8")
    verdict = checked(work_in(path), stage)
    assert not verdict.right and said in verdict.reason, verdict


@pytest.mark.slow
@pytest.mark.drawn
def test_a_model_that_is_not_trained_writes_no_poem():
    work = work_in(SOLUTION)
    answer = work.answers[7]
    idle = Answer(answer.source.replace("        optimizer.step()\n", ""), answer.line, answer.file)
    verdict = checked(Work(work.page, {**work.answers, 7: idle}), 7, seconds=300)
    assert not verdict.right and "The mean of the last 20 losses is 3." in verdict.reason

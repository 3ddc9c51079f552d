"""One cause, one charge: a line that several items use costs points once, and two mistakes are never taken for one."""

import json
import re
from pathlib import Path

import pytest

from minigrad import homework
from minigrad.homework import causes, judge

SOLUTIONS = Path(__file__).parent / "solutions"


@pytest.fixture
def checked(tmp_path):
    def check(name, *changes, items=None):
        source = (SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
        for right, wrong in changes:
            assert source.count(right) == 1
            source = source.replace(right, wrong)
        path = tmp_path / "submission.py"
        path.write_text(source, encoding="utf-8")
        return homework.check(path, items=items, seed=0)
    return check


MEAN = ("return g.sum(", "return g.mean(")
CONJUGATES = (("fit(d * np.conj(y), x)", "fit(d * y, x)"), ("return d * np.conj(np.exp(x))", "return d * np.exp(x)"))
FACTORS = (("return d * np.conj(np.exp(x))", "return 2 * d * np.conj(np.exp(x))"),
           ("return d * np.conj(1 - ", "return 2 * d * np.conj(1 - "))
THREE = ["add", "mul", "div", "exp", "tanh", "where"]


def test_a_helper_with_a_mean_for_a_sum_is_charged_once(checked):
    result = checked("ten_derivatives", MEAN, items=THREE)
    assert result.earned == result.points - 3
    assert [each.verdict for each in result.outcomes] == ["wrong", "once", "once", "right", "right", "right"]
    charged, *others = result.outcomes[:3]
    assert charged.earned == 0 and [each.earned for each in others] == [3, 3]
    assert "in line 8, in `fit`" in charged.reasons[-1] and "averaged" in charged.reasons[0]
    for each in others:
        assert each.title in charged.reasons[-1]
        assert each.reasons == [f"the mistake in line 8, in `fit`, which is charged once, in: {charged.title}"]
    assert result.note == ("One mistake, in line 8, in `fit`, touches 3 items. By itself it would cost 9 points; it is "
                           "charged once, with 3.") and result.note in str(result)
    tests = json.loads(homework.FORMATS["gradescope"](result))
    assert [test["status"] for test in tests["tests"][:3]] == ["failed", "passed", "passed"]
    assert "it is charged once, with 3" in tests["output"]


@pytest.mark.parametrize("changes, lost", [(CONJUGATES, {"mul": 1, "exp": 1}), (FACTORS, {"exp": 3, "tanh": 3})],
                         ids=["conjugates", "factors"])
@pytest.mark.drawn
def test_two_mistakes_that_read_the_same_are_two(checked, changes, lost):
    result = checked("ten_derivatives", *changes, items=THREE)
    assert {each.name: each.points - each.earned for each in result.outcomes if each.earned < each.points} == lost
    assert result.note == "" and "charged" not in str(result)


@pytest.mark.drawn
def test_a_mistake_of_its_own_is_charged_beside_the_shared_one(checked):
    result = checked("ten_derivatives", MEAN, CONJUGATES[0], items=THREE)
    found = {each.name: (each.earned, each.verdict) for each in result.outcomes}
    assert found == {"add": (0, "wrong"), "mul": (2, "partly"), "div": (3, "once"), "exp": (3, "right"),
                     "tanh": (3, "right"), "where": (3, "right")}
    reasons = result["mul"].reasons
    assert "is charged once, in: addition" in reasons[0] and "conjugate" in reasons[1] and len(reasons) == 2


@pytest.mark.drawn
def test_the_sum_is_what_the_edited_submission_has_less_one_charge(checked, monkeypatch):
    once = checked("ten_derivatives", MEAN, CONJUGATES[0], items=THREE)
    corrected = checked("ten_derivatives", CONJUGATES[0], items=THREE)
    monkeypatch.setattr(causes, "TRIES", 0)
    each_time = checked("ten_derivatives", MEAN, CONJUGATES[0], items=THREE)
    charge = max(new.earned - old.earned for new, old in zip(corrected.outcomes, each_time.outcomes))
    assert once.earned == corrected.earned - charge and each_time.earned < once.earned
    total, charged = re.search(r"cost (\d+) points; it is charged once, with (\d+)", once.note).groups()
    assert (int(total), int(charged)) == (corrected.earned - each_time.earned, charge)


@pytest.mark.drawn
def test_a_method_that_everything_uses_is_charged_once(checked):
    result = checked("forward_mode", ("self.tangent * other.value + self.value",
                                      "self.tangent * other.value - self.value"))
    assert result.earned == 14 and "in `Dual.__mul__`, touches 3 items" in result.note


@pytest.mark.drawn
def test_two_shared_mistakes_are_two_charges(checked):
    """The second is looked for in what the first has left."""
    result = checked("ten_derivatives", MEAN, ("import numpy as np\n", "import numpy as np\n\n\ndef half(d, x):\n"
                                              "    return -d * np.conj(x)\n\n"),
                     ("return d * np.conj(np.exp(x))", "return half(d, np.exp(x))"),
                     ("return d * np.conj(1 - np.tanh(x) ** 2)", "return half(d, 1 - np.tanh(x) ** 2)"), items=THREE)
    assert result.earned == result.points - 6
    assert "in `fit`, touches 3 items" in result.note and "in `half`, touches 2 items" in result.note


@pytest.mark.drawn
def test_nothing_is_tried_where_nothing_is_shared(checked, monkeypatch):
    def judged_again(*given):
        raise AssertionError("it is tried")

    monkeypatch.setattr(judge, "judged_again", judged_again)
    assert checked("ten_derivatives", items=THREE).earned == 18
    assert checked("ten_derivatives", FACTORS[0], items=THREE).earned == 15
    missing = checked("ten_derivatives", ("return d * np.conj(np.exp(x))", "raise NotImplementedError"),
                      ("return d * np.conj(1 - np.tanh(x) ** 2)", "return 1 / 0"), items=THREE)
    assert [each.verdict for each in missing.outcomes][3:5] == ["missing", "error"]


@pytest.mark.drawn
def test_an_edit_that_loses_points_elsewhere_is_no_cause(checked):
    """Two functions hand the wrong sign to `fit`, which others use as it is meant: two mistakes, though one edit undoes
    both."""
    changes = [("fit(d * np.conj(y), x), fit(d * np.conj(x), y)", "fit(-d * np.conj(y), x), fit(-d * np.conj(x), y)"),
               ("return fit(d, x), fit(d, y)", "return fit(-d, x), fit(-d, y)")]
    result = checked("ten_derivatives", *changes, items=["add", "mul", "div", "where"])
    assert [each.earned for each in result.outcomes] == [0, 0, 3, 3] and result.note == ""


@pytest.mark.drawn
def test_a_training_with_wrong_gradients_is_charged_with_them(checked):
    result = checked("classifier", ("    d /= len(labels)\n", "    d *= -1 / len(labels)\n"))
    assert [(each.earned, each.verdict) for each in result.outcomes] == [
        (3, "right"), (0, "wrong"), (3, "once"), (4, "once")]
    assert "in `gradients`, touches 3 items. By itself it would cost 13 points" in result.note


@pytest.mark.drawn
def test_a_slow_item_is_asked_again_only_where_another_was_corrected(checked, monkeypatch):
    asked = []
    again = judge.judged_again

    def judged_again(assignment, source, items, seconds):
        for item, outcome in zip(items, again(assignment, source, items, seconds)):
            asked.append(item.name)
            yield outcome

    monkeypatch.setattr(judge, "judged_again", judged_again)
    result = checked("classifier", ("labels] -= 1", "labels] += 1"))
    assert result.earned == 3 and asked.count("gradients") == causes.TRIES and {*asked} == {"gradients"}

"""The right answers of the bank of questions are PyTorch's as well: its programs run there, with the same result."""

import re

import pytest

from tools.question_bank import bank, building

QUESTIONS = bank.questions()
#: What PyTorch calls otherwise in a profile, or does not have: the table, implicit functions.
OURS = {"one_product_or_many", "products_there_and_back", "where_a_pass_begins", "what_accumulate_grad_does",
        "kind_of_a_row", "read_a_formula", "slope_of_a_root", "what_a_solver_leaves_behind"}


def answer(question, drawn, torch):
    """The right answer of this variant: its text, and the value if it has one."""
    def fill(text):
        return re.sub(r"\bminigrad\b", torch.__name__, building.filled(text, drawn))

    code = f"{fill(question.program)}\n{fill(question.after)}"
    if question.options:
        right = []
        for text, *test, _ in question.options:
            names, _ = building.run(code, torch)
            names["option"] = text = fill(text).strip("\n")
            right += [text] if eval(fill(test[0] if test else question.holds), names) else []
        return right, right
    if question.gradient:
        names, _ = building.run(f"{code}\n{question.result}.backward()", torch)
        value = names[question.gradient].grad
    else:
        names, printed = building.run(code, torch)
        value = eval(fill(question.answer), names) if question.answer else building.as_number(printed)
    return building.shown(value), value


@pytest.mark.parity
@pytest.mark.parametrize("name", [name for name, question in QUESTIONS.items()
                                  if question.kind != "drawing" and name not in OURS])
def test_the_right_answer_is_pytorchs(name):
    torch = pytest.importorskip("torch")
    for seed in range(2):
        each = building.built(QUESTIONS[name], seed)
        text, value = answer(QUESTIONS[name], each.drawn, torch)
        if QUESTIONS[name].options:
            assert text == [each.right.text]
        elif isinstance(value, float):
            assert value == pytest.approx(each.right.value, rel=1e-3, abs=1e-6, nan_ok=True)
        else:
            assert building.normal(text) == building.normal(each.right.text)


@pytest.mark.parametrize("name", sorted(OURS))
def test_what_is_left_out_is_not_in_pytorch(name):
    question = QUESTIONS[name]
    assert re.search(r"key_averages|minigrad\.ops|func\.implicit", question.program + question.after)

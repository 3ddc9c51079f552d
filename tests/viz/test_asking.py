"""A player that asks: the right answers are the numbers that flowed, and each wrong one has its reason."""

import html
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

import minigrad as torch
from minigrad import viz
from minigrad.notation.rows import written
from minigrad.ops.exports import ROWS
from minigrad.viz.mistakes import Derivation, close, mistakes
from minigrad.viz.questions import questions_of
from tests.viz.browser import in_browser, printed
from tests.viz.test_story import programs


def sine():
    x, y = torch.tensor(3.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    z = torch.sin(x) * y + x
    return viz.play(z, ask=True)


def layer():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w, b = torch.tensor([[0.5], [-1.0]], requires_grad=True), torch.tensor([0.25], requires_grad=True)
    b.grad = torch.ones(1)
    h = torch.tanh(x @ w + b)
    loss = (h * h).mean()
    return viz.play(loss, ask=True)


def all_questions(player):
    found = []
    for story in player.passes:
        asked = questions_of(story)
        found += [asked.root, *asked.gradients.values(), *asked.sums.values(), *asked.grads.values()]
    return [question for question in found if question]


def why(question, array):
    """The reason that a question has for a wrong answer; None if it does not know it."""
    array = np.asarray(array, dtype=float)
    found = [answer.why for answer in question.answers[1:] if close(np.asarray(answer.value.array), array)]
    return found[0] if found else None


def question_about(player, text):
    (found,) = [question for question in all_questions(player) if text in question.text]
    return found


# ------------------------------------------------------------------------------ right answers, wrong answers

@settings(max_examples=60)
@given(programs())
def test_the_right_answer_is_what_flowed(program):
    """And no wrong answer is equal to it, or without a reason."""
    with viz.record(ask=True) as player:
        program[1][-1].sum().backward()
    (story,) = player.passes
    asked = questions_of(story)
    for i, step in enumerate(story.steps):
        for k, flow in enumerate(step.flows):
            if flow.gradient is not None and flow.gradient.array is not None:
                question = asked.gradients[i, k]
                assert question.right.value is flow.gradient and not question.right.why
                assert ((i, k) in asked.sums) == (not flow.first)
            if (i, k) in asked.sums and flow.total.array is not None:
                assert asked.sums[i, k].right.value is flow.total
    for question in all_questions(player):
        for answer in question.answers[1:]:
            assert answer.why
            if question.kind == "shape":
                assert answer.value.shape != question.shape
            else:
                assert not close(np.asarray(answer.value.array), np.asarray(question.right.value.array))


def test_what_each_mistake_gives():
    player = sine()
    to_sine = question_about(player, "SinBackward0")
    assert to_sine.right.value.text == "2." and to_sine.hint == "d * other"
    assert why(to_sine, 1) == "the factor other is missing"
    assert why(to_sine, np.sin(3)) == "this is the gradient for other, not for self"
    assert why(to_sine, -2) == "the sign is wrong"
    to_x = question_about(player, "for self, which goes to AccumulateGrad of x")
    assert why(to_x, np.cos(3)) == "what arrives, d, is missing: the chain rule multiplies by it"
    assert why(to_x, 2) == "the factor cos(self) is missing"
    assert why(to_x, 2 * np.sin(3)) == ("this is d * sin(self), with the function itself in place of its derivative")
    assert why(to_x, 17) is None


def test_a_contribution_that_is_missing_is_named():
    total = question_about(sine(), "2 gradients have now arrived at AccumulateGrad of x")
    assert close(total.right.value.array, np.asarray(1 + 2 * np.cos(3), "float32"))
    assert why(total, 1) == "-1.9800 from step 4 (for self) is missing: every path to a tensor adds its gradient"
    assert why(total, 2 * np.cos(3)).startswith("1. from step 1 (for other) is missing")
    assert why(total, (1 + 2 * np.cos(3)) / 2).endswith("not averaged")


def test_three_paths():
    x = torch.tensor(2.0, requires_grad=True)
    player = viz.play(x * 3 + x * 5 + x * 11, ask=True)
    total = question_about(player, "3 gradients have now arrived")
    assert [total.right.value.text, why(total, 14) is None] == ["19.", False]
    for left, gone in ((8, "11."), (14, "5."), (16, "3.")):
        assert why(total, left).startswith(gone) and " is missing" in why(total, left)
    assert why(total, 3).count(" from step ") == 2 and "are missing" in why(total, 3)


def test_a_sum_that_was_not_taken():
    to_b = question_about(layer(), "for other, which goes to AccumulateGrad of b")
    unsummed = next(flow.result.array for step in layer().steps for flow in step.flows if flow.fitted)
    assert why(to_b, unsummed).startswith("it is not summed over axis 0, (3, 1) → (1,)")
    assert why(to_b, unsummed.mean(0)).endswith("the sum over its copies, not their mean")


def test_a_mean_a_slope_a_product_of_matrices():
    player = layer()
    mean = question_about(player, "for self, which goes to MulBackward0")
    assert why(mean, np.ones((3, 1))) == "the division by n is missing"
    assert why(mean, np.full((3, 1), 3)) == "this multiplies by n, where it must divide"
    tanh = question_about(player, "AddBackward0")
    h = np.tanh(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) @ [[0.5], [-1.0]] + 0.25)
    assert why(tanh, 2 * h / 3 * (1 - h)) == "the exponent of result² is missing"
    assert why(tanh, 2 * h / 3) == "the factor 1 - result² is missing"
    assert why(tanh, 2 * h / 3 * -h ** 2) == "the term 1 is missing"
    assert why(tanh, 2 * h / 3 * (1 + h ** 2)) == "the sign of the term -result² is wrong"


def test_a_transpose():
    a, b = (torch.tensor(each, requires_grad=True) for each in ([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 9.0]]))
    player = viz.play(a @ b, torch.tensor([[1.0, 2.0], [0.0, 1.0]]), ask=True)
    to_a = question_about(player, "AccumulateGrad of a")
    d = np.array([[1.0, 2.0], [0.0, 1.0]])
    assert why(to_a, d @ b.detach().numpy()) == "mat2 must be transposed here"
    assert why(to_a, b.detach().numpy().T @ d) == "the two matrices are multiplied in the wrong order"
    assert why(to_a, b.detach().numpy() @ d.T) == "it is transposed"
    assert why(to_a, d * b.detach().numpy().T).startswith("this multiplies entry by entry")


def test_the_other_operand():
    """Where the operands have one shape, and both are saved."""
    a, b = torch.tensor([2.0, 3.0], requires_grad=True), torch.tensor([5.0, 7.0])
    player = viz.play(torch.atan2(a, b), torch.ones(2), ask=True)
    (question,) = all_questions(player)
    reasons = [answer.why for answer in question.answers]
    assert "the formula has other there, not self" in reasons


def test_a_gradient_that_is_there_already():
    grad = question_about(layer(), "What is b.grad then?")
    assert grad.text.startswith("b.grad is [1.], and [-0.1909] arrives")
    added = grad.right.value.array - 1
    assert why(grad, added) == "b.grad was [1.] before: backward adds to it, and does not overwrite it"
    assert why(grad, [1]).endswith("is missing") and why(grad, 1 - added).startswith("backward adds the gradient;")


def test_a_hook_that_changed_what_arrives():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 5
    y.register_hook(lambda gradient: gradient * 3)
    to_x = question_about(viz.play(y, ask=True), "AccumulateGrad of x")
    assert to_x.right.value.text == "15."
    assert why(to_x, 5).startswith("what arrives, d, is missing") and why(to_x, 3) == "the factor other is missing"
    to_x = question_about(viz.play(y, torch.tensor(7.0), ask=True), "AccumulateGrad of x")
    assert why(to_x, 35) == "a hook changed what arrived, before the formula was applied"


def test_a_hook_that_changed_what_was_computed():
    """Nothing is asked of the formula then, of a gradient that was not asked for, and of what is None."""
    x, y = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0], requires_grad=True)
    h = x * 2
    h.grad_fn.register_hook(lambda computed, arrived: tuple([None if g is None else g * 3 for g in computed]))
    player = viz.play((h * y).sum(), ask=True)
    assert not [question for question in all_questions(player) if "goes to AccumulateGrad of x" in question.text]
    assert question_about(player, "goes to AccumulateGrad of y").right.value.text == "[2., 4.]"
    with viz.record(ask=True) as player:
        torch.autograd.grad((x * 1 * y).sum(), y)
    assert not [question for question in all_questions(player) if "MulBackward0, for self" in question.text]


def test_a_hook_behind_a_function():
    """Without a formula there are no mistakes in it."""
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x ** 3

        @staticmethod
        def backward(ctx, d):
            return d * 12

    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x)
    y.register_hook(lambda gradient: gradient * 3)
    to_x = question_about(viz.play(y, ask=True), "AccumulateGrad of x")
    assert to_x.right.value.text == "36." and why(to_x, 3) == "this is what arrives, unchanged"


def test_a_wrong_answer_that_is_too_large_is_not_offered():
    x, w = torch.ones(50, 2), torch.eye(2, requires_grad=True)
    to_w = question_about(viz.play((x @ w).sin().sum(), ask=True), "AccumulateGrad of w")
    assert to_w.kind == "numbers" and to_w.shape == (2, 2)
    assert all(answer.value.array.size <= 36 for answer in to_w.answers)


def test_what_kind_of_answer():
    """A few real numbers are typed, more are chosen, of many only the shape is asked."""
    for shape, dtype, kind in [((6,), None, "numbers"), ((7,), None, "choice"), ((20,), None, "choice"),
                               ((3, 7), None, "shape"), ((2,), torch.complex64, "choice")]:
        x = torch.arange(1.0, 1 + np.prod(shape)).reshape(shape).to(dtype or torch.float32).requires_grad_()
        question = question_about(viz.play(x * x, torch.ones(shape, dtype=dtype) * 2, ask=True), "for self")
        assert question.kind == kind, (shape, dtype)
        assert question.shape == shape and len(question.answers) > 1
        if kind == "choice":
            assert 2 <= len(question.offered()) <= 4 and question.right in question.offered()


def test_the_shape_of_many_numbers():
    x, row = torch.ones(5, 6), torch.ones(6, requires_grad=True)
    w = torch.ones(6, 7, requires_grad=True)
    player = viz.play(((x + row) @ w), torch.ones(5, 7), ask=True)
    to_w = question_about(player, "AccumulateGrad of w")
    assert to_w.kind == "shape" and to_w.shape == (6, 7)
    reasons = {answer.value.shape: answer.why for answer in to_w.answers[1:]}
    assert reasons[5, 7].startswith("this is the shape of what arrives")
    assert reasons[7, 6].startswith("it is transposed")
    assert reasons[5, 6].startswith("this is the shape of the gradient for self") and (42,) in reasons


def test_the_shape_of_what_was_broadcast():
    column = torch.ones(200, 1, requires_grad=True)
    question = question_about(viz.play((torch.ones(200, 50) * column).sum(), ask=True), "AccumulateGrad of column")
    reasons = {answer.value.shape: answer.why for answer in question.answers[1:]}
    assert question.kind == "shape" and reasons[200, 50].startswith("it is not summed")
    assert reasons[200, 50].endswith("which was broadcast")


def test_with_which_gradient_a_pass_begins():
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    assert "the gradient of y with respect to itself" in all_questions(viz.play(y, ask=True))[0].text
    assert questions_of(viz.play(y, torch.tensor(2.0), ask=True).passes[0]).root is None
    with viz.record(ask=True) as player:
        torch.autograd.backward([y, x * 5])
    assert questions_of(player.passes[0]).root is None


def test_nothing_is_asked_of_a_batch():
    with viz.record(ask=True) as player:
        torch.func.vmap(torch.func.grad(lambda row: (row * row).sum()))(torch.ones(2, 3))
    assert player.steps
    player._repr_html_()
    assert not [question for question in all_questions(player) if question.right.value.batch]


def test_nothing_is_asked_of_nothing():
    x = torch.ones(0, 3, requires_grad=True)
    player = viz.play((x + torch.ones(1, requires_grad=True)).sum(), ask=True)
    assert player._repr_html_() and [question.shape for question in all_questions(player)] == [(), (1,)]


def test_every_formula_is_computed_or_left_out():
    """The text of a formula means what the engine does: for nearly all of the table's elementwise operations."""
    rng, known = np.random.default_rng(0), 0
    operations = [op for op in ROWS.values() if op.kind == "elementwise" and op.shown in torch.__dict__
                  and all([formula.text is not None for formula in op.formulas]) and len(op.params) == len(op.formulas)]
    for op in operations:
        names = dict.fromkeys([name for formula in op.formulas for name in formula.names])
        if not set(names) <= {"self", "other"} or op.name == "fill.Tensor":
            continue
        arguments = [torch.tensor(rng.uniform(0.2, 0.8, 3), requires_grad=True) for _ in op.formulas]
        player = viz.play(op(*arguments), torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64), ask=True)
        for flow in player.steps[0].flows:
            assert flow.derivation is not None, op.shown
            known += bool(mistakes(flow.derivation))
    assert known > 25


@pytest.mark.parametrize("operation, reason", [
    (lambda x: x.softmax(0), "the term -sum(d * result, dim) is missing"),
    (lambda x: x.log_softmax(0), "the term -exp(result) * sum(d, dim) is missing"),
    (torch.exp2, "the factor ln(2) is missing"),
    (lambda x: 3 ** x, "the factor ln(self) is missing"),
    (torch.relu, "the gradient passes only where result > 0"),
    (torch.sqrt, "the division by 2 is missing"),
    (lambda x: x ** 3, "the factor exponent is missing"),
    (torch.erf, "the division by sqrt(π) is missing"),
    (lambda x: x.std(), "what arrives, d"),
    (lambda x: torch.gradient(x)[0], "the sign is wrong"),
    (lambda x: (x * 1j).exp(), "the conjugate of result is missing"),
    (lambda x: torch.logcumsumexp(x, 0), "the sign is wrong"),
])
def test_reasons_of_many_formulas(operation, reason):
    x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
    y = operation(x)
    gradient = torch.arange(2.0, y.numel() + 2).reshape(y.shape).to(y.dtype)
    told = [answer.why for question in all_questions(viz.play(y, gradient, ask=True)) for answer in question.answers]
    assert any([each.startswith(reason) for each in told]), told


def test_a_formula_that_does_not_give_what_the_engine_gave_has_no_variants():
    formula = written(ROWS["sin"], "self")
    values = {"d": np.array(2.0), "self": np.array(3.0)}
    assert mistakes(Derivation(formula, values, 2 * np.cos(3.0)))
    assert mistakes(Derivation(formula, values, np.array(5.0))) == []


def test_asking_keeps_nothing_alive_and_changes_nothing():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    plain, asking = viz.play(y), viz.play(y, ask=True)
    assert str(plain) == str(asking) and x.grad is None
    for flow in asking.steps[1].flows:
        assert all(isinstance(value, np.ndarray) for value in flow.derivation.values.values())
        assert not any(np.shares_memory(value, x.detach().numpy()) for value in flow.derivation.values.values())
    assert plain.steps[1].flows[0].derivation is None
    assert "data-ask" not in plain._repr_html_() and "data-ask" in asking._repr_html_()


def test_the_page_holds_the_answers_and_reads_without_its_script():
    page = layer()._repr_html_()
    data = [json.loads(html.unescape(each)) for each in re.findall(r'data-ask="(.*?)"', page)]
    assert sum(map(len, data)) == len(all_questions(layer()))
    assert all([answer["right"] for answer in question["answers"]].count(True) == 1
               for each in data for question in each)
    assert "<desc>" not in page and not re.search(r"<d[td][^>]* hidden", page)


# ------------------------------------------------------------------------------ in a browser

ASKING = """
const input = () => player.querySelector(".mgp-ask input"),
    text = (what) => (player.querySelector(what) || {}).textContent;
const answer = (typed) => { input().value = typed; input().form.requestSubmit(); };
const verdict = () => text(".mgp-verdict") || text(".mgp-right") || text(".mgp-shown") || "";
const shown = () => Array.from(player.querySelectorAll(".mgp-steps > li:not([hidden]) dt"))
    .filter((e) => e.getClientRects().length).map((e) => e.textContent);
"""


def test_a_question_is_asked_judged_and_answered(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, sine()._repr_html_(), ASKING + """
        slide(player, 2);
        const seen = {rows: shown(), said: look(player).said, question: text(".mgp-ask label"),
            open: look(player).labels.slice(3, 5).map((l) => l[2])};
        seen.judged = ["1", "0.14", "-2", "6", "ten", "", "[2]", "1 2", "5"].map((each) => { answer(each);
        return verdict(); });
        seen.heard = look(player).said;
        answer("2.00"); seen.right = verdict(); seen.after = shown(); seen.told = look(player).said;
        seen.focus = document.activeElement === input(); seen.labels = look(player).labels.slice(3, 5).map((l) => l[2]);
        answer(".14"); seen.done = [verdict(), input(), shown()]; seen.next = document.activeElement.dataset.do;
        return seen;""")
    assert seen["rows"] == ["arrives", "saved self", "saved other"] and seen["open"] == ["hidden", "hidden"]
    assert seen["question"].startswith("What is the gradient for self, which goes to SinBackward0?Write one number")
    assert seen["said"].startswith("Step 2: MulBackward0. What is the gradient for self")
    assert seen["judged"] == [
        "Not yet: the factor other is missing.", "Not yet: this is the gradient for other, not for self.",
        "Not yet: the sign is wrong.", "Not yet: it is 3 times what it should be.",
        *["This cannot be read: write one number, such as 0.5."] * 2,
        "Not yet: this has the shape (1,), and the answer has the shape ().",
        "Not yet: this has 2 numbers, and the answer has the shape ().", "Not yet: the formula is d * other."]
    assert seen["heard"] == seen["judged"][-1] and seen["right"] == "Right." and seen["focus"]
    assert seen["after"] == [*seen["rows"], "for self", "goes to"] and seen["labels"] == ["visible", "hidden"]
    assert seen["told"].startswith("Right. ") and "What is the gradient for other" in seen["told"]
    assert seen["done"] == ["Right.", None, [*seen["after"], "for other", "goes to"]] and seen["next"] == "next"


@pytest.mark.drawn
def test_lists_and_how_they_may_be_written(chromium, tmp_path):
    """With brackets or without, with fractions and rounded; a wrong shape is named."""
    x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    player = viz.play(x * x, torch.tensor([[1 / 3, 2.0, 0.5]]), ask=True)
    right = ["[[1/3, 4, 1.5]]", ".333 4 1.5", "0.33, 4, 1.5", "[[ 0.3333 4.0 3/2 ]]", "3.333e-1;4;1.5"]
    wrong = ["[1/3, 4, 1.5]", "[[1/3, 4], [1.5]]", "[[1/3, 4, 1.5]", "1 4 1.5", "[[1, 2, 3]]", "2/3 8 3", "0.3 4 2"]
    seen = in_browser(chromium, tmp_path, player._repr_html_(), f"""{ASKING}
        const results = []; slide(player, 1);
        for (const each of {json.dumps(wrong)}) {{ answer(each); results.push(verdict()); }}
        const before = text(".mgp-ask label"); answer({json.dumps(right[0])});
        return [results, before !== text(".mgp-ask label")];""")
    assert seen == [["Not yet: this has the shape (3,), and the answer has the shape (1, 3).",
                     *["This cannot be read: write numbers of shape (1, 3), such as [[1, 2, 3]]."] * 2,
                     "Not yet: 2 of 3 numbers are right.",
                     "Not yet: what arrives, d, is missing: the chain rule multiplies by it.",
                     "Not yet: every number is 2 times what it should be.", "Not yet: 1 of 3 numbers is right."], True]
    for each in right[1:]:
        assert in_browser(chromium, tmp_path, player._repr_html_(), f"""{ASKING}
            slide(player, 1); answer({json.dumps(each)}); return text(".mgp-right");""") == "Right.", each


@pytest.mark.drawn
def test_choices_and_shapes(chromium, tmp_path):
    x = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    chosen = viz.play(x * x, torch.tensor([1j, 2 + 0j]), ask=True)
    seen = in_browser(chromium, tmp_path, chosen._repr_html_(), f"""{ASKING}
        slide(player, 1); const seen = [];
        for (let i = 0; i < 4; i++) {{ const all = player.querySelectorAll(".mgp-choice");
        if (text(".mgp-right")) {{ break; }}
            all[i].click(); seen.push([all[i].textContent, verdict()]); }}
        return seen;""")
    assert seen[-1] == [chosen.steps[0].flows[0].gradient.text, "Right."]
    assert all(verdict.startswith("Not yet: ") for _, verdict in seen[:-1])
    w = torch.ones(6, 7, requires_grad=True)
    shaped = viz.play(torch.ones(5, 6) @ w, torch.ones(5, 7), ask=True)
    seen = in_browser(chromium, tmp_path, shaped._repr_html_(), f"""{ASKING}
        slide(player, 1); const seen = ["(5, 7)", "7x6", "()", "9", "[6, 7]"].map((each) => {{ answer(each);
        return verdict(); }});
        answer("6, 7"); return [...seen, verdict()];""")
    assert [each.partition(",")[0] for each in seen] == [
        "Not yet: this is the shape of what arrives",
        "Not yet: it is transposed: a gradient has the shape of its tensor",
        "Not yet: it is not a single number: a gradient has the shape of its tensor",
        "Not yet: a gradient has the shape of the tensor that it is the gradient of.",
        "This cannot be read: a shape is written like (2", "Right."]


@pytest.mark.drawn
def test_the_switch_and_the_score(chromium, tmp_path):
    n = len(all_questions(sine()))
    seen = in_browser(chromium, tmp_path, sine()._repr_html_(), ASKING + """
        const ask = player.querySelector("button[data-do=ask]"), seen = {};
        answer("1"); click(player, "next"); answer("7"); answer("1"); press(player, "End");
        seen.score = text(".mgp-score");
        slide(player, 2); click(player, "ask");
        seen.off = [ask.getAttribute("aria-pressed"), shown().length, text(".mgp-ask") || ""];
        seen.labels = look(player).labels[3][2]; press(player, "End"); seen.none = text(".mgp-score") || "";
        slide(player, 2); click(player, "ask"); seen.on = [ask.getAttribute("aria-pressed"), shown().length];
        player.querySelector(".mgp-show").click(); seen.shown = [text(".mgp-shown"), shown().length];
        return seen;""")
    assert seen == {"score": f"Right at the first try: 1 of {n}.", "off": ["false", 7, ""], "labels": "visible",
                    "none": "", "on": ["true", 3], "shown": ["Here it is.", 5]}


@pytest.mark.drawn
def test_what_was_answered_can_be_saved(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, sine()._repr_html_(), ASKING + """
        press(player, "End"); const before = text(".mgp-record") || ""; press(player, "Home");
        answer("1"); click(player, "next"); answer("7 é%"); answer("5"); player.querySelector(".mgp-show").click();
        press(player, "End"); const link = player.querySelector(".mgp-record a");
        const saved = decodeURIComponent(link.href.slice(link.href.indexOf(",") + 1));
        click(player, "ask"); return [before, link.textContent, link.download, saved, text(".mgp-record") || ""];""")
    before, words, file, saved, after = seen
    assert (before, words, file, after) == ("", "Save my answers", "predictions.txt", "")
    title, date, caution, _, *lines = saved.splitlines()
    assert title == "Predictions: " + sine()._title() and re.fullmatch(r"Saved on \d{4}-\d\d-\d\d \d\d:\d\d UTC", date)
    assert "proves nothing" in caution
    questions = [question.text for question in all_questions(sine())]
    assert [line for line in lines if line[:1].isdigit()] == [f"{n}. {text}" for n, text in enumerate(questions, 1)]
    assert lines[1] == "     1    Right." and lines[-1] == f"Right at the first try: 1 of {len(questions)}."
    assert lines[3].startswith("     7 é%    This cannot be read: ") and lines[4].startswith("     5    Not yet: ")
    assert lines[5] == "     asked to be shown" and "     not answered" in lines


@pytest.mark.drawn
def test_keys_while_asking(chromium, tmp_path):
    """Arrows step from an answer that is still empty, and move in one that is not; playing stops at a question."""
    seen = in_browser(chromium, tmp_path, sine()._repr_html_(), ASKING + """
        const at = () => look(player).at.split(" ")[0], seen = [];
        press(player, "ArrowRight"); seen.push(at()); input().focus(); press(input(), "ArrowRight");
        seen.push(at(), document.activeElement === input());
        input().value = "2"; press(input(), "ArrowRight"); press(input(), " "); press(input(), "Home"); seen.push(at());
        press(player, "Home"); press(player, " "); await wait(9000);
        seen.push(at(), player.querySelector("button[data-do=play]").getAttribute("aria-pressed"));
        return seen;""")
    assert seen == ["2", "3", True, "3", "2", "false"]


@pytest.mark.drawn
def test_asking_on_paper_and_on_a_narrow_screen(chromium, tmp_path):
    """On paper all is answered, and nothing is asked; a screen of 320 pixels is wide enough."""
    assert sum(printed(chromium, tmp_path, layer()._repr_html_())) >= sum(
        printed(chromium, tmp_path, viz.play(torch.ones(1, requires_grad=True))._repr_html_()))
    player = layer()
    player.save(tmp_path / "inner.html")
    frame = "<iframe src='inner.html' style='width:320px;height:800px;border:0'></iframe>"
    widths = in_browser(chromium, tmp_path, frame, f"""
        const frame = document.querySelector("iframe");
        while (!frame.contentDocument || !frame.contentDocument.querySelector("[data-ready]")) {{ await wait(20); }}
        const inner = frame.contentDocument, seen = [];
        for (let i = 0; i < {len(player.steps) + 2}; i++) {{
            slide(inner.querySelector(".minigrad-player"), i);
            seen.push(inner.documentElement.scrollWidth);
            inner.querySelectorAll(".mgp-ask *").forEach((e) => {{ seen.push(e.getBoundingClientRect().right); }});
        }}
        return seen;""")
    assert max(widths) <= 320

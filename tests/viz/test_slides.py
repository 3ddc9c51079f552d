"""Slides for a lecture: one step at a time in a window, and one step on each sheet of paper."""

import pytest

import minigrad as torch
from minigrad import viz
from tests.viz.browser import in_browser, printed
from tests.viz.test_asking import layer, sine


def body_of(player, folder):
    page = player.slides(folder / "slides.html").read_text(encoding="utf-8")
    return page.partition("<body>")[2].partition("</body>")[0]


def plain():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with viz.record() as player:
        (x * x).sum().backward()
        (x * 3).sum().backward()
    return player


def test_keys_step_from_anywhere(chromium, tmp_path):
    """Arrows, space, Enter and the keys of a remote control; the slider and the buttons still work."""
    n = len(plain().steps) + 4
    seen = in_browser(chromium, tmp_path, body_of(plain(), tmp_path), """
        const at = () => look(player).at.split(" ")[0], seen = [];
        const push = (target, key, more) => { press(target, key, more); seen.push(at()); };
        for (const key of ["ArrowRight", "PageDown", " ", "Enter", "ArrowLeft", "PageUp", "End", "ArrowRight", "Home",
                           "ArrowLeft", "a"]) {
            push(document.body, key);
        }
        push(player, "ArrowRight"); push(player.querySelector("input[type=range]"), "ArrowRight");
        click(player, "next"); seen.push(at()); push(document.body, "ArrowRight", {ctrlKey: true});
        return seen;""")
    assert seen == ["2", "3", "4", "5", "4", "3", str(n), str(n), "1", "1", "1", "2", "3", "4", "4"]


def test_a_question_is_answered_by_the_next_key(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, body_of(sine(), tmp_path), """
        const seen = [], open = () => player.querySelectorAll(".mgp-ask .mgp-show").length;
        for (let i = 0; i < 5; i++) {
            seen.push([look(player).at.split(" ")[0], open()]); press(document.body, "ArrowRight");
        }
        return seen;""")
    assert seen == [["1", 1], ["1", 0], ["2", 1], ["2", 1], ["2", 0]]


def test_each_sheet_has_its_step_and_its_picture(chromium, tmp_path):
    player = layer()
    sheets, lit, labels, hidden, at = in_browser(chromium, tmp_path, body_of(player, tmp_path), """
        const sheets = Array.from(document.querySelectorAll(".mgp-sheet"));
        const find = (s, what) => Array.from(s.querySelectorAll(what));
        const now = (s) => find(s, ".mg-vertex").map((v, i) => v.dataset.state === "now" ? i : -1);
        return [sheets.map((s) => s.querySelector(".mgp-title").textContent),
            sheets.map((s) => now(s).filter((i) => i >= 0)),
            sheets.map((s) => find(s, ".mg-label").filter((l) => l.dataset.state !== "todo").length),
            sheets.flatMap((s) => find(s, "[hidden], .mgp-ask, .mgp-score")).length, look(player).at];""")
    assert sheets == ["The pass begins", *[f"Step {i}: {step.name}" + f" of {step.leaf}" * bool(step.leaf)
                                           for i, step in enumerate(player.steps, 1)], "The pass is over"]
    assert lit[1:-1] == [[step.vertex] for step in player.steps]
    assert labels == sorted(labels) and labels[0] == 1 and labels[-1] == len(player.passes[0].picture.edges)
    assert hidden == 0 and at.startswith("1 ")


@pytest.mark.parametrize("make", [plain, layer])
@pytest.mark.drawn
def test_each_step_is_one_sheet_of_paper(chromium, tmp_path, make):
    player = make()
    words = printed(chromium, tmp_path, body_of(player, tmp_path))
    assert len(words) == len(player.steps) + 2 * len(player.passes) and min(words) > 150


def test_slides_are_html(tmp_path):
    with pytest.raises(RuntimeError, match=r"Player.slides\(\): a player is saved as .html, not '.pptx'"):
        plain().slides(tmp_path / "lecture.pptx")
    assert plain().slides(tmp_path / "lecture.html") == tmp_path / "lecture.html"

"""The test before the course marks itself, and its answers are on paper."""

from pathlib import Path

from tests.viz.browser import in_browser, printed

SCRIPT = (Path(__file__).resolve().parents[3] / "docs" / "_ext" / "prerequisites.html").read_text(encoding="utf-8")
FIELDS = "".join(f'<p class="marked"><input data-right="{right}"> <span></span></p>' for right in (2.5, -12, 0.25))
SCORE = ('<ul class="score" hidden><li data-topic="2">A: <b>0</b> of 2.</li><li data-topic="1">B: <b>0</b> of 1.</li>'
         "</ul>")
BODY = f"{FIELDS}{SCORE}<details><summary>All answers</summary>{'x' * 50}</details>{SCRIPT}"


def test_each_answer_is_marked(chromium, tmp_path):
    first, second = in_browser(chromium, tmp_path, BODY, """
        const inputs = Array.from(document.querySelectorAll("input")), score = document.querySelector(".score");
        function type(...texts) {
            texts.forEach((text, i) => {
                inputs[i].value = text;
                inputs[i].dispatchEvent(new Event("change", { bubbles: true }));
            });
            const marks = Array.from(document.querySelectorAll(".marked span")).map((span) => span.textContent);
            return [marks, Array.from(document.querySelectorAll("b")).map((b) => b.textContent), score.hidden];
        }
        return [type("5/2", "12", "x"), type("2,5", "−12", "")];""")
    assert first == [["right", "not yet", "a number, such as 2.5 or 5/2"], ["1", "0"], False]
    assert second == [["right", "right", ""], ["2", "0"], False]


def test_the_answers_are_printed(chromium, tmp_path):
    assert sum(printed(chromium, tmp_path, BODY)) >= 50

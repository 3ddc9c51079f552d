"""What derive and code return, in a page: formulas and a program, each with a button that copies it."""

import html
import re

import pytest

import minigrad as torch
from minigrad import viz
from minigrad.viz.page import MORE_DARK, MORE_LIGHT
from minigrad.viz.svg import DARK, LIGHT
from tests.viz.browser import in_browser
from tests.viz.test_player import Reader


def layer():
    x, w = torch.tensor([[1.0, 2.0]]), torch.tensor([[0.5], [-1.0]], requires_grad=True)
    with viz.recording():
        h = torch.tanh(x @ w)
        loss = h.sum()
    return viz.derive(loss), viz.code(loss)


@pytest.mark.parametrize("i", [0, 1])
def test_it_stands_alone_and_is_well_formed(i):
    text = layer()[i]._repr_html_()
    reader = Reader()
    reader.feed(text)
    assert reader.open == [] and reader.loaded == [] and "url(" not in text and "@import" not in text
    assert not re.search(r"\sid=", text) and '<button type="button" hidden>' in text
    assert len(text) < 12_000


def test_a_program_is_there_as_it_is():
    program = layer()[1]
    assert html.escape(str(program)) in program._repr_html_()


def test_names_are_escaped():
    x = torch.tensor(1.0, requires_grad=True)
    with viz.recording():
        y = x * 2
    made = viz.code(y)
    made.text += '# </code></pre><script>alert("1")</script>\n'
    assert "alert(&quot;1&quot;)" in made._repr_html_() and made._repr_html_().count("<script>") == 1


@pytest.mark.parametrize("i, begin", [(0, r"\begin{align*}"), (1, '"""Loss and its gradients')])
def test_the_button_copies_the_text(chromium, tmp_path, i, begin):
    """Into the clipboard; and where a page may not write to it, the text is selected."""
    made = layer()
    seen = in_browser(chromium, tmp_path, made[0]._repr_html_() + made[1]._repr_html_(), f"""
        const root = document.querySelectorAll(".minigrad-sheet")[{i}], found = [];
        const button = root.querySelector("button");
        const write = (text) => {{ found.push(text); return Promise.resolve(); }};
        const shown = () => root.querySelector(".mgs-text").getClientRects().length > 0;
        found.push(button.getClientRects().length > 0, shown());
        Object.defineProperty(navigator, "clipboard", {{ value: {{ writeText: write }} }});
        button.click(); await wait(20); found.push(root.querySelector("[role=status]").textContent);
        navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
        button.click(); await wait(20); found.push(shown(), window.getSelection().toString().trim());
        return found;""")
    text = str(made[1]) if i else made[0].latex
    assert seen[:4] == [True, bool(i), text, "Copied."] and text.startswith(begin)
    assert seen[4] is True and seen[5].split() == text.split()


@pytest.mark.parametrize("theme, colours", [("light", LIGHT | MORE_LIGHT), ("dark", DARK | MORE_DARK)])
@pytest.mark.drawn
def test_it_is_light_or_dark_as_the_page_says(chromium, tmp_path, theme, colours):
    seen = in_browser(chromium, tmp_path, layer()[0]._repr_html_(), f"""
        document.body.dataset.theme = "{theme}";
        const root = document.querySelector(".minigrad-sheet"), button = root.querySelector("button");
        return [getComputedStyle(root).backgroundColor, getComputedStyle(button).backgroundColor];""")
    assert seen == [f"rgb({', '.join([str(int(colours[name][i:i + 2], 16)) for i in (1, 3, 5)])})"
                    for name in ("paper", "panel")]

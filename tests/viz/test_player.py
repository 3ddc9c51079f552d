"""The player as a page: it stands alone, reads without its script, and in a browser does what its buttons and keys say."""

import contextlib
import json
import re
import warnings
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import minigrad as torch
from minigrad import viz
from minigrad.ops.exports import ROWS
from minigrad.viz.page import MORE_DARK, MORE_LIGHT
from minigrad.viz.svg import DARK, LIGHT
from tests import drawn
from tests.ops.calling import calls_of_rows, recorded_loss
from tests.viz.browser import in_browser, printed


def two_layers():
    torch.manual_seed(0)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    w = torch.tensor([[0.5], [-1.0]], requires_grad=True)
    b = torch.tensor([0.25], requires_grad=True)
    b.grad = torch.ones(1)
    h = torch.tanh(x @ w + b)
    h.register_hook(lambda gradient: gradient * 2)
    loss = (h * h).mean()
    return viz.play(loss)


def several_passes():
    x = torch.tensor(3.0, requires_grad=True)
    with viz.record() as player:
        (x * 2).backward()
        (x * x).backward()
    return player


# ------------------------------------------------------------------------------ without a browser

class Reader(HTMLParser):
    """Notes tags that stay open, and what a page would load."""

    VOID = {"input", "meta", "path", "br", "link", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.loaded, self.texts = [], [], []

    def handle_starttag(self, tag, attributes):
        self.loaded += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.texts.append(data)


@pytest.mark.parametrize("make", [two_layers, several_passes])
def test_it_stands_alone_and_is_well_formed(make, tmp_path):
    player = make()
    path = player.save(tmp_path / "pass.html")
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == [] and reader.loaded == []
    assert set(re.findall(r"https?://[^\"' )<]+", text)) <= {"http://www.w3.org/2000/svg"} and "@import" not in text
    assert "url(" not in text
    assert player._repr_html_() in text and text.startswith("<!DOCTYPE html>") and 'lang="en"' in text
    assert "<title>Backward pass" in text


def test_it_is_small():
    y = x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for _ in range(4):
        y = (y * x).sin()
    player = viz.play(y.sum())
    assert len(player.steps) == 10 and len(player._repr_html_().encode()) < 64_000


def test_it_has_no_ids():
    """So that any number of players fit on a page."""
    assert not re.search(r"\sid=", two_layers()._repr_html_())


def test_it_is_a_story_without_its_script():
    """All steps are there to be read, in order, with their numbers."""
    player = two_layers()
    reader = Reader()
    reader.feed(player._repr_html_())
    text = " ".join(" ".join(reader.texts).split())
    at = text.index("The pass begins")
    for number, step in enumerate(player.steps, 1):
        at = text.index(f" Step {number}: {step.name} ", at) + 1
        for flow in step.flows:
            at = text.index(flow.gradient.line, at)
    assert text.index("The pass is over", at)
    assert 'class="mgp-controls" hidden' in player._repr_html_()


def test_names_that_no_file_can_hold(tmp_path):
    nasty = "</title>\x00\x1b\ud800\uffff<b>\"'"
    x = torch.ones(2, requires_grad=True)
    drawing = viz.graph({nasty: x.exp(), nasty + "2": x})
    for ending in (".svg", ".dot"):
        text = drawing.save(tmp_path / f"graph{ending}").read_text(encoding="utf-8")
        assert not set(text) & set("\x00\x1b\uffff")
    ElementTree.fromstring(drawing.svg)


def test_everything_is_escaped():
    class Nasty(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            raise ValueError("</script><script>alert(1)</script> & \"quotes\" 'too'")

    Nasty._backward_cls.__name__ = "</style><b>&\"'"
    hook = lambda gradient: None
    hook.__qualname__ = "<img src=x onerror=alert(2)>"
    y = Nasty.apply(torch.tensor(1.0, requires_grad=True))
    y.register_hook(hook)
    text = viz.play(y)._repr_html_()
    reader = Reader()
    reader.feed(text)
    assert reader.open == [] and reader.loaded == []
    assert text.count("<script>") == text.count("</script>") == 1 and "<img" not in text and "<b>" not in text
    assert "alert(1)" in text and "onerror=alert(2)" in text


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    light, dark = sorted([luminance(a), luminance(b)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT | MORE_LIGHT, DARK | MORE_DARK], ids=["light", "dark"])
def test_colours_can_be_read(colours):
    for paper in ("paper", "panel"):
        for ink in ("ink", "faint", "lit", "wrong"):
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
        assert contrast(colours["rule"], colours[paper]) >= 3
    for form in ("leaf", "op", "accumulate", "custom", "write", "result"):
        assert contrast(colours["lit"], colours[form]) >= 3, form


def test_save_wants_html(tmp_path):
    with pytest.raises(RuntimeError, match="saved as .html") as caught:
        two_layers().save(tmp_path / "pass.svg")
    assert caught.value.code == "MG204"


def test_save_writes_whatever_an_error_says(tmp_path):
    """Also half of a surrogate pair, which no file of text may hold."""
    def fail(gradient):
        raise ValueError("\udce4 \0")

    y = torch.tensor(1.0, requires_grad=True) * 2
    y.register_hook(fail)
    assert "\\udce4" in viz.play(y).save(tmp_path / "pass.html").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------ in a browser

def values_of(step):
    """The numbers that a slide of the step must show."""
    found = [] if step.leaf else [value.text for value in step.arrived if value]
    for flow in step.flows:
        found += [flow.result.text] if flow.result.line != flow.numbers else []
        found += [flow.gradient.text] if flow.fitted else []
        found += [flow.total.text] if not flow.first else []
    return found + [value.text for value in (step.before, step.added if step.before else None, step.after) if value]


def test_stepping_to_the_end_and_back(chromium, tmp_path):
    player = two_layers()
    n = len(player.steps) + 2
    forth, back, before = in_browser(chromium, tmp_path, player._repr_html_(), f"""
        const before = look(player);
        const onward = [], back = []; for (let i = 0; i < {n + 2}; i++) {{ click(player, "next");
        onward.push(look(player)); }} for (let i = 0; i < {n + 2}; i++) {{ click(player, "back");
        back.push(look(player)); }} return [onward, back, before];""")
    assert before["title"] == "The pass begins" and before["at"] == f"1 / {n}" and before["said"] == ""
    assert all(each["shown"] == 1 and each["graphs"] == 1 for each in forth + back)
    for number, (step, seen) in enumerate(zip(player.steps, forth), 1):
        assert seen["title"].startswith(f"Step {number}: {step.name}") and set(values_of(step)) <= set(
            seen["values"]), step.name
        assert [i for i, state in enumerate(seen["vertices"]) if state == "now"] == [step.vertex]
        lit = {flow.edge for flow in step.flows if flow.gradient is not None} | ({step.edge} - {None})
        assert {i for i, state in enumerate(seen["routes"]) if state == "now"} == lit
        assert seen["said"].startswith(seen["title"]) and all(flow.gradient.line in seen["said"] for flow in step.flows)
    assert [each["at"] for each in forth[-3:]] == [f"{n} / {n}"] * 3
    assert [each["at"] for each in back[-3:]] == [f"1 / {n}"] * 3
    assert [each["title"] for each in back[:n - 1]] == [each["title"] for each in [before, *forth[:n - 2]]][::-1]
    assert back[-1]["vertices"] == before["vertices"] and "todo" not in {state for state in forth[-1]["routes"]}


@pytest.mark.drawn
def test_labels_appear_as_gradients_flow(chromium, tmp_path):
    player = two_layers()
    first, last = in_browser(chromium, tmp_path, player._repr_html_(), """
        const first = look(player); click(player, "last"); return [first, look(player)];""")
    assert [visibility for _, _, visibility in first["labels"]].count("visible") == 1
    assert {visibility for _, _, visibility in last["labels"]} == {"visible"}
    assert [text for text, _, _ in last["labels"]] == [edge.label for edge in player.passes[0].picture.edges]


def test_keys_and_the_slider(chromium, tmp_path):
    player = two_layers()
    seen = in_browser(chromium, tmp_path, player._repr_html_() + "<button id='outside'>x</button>", """
        const at = () => look(player).at.split(" ")[0], seen = {};
        press(player, "ArrowRight"); seen.right = at();
        press(player, "End"); seen.end = at();
        press(player, "ArrowLeft"); seen.left = at();
        press(player, "Home"); seen.home = at();
        slide(player, 4); seen.slide = at();
        press(document.body, "ArrowRight"); press(document.getElementById("outside"), "ArrowRight"); seen.outside = at();
        press(player.querySelector("input"), "ArrowRight"); press(player.querySelector("select"), "ArrowRight"); seen.inSlider = at();
        press(player.querySelector(".mgp-graph"), "ArrowRight"); seen.inGraph = at();
        press(player, "ArrowRight", {ctrlKey: true}); press(player, "ArrowRight", {shiftKey: true}); seen.withControl = at();
        press(player.querySelector("button"), "ArrowRight"); seen.onButton = at();
        const other = new KeyboardEvent("keydown", {key: "Tab", bubbles: true, cancelable: true});
        player.dispatchEvent(other); seen.tab = other.defaultPrevented;
        return seen;""")
    n = str(len(player.steps) + 2)
    assert seen == {"right": "2", "end": n, "left": str(int(n) - 1), "home": "1", "slide": "5", "outside": "5",
                    "inSlider": "5", "inGraph": "5",
                    "withControl": "5", "onButton": "6", "tab": False}


@pytest.mark.drawn
def test_a_key_that_steps_does_nothing_else(chromium, tmp_path):
    """It neither scrolls the page nor is heard outside; other keys are."""
    prevented, heard = in_browser(chromium, tmp_path, two_layers()._repr_html_(), """
        const prevented = [], heard = [];
        document.addEventListener("keydown", (event) => { heard.push(event.key); });
        for (const key of ["ArrowRight", "End", " ", "ArrowUp", "Tab"]) {
            const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
            player.dispatchEvent(event); prevented.push(event.defaultPrevented);
        }
        return [prevented, heard];""")
    assert prevented == [True, True, True, False, False] and heard == ["ArrowUp", "Tab"]


@pytest.mark.drawn
def test_space_on_a_button_is_the_buttons(chromium, tmp_path):
    """As the browser itself has it: it presses the button, whichever that is, and does not play besides."""
    pressed = in_browser(chromium, tmp_path, two_layers()._repr_html_(), """
        press(player.querySelector("button[data-do=next]"), " "); return player.querySelector("button[data-do=play]").getAttribute("aria-pressed");""")
    assert pressed == "false"


@pytest.mark.drawn
def test_what_a_screen_reader_hears_of_the_controls(chromium, tmp_path):
    player = two_layers()
    n = len(player.steps) + 2
    seen = in_browser(chromium, tmp_path, player._repr_html_(), f"""
        const disabled = () => Array.from(player.querySelectorAll("button")).map((e) => e.getAttribute("aria-disabled"));
        const seen = [];
        for (const i of [0, 1, {n - 1}]) {{ slide(player, i); seen.push([player.querySelector("input").getAttribute("aria-valuetext"), disabled()]); }}
        return seen;""")
    assert seen == [[f"1 / {n}, The pass begins", ["true", "true", None, "false", "false", None, None]],
                    [f"2 / {n}, Step 1: {player.steps[0].name}", ["false", "false", None, "false", "false", None, None]],
                    [f"{n} / {n}, The pass is over", ["false", "false", None, "true", "true", None, None]]]


def test_playing_and_pausing(chromium, tmp_path):
    player = several_passes()
    n = len(player.steps) + 4
    seen = in_browser(chromium, tmp_path, player._repr_html_(), """
        const at = () => look(player).at.split(" ")[0], seen = {}, play = player.querySelector("button[data-do=play]");
        const icon = play.querySelector("path").getAttribute("d");
        seen.atFirst = play.getAttribute("aria-pressed");
        press(player, " "); seen.pressed = play.getAttribute("aria-pressed"); seen.icon = play.querySelector("path").getAttribute("d") !== icon;
        await wait(3400); seen.after = at();
        click(player, "play"); await wait(5000); seen.paused = at(); seen.released = play.getAttribute("aria-pressed");
        player.querySelector("select").value = "4"; click(player, "play"); await wait(8000); seen.end = at(); seen.stopped = play.getAttribute("aria-pressed");
        click(player, "play"); seen.again = at();
        click(player, "next"); await wait(3000); seen.taken = at();
        return seen;""")
    assert seen == {"atFirst": "false", "pressed": "true", "icon": True, "after": "3", "paused": "3",
                    "released": "false", "end": str(n), "stopped": "false",
                    "again": "1", "taken": "2"}


@pytest.mark.drawn
def test_each_pass_has_its_picture(chromium, tmp_path):
    player = several_passes()
    seen = in_browser(chromium, tmp_path, player._repr_html_(), f"""
        const seen = []; for (let i = 0; i < {len(player.steps) + 4}; i++) {{ slide(player, i); seen.push(look(player)); }} return seen;""")
    assert {each["graphs"] for each in seen} == {1}
    assert [each["name"][:6] for each in seen] == ["1 of 2"] * 4 + ["2 of 2"] * 4
    assert seen[4]["vertices"].count("done") == 0               # the second begins with a fresh picture


@pytest.mark.drawn
def test_two_players_on_a_page(chromium, tmp_path):
    """They do not disturb each other, and a script that runs twice starts nothing twice."""
    a, b = two_layers()._repr_html_(), several_passes()._repr_html_()
    seen = in_browser(chromium, tmp_path, a + b + a, """
        click(players[0], "next"); click(players[0], "next"); click(players[1], "next"); press(players[2], "End");
        return players.map((each) => look(each).at);""")
    assert [each.split(" ")[0] for each in seen] == ["3", "2", seen[2].split(" ")[2]]


@pytest.mark.drawn
def test_it_can_be_put_in_later(chromium, tmp_path):
    """As a notebook does: the script of an output runs after the output is there."""
    inserted = json.dumps(two_layers()._repr_html_()).replace("</", "<\\/")
    at, controls = in_browser(chromium, tmp_path, "<div id='cell'></div>", f"""
        const cell = document.getElementById("cell");
        cell.innerHTML = {inserted};
        cell.querySelectorAll("script").forEach((old) => {{
            const made = document.createElement("script"); made.textContent = old.textContent; old.replaceWith(made);
        }});
        const late = cell.querySelector(".minigrad-player");
        click(late, "next");
        return [look(late).at, late.querySelector(".mgp-controls").hidden];""")
    assert at.startswith("2 ") and controls is False


@pytest.mark.drawn
def test_a_long_picture_is_scrolled_to_the_step(chromium, tmp_path):
    """In its own box: the page stays where it is."""
    y = torch.tensor(0.5, requires_grad=True)
    for _ in range(40):
        y = y.sin()
    player = viz.play(y)
    seen = in_browser(chromium, tmp_path, player._repr_html_(), f"""
        const graph = player.querySelector(".mgp-graph"), seen = [];
        for (const i of [0, 20, {len(player.steps)}]) {{
            slide(player, i); await wait(100);
            const box = graph.getBoundingClientRect();
            const node = graph.querySelector(".mg-vertex[data-state=now]").getBoundingClientRect();
            seen.push([node.top >= box.top && node.bottom <= box.bottom, window.scrollY]);
        }}
        return seen;""", still=True)          # at once: else it is done smoothly, for which there is no time here
    assert seen == [[True, 0]] * 3


@pytest.mark.drawn
def test_a_wide_picture_is_scrolled_to_the_step(chromium, tmp_path):
    x = torch.tensor(0.5, requires_grad=True)
    player = viz.play(torch.stack([(x * i).sin() for i in range(1, 16)]).sum())
    seen = in_browser(chromium, tmp_path, player._repr_html_(), f"""
        const graph = player.querySelector(".mgp-graph"), seen = [graph.scrollWidth > graph.clientWidth * 1.5];
        for (let i = 1; i <= {len(player.steps)}; i++) {{
            slide(player, i);
            const box = graph.getBoundingClientRect(), node = graph.querySelector(".mg-vertex[data-state=now]").getBoundingClientRect();
            seen.push(node.left >= box.left && node.right <= box.right);
        }}
        return seen;""", still=True)
    assert all(seen)


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.drawn
def test_a_narrow_screen(chromium, tmp_path, width):
    """No slide makes the page wider than the screen; what is wide scrolls inside its box."""
    x = torch.randn(4, 5, requires_grad=True)
    y = torch.cat([(x * i).sin() for i in range(1, 8)]).softmax(0).sum()
    player = viz.play(y)
    player.save(tmp_path / "inner.html")
    widths = in_browser(chromium, tmp_path, f"<iframe src='inner.html' style='width:{width}px;height:800px;border:0'></iframe>", f"""
        const frame = document.querySelector("iframe");
        while (!frame.contentDocument || !frame.contentDocument.querySelector(".minigrad-player[data-ready]")) {{ await wait(20); }}
        const inner = frame.contentDocument, seen = [];
        for (let i = 0; i < {len(player.steps) + 2}; i++) {{
            slide(inner.querySelector(".minigrad-player"), i);
            seen.push(inner.documentElement.scrollWidth);
        }}
        return seen;""")
    assert max(widths) <= width


@pytest.mark.drawn
def test_lists_of_the_page_around_it_do_not_shift_it(chromium, tmp_path):
    """Notebooks and sphinx-gallery indent lists in outputs; the step stays below its buttons."""
    style = ("<style>.rendered_html ol:not(.list-inline) { padding-left: 2em } .rendered_html * + ol { margin-top: 1em "
             "}</style>")
    edges = in_browser(chromium, tmp_path, f"{style}<div class='rendered_html'>{two_layers()._repr_html_()}</div>", """
        const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
        return [left(".mgp-controls"), left(".mgp-steps > li:not([hidden])")];""")
    assert edges[0] == edges[1]


#: Rules of JupyterLab and of the classic notebook that once reached into the player.
HOSTS = """
.jp-RenderedHTMLCommon dt { float: left; width: 20%; clear: left; font-weight: bold; text-align: right; }
.jp-RenderedHTMLCommon dd { margin-left: 25%; margin-bottom: 10px; }
.jp-RenderedHTMLCommon ol:not(.list-inline) { padding-left: 2em; list-style: decimal; }
.jp-RenderedHTMLCommon p { text-align: left; margin: 0; margin-bottom: 1em; }
.jp-ThemedContainer .jp-RenderedHTMLCommon :not(pre) > code { background-color: #f00; padding: 1px 5px; }
.jp-RenderedHTMLCommon svg { max-width: 100%; height: auto; }
.jp-ThemedContainer button { text-transform: uppercase; letter-spacing: 3px; }
"""


@pytest.mark.drawn
def test_the_rules_of_a_notebook_do_not_reach_into_it(chromium, tmp_path):
    """Every part of every slide has the same place and look, with the rules of the page around it and without."""
    body = f"<style id='host'>{HOSTS}</style><div class='jp-ThemedContainer'><div class='jp-RenderedHTMLCommon'>"
    bare, hosted, reached = in_browser(chromium, tmp_path, f"{body}{two_layers()._repr_html_()}<p>a <dl><dt>b</dl></div></div>", """
        const host = document.getElementById("host"), looks = ["float", "backgroundColor", "fontWeight", "letterSpacing"];
        const seen = () => Array.from(player.querySelectorAll("p, ol, li, dl, dt, dd, code, button, select, svg")).map((e) => {
            const box = e.getBoundingClientRect(), top = player.getBoundingClientRect().top, style = getComputedStyle(e);
            return [e.tagName, box.left, box.top - top, box.width, box.height, ...looks.map((each) => style[each])];
        });
        const all = () => { const found = []; for (let i = 0; i < 9; i++) { slide(player, i); found.push(seen()); } return found; };
        const outside = () => getComputedStyle(document.querySelector(".jp-RenderedHTMLCommon > dl dt")).float;
        const hosted = all(), reached = outside(); host.disabled = true; return [all(), hosted, [reached, outside()]];""",
                                       height=2000)             # no bar appears, beside which there is less room
    assert reached == ["left", "none"] and hosted == bare


@pytest.mark.drawn
def test_long_names_on_a_narrow_screen(chromium, tmp_path):
    """A word that has no room is broken, and an error's too: the page is no wider than the screen, and nothing is over
    it."""
    class AFunctionWithANameThatIsLongerThanAnyoneWouldThinkThatItWouldHaveToBe(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, d):
            if bool((d > 2).any()):
                raise ValueError("x" * 200)
            return d * 2

    def a_hook_with_a_name_that_is_longer_than_anyone_would_think_that_it_would_have_to_be(gradient):
        return gradient * 2

    a_leaf_with_a_name_that_is_longer_than_anyone_would_think_that_it_would_have_to_be = torch.ones(
        3, requires_grad=True)
    y = AFunctionWithANameThatIsLongerThanAnyoneWouldThinkThatItWouldHaveToBe.apply(
        a_leaf_with_a_name_that_is_longer_than_anyone_would_think_that_it_would_have_to_be)
    y.register_hook(a_hook_with_a_name_that_is_longer_than_anyone_would_think_that_it_would_have_to_be)
    with viz.record() as player:
        y.sum().backward(retain_graph=True)
        with pytest.raises(ValueError):
            y.sum().backward(torch.tensor(3.0))
    player.save(tmp_path / "inner.html")
    widths, over = in_browser(chromium, tmp_path, "<iframe src='inner.html' style='width:320px;height:800px;border:0'></iframe>", f"""
        const frame = document.querySelector("iframe");
        while (!frame.contentDocument || !frame.contentDocument.querySelector(".minigrad-player[data-ready]")) {{ await wait(20); }}
        const inner = frame.contentDocument, widths = [], over = [];
        for (let i = 0; i < {len(player.steps) + 4}; i++) {{
            slide(inner.querySelector(".minigrad-player"), i);
            widths.push(inner.documentElement.scrollWidth);
            inner.querySelectorAll(".mgp-steps > li:not([hidden]) :is(p, dt)").forEach((e) => {{ over.push(e.scrollWidth - e.clientWidth); }});
        }}
        return [widths, over];""")
    assert max(widths) <= 320 and max(over) <= 0


@pytest.mark.drawn
def test_on_paper_all_is_there(chromium, tmp_path):
    """Every step, the picture of every pass, every label, and no buttons; whatever was shown when it was printed."""
    player = several_passes()
    seen = in_browser(chromium, tmp_path, player._repr_html_(), """
        const at = (media) => { for (const sheet of document.styleSheets) { for (const rule of sheet.cssRules) {
            if (rule.media && /^(print|screen)/.test(rule.media.mediaText)) { rule.media.mediaText = rule.media.mediaText.startsWith(media) ? "all" : "not all"; }
        } } };
        const there = (what) => Array.from(player.querySelectorAll(what)).filter((e) => e.getClientRects().length);
        const count = () => [there(".mgp-steps > li").length, there(".mgp-graph").length,
            there(".mg-label").filter((e) => getComputedStyle(e).visibility === "visible").length, there("button").length];
        const screen = count(); at("print"); return [screen, count()];""")
    labels = sum(len(story.picture.edges) for story in player.passes)
    assert seen == [[1, 1, 1, 7], [len(player.steps) + 4, 2, labels, 0]]


@pytest.mark.drawn
def test_sheets_are_full(chromium, tmp_path):
    """The steps are set in two columns below a picture of modest height, and no sheet but the last is nearly blank."""
    y = x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    for _ in range(6):
        y = (y * x).sin()
    sheets = printed(chromium, tmp_path, viz.play(y.sum())._repr_html_())
    assert 2 <= len(sheets) <= 3 and min(sheets[:-1]) > 1000      # fonts differ


# ------------------------------------------------------------------------------ as mathematics, as code

FORMS_SHOWN = """
    const shown = () => Array.from(player.querySelectorAll(".mgp-form")).filter((e) => e.getClientRects().length).map((e) => [
        e.dataset.form, e.querySelector("math") ? e.querySelector("math").getAttribute("aria-label") : e.innerText.trim().split("\\n").pop()]);
    const pressed = () => ["mathematics", "code"].map((name) => player.querySelector("button[data-do=" + name + "]").getAttribute("aria-pressed"));
"""


def recorded_layer(ask=False, calls=None):
    x, w = torch.tensor([[1.0, 2.0]]), torch.tensor([[0.5], [-1.0]], requires_grad=True)
    with viz.recording():
        h = torch.tanh(x @ w)
        loss = h.sum()
    if calls is not None:
        h.register_hook(lambda d: calls.append(d))
    return viz.play(loss, ask=ask)


def test_a_recorded_pass_is_written_out_step_by_step():
    calls = []
    story = recorded_layer(calls=calls).passes[0]
    assert len(calls) == 1                      # one pass is listened to by both
    first, total, tanh, mm, leaf, last = story.written
    assert [each.text for each in first.equations] == ["h = tanh(x @ w)", "loss = sum(h)"]
    assert [each.text for each in tanh.equations] == ["v̅₁ = h̅ * (1 - h²)"]
    assert tanh.code.splitlines()[-1] == "d_mm = d_h * (1 - h * h)"
    assert [each.text for each in mm.equations] == ["w̅ = xᵀ @ v̅₁"]
    assert mm.code.splitlines()[-1] == "d_w = adjoint @ d_mm"
    assert [each.text for each in last.equations][-1] == "w̅ = xᵀ @ (h̅ * (1 - h²))"
    assert "h = np.tanh(mm)" in first.code and not story.not_written


def test_paths_that_meet_are_told_as_parts():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with viz.recording():
        loss = (w * w.exp()).sum()
    told = [(each.about, each.text) for slide in viz.play(loss).passes[0].written[1:-2] for each in slide.equations]
    assert [text for about, text in told if about == "to w̅, a sum"] == ["v̅₂ * v₁", "v̅₁ * v₁"]


def test_a_form_that_is_refused_gives_its_reason():
    with viz.recording():
        h = torch.tensor([1.0, 2.0, 3.0], requires_grad=True) * 2
        h.unfold(0, 2, 1).fill_(3.0)
        loss = h.sum()
    story = viz.play(loss).passes[0]
    assert "is read after fill_ has written to its memory" in story.not_written["mathematics"]
    assert "[MG" not in story.not_written["mathematics"] and "code" not in story.not_written
    assert story.not_written["mathematics"].split(";")[0].replace("'", "&#x27;") in viz.play(loss)._repr_html_()


def test_an_expression_is_recorded_for_the_player():
    story = viz.play_expression("sin(x) * y", {"x": 1, "y": 2}).passes[0]
    assert [each.text for each in story.written[-1].equations][-1] == "x̅ = y * cos(x)"


def test_passes_of_rows_are_written_out():
    """A player of a recorded pass has both forms for every slide, or a reason."""
    met = 0
    for name in drawn.share([*calls_of_rows()], one_in=12):
        with contextlib.suppress(RuntimeError, TypeError, ValueError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, loss = recorded_loss(ROWS[name], calls_of_rows()[name][0])   # or it is there for its own error
            if loss is not None:
                loss.backward(retain_graph=True)
                story = viz.play(loss).passes[0]
                assert len(story.written) == len(story.steps) + 2 and story.not_written == {}, name
                assert story.written[0].equations and story.written[-1].equations and story.written[0].code, name
                met += 1
    assert met > 10


def test_the_buttons_and_keys_of_both_forms(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, recorded_layer()._repr_html_(), FORMS_SHOWN + """
        const seen = [[shown(), pressed()]];
        click(player, "mathematics"); slide(player, 2); seen.push([shown(), pressed()]);
        press(player, "c"); seen.push([shown(), pressed()]);
        press(player, "c"); seen.push([shown(), pressed()]);
        press(player.querySelector("button[data-do=next]"), "m"); seen.push([shown(), pressed(), player.querySelector(".mgp-said").textContent]);
        return seen;""")
    equation = [["mathematics", "v̅₁ = h̅ * (1 - h²)"]]
    nothing = [[], ["false", "false"]]
    assert seen[:4] == [nothing, [equation, ["true", "false"]],
                        [[["code", "d_mm = d_h * (1 - h * h)"]], ["false", "true"]], nothing]
    assert seen[4][:2] == [equation, ["true", "false"]] and seen[4][2]


@pytest.mark.drawn
def test_what_to_write_for_a_pass_that_was_not_recorded(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, two_layers()._repr_html_(), FORMS_SHOWN + """
        click(player, "mathematics"); const one = shown(); click(player, "code"); return [one, shown()];""")
    assert seen == [[["mathematics code", "minigrad.viz.play(loss)"]]] * 2
    assert "with minigrad.viz.recording():\n    loss = ..." in two_layers()._repr_html_()


@pytest.mark.drawn
def test_a_form_waits_for_the_answers(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, recorded_layer(ask=True)._repr_html_(), FORMS_SHOWN + """
        click(player, "mathematics"); slide(player, 2); const before = shown();
        while (player.querySelector(".mgp-show")) { player.querySelector(".mgp-show").click(); }
        return [before, shown().length];""")
    assert seen == [[], 1]



@pytest.mark.parametrize("theme, paper", [("dark", DARK["paper"]), ("light", LIGHT["paper"])])
@pytest.mark.drawn
def test_the_page_says_light_or_dark(chromium, tmp_path, theme, paper):
    colours = in_browser(chromium, tmp_path, two_layers()._repr_html_(), f"""
        document.body.dataset.theme = "{theme}";
        return [getComputedStyle(player).backgroundColor, getComputedStyle(player.querySelector(".mg-paper")).fill,
                getComputedStyle(player).colorScheme];""")
    expected = f"rgb({', '.join(str(int(paper[i:i + 2], 16)) for i in (1, 3, 5))})"
    assert colours == [expected, expected, theme]


@pytest.mark.drawn
def test_buttons_have_names_and_a_focus_that_is_seen(chromium, tmp_path):
    names, outline, live = in_browser(chromium, tmp_path, two_layers()._repr_html_(), """
        const named = Array.from(player.querySelectorAll("button, input, select")).map((e) => e.getAttribute("aria-label"));
        player.focus({focusVisible: true});
        return [named, getComputedStyle(player).outlineStyle, player.querySelector("[aria-live]").getAttribute("aria-live")];""")
    assert all(names) and len(set(names)) == 9 and outline == "solid" and live == "polite"

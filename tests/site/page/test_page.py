"""The buttons of a page, and Python behind them where it has been built."""

import gzip
import io
import json
import tarfile

import pytest

from minigrad import homework
from tests.homework.test_inside import SOLUTIONS
from tests.site.page.served import READY, RELOAD, STATIC, cell, in_served_page
from tests.viz.browser import in_browser

STILL = '<div class="sphx-glr-script-out highlight-none"><div class="highlight"><pre>as it was built</pre></div></div>'
TUTORIAL = (cell("import minigrad as torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\nx.sum()") + STILL
            + "<p>And then:</p>" + cell("y = (x * x).sum()\ny.backward()\nprint(x.grad)"))
EXERCISE = ("<p class='rubric'>1. Double</p><p>Write it.</p>" + cell("def double(x):\n    ...", "python")
            + "<details><summary>Check</summary>" + cell('assert double(2) == 4, "twice 2 is 4"', "python")
            + "</details>")
SHOWN = cell("pip install minigrad", "python")
HOMEWORK = cell("$ python -m minigrad homework start newton\n$ python -m minigrad homework check newton.py", "console")
LABELS = "return $$('button').map((each) => each.getAttribute('aria-label'));"


class TestButtons:
    def test_a_file_has_none(self, chromium, tmp_path):
        script = f"<script src='{(STATIC / 'live.js').as_uri()}'></script>"
        assert in_browser(chromium, tmp_path, f"<article>{TUTORIAL}</article>{script}",
                          "await wait(500); return document.querySelectorAll('.live-tools').length;") == 0

    def test_a_site_without_python_has_none(self, chromium, tmp_path):
        assert in_served_page(chromium, tmp_path, TUTORIAL + EXERCISE,
                              "await new Promise((done) => setTimeout(done, 1000)); " + LABELS) == []

    def test_a_site_without_python_asks_for_nothing_that_is_not_there(self, chromium, tmp_path):
        asked = in_served_page(chromium, tmp_path, TUTORIAL, """
            const told = () => performance.getEntriesByType("resource").filter((each) => /\\/live\\//.test(each.name));
            await until(() => told().length, "the question");
            return told().map((each) => [new URL(each.name).pathname, each.responseStatus]);""")
        assert asked == [["/_static/live/live.json", 200]]

    def test_each_cell_and_each_exercise_has_its_own(self, chromium, tmp_path, announced):
        found = in_served_page(chromium, tmp_path, TUTORIAL + EXERCISE + SHOWN, READY + LABELS, runtime=announced)
        assert found == ["Run cell 1", "Edit cell 1", "Run cell 2", "Edit cell 2", "Run exercise 1", "Edit exercise 1",
                         "Check exercise 1", "Stop what is running",
                         "Reset the page: the cells as they were, and no variables"]

    def test_the_bar_is_a_landmark_with_a_name(self, chromium, tmp_path, announced):
        assert in_served_page(chromium, tmp_path, TUTORIAL, READY + """
            const bar = $(".live-bar");
            return [bar.getAttribute("role"), bar.getAttribute("aria-label")];
            """, runtime=announced) == ["region", "Python in this page"]

    def test_python_does_not_come_before_it_is_asked_for(self, browser, tmp_path, announced):
        assert in_served_page(browser, tmp_path, TUTORIAL, READY + """
            await new Promise((done) => setTimeout(done, 300));
            const loaded = performance.getEntriesByType("resource").map((each) => each.name);
            return loaded.filter((name) => /worker|pyodide|zip/.test(name)).length;
            """, runtime=announced) == 0

    def test_a_page_that_cannot_load_python_says_so_and_stays_usable(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, TUTORIAL, READY + """
            labelled("Run cell 1").click();
            await idle();
            return outputs()[0];""", runtime=announced)
        assert "Python ended" in found and "The next Run starts it again" in found

    def test_edit_opens_the_code_with_the_focus_in_it_and_reset_closes_it(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, TUTORIAL, READY + """
            labelled("Edit cell 2").click();
            const area = await editor("Code of cell 2"), text = await textOf("Code of cell 2");
            const focused = document.activeElement === area, name = area.ariaLabel;
            if ($$(".highlight-Python")[1].getClientRects().length) throw new Error("the code is shown twice");
            await type("Code of cell 2", "1 + 1");
            labelled("Reset the page").click();
            return [text, focused, name, editors().length, $$(".highlight-Python[hidden]").length];
            """, runtime=announced)
        assert found == ["y = (x * x).sum()\ny.backward()\nprint(x.grad)", True, "Code of cell 2", 0, 0]

    def test_a_page_of_homework_has_an_editor_that_keeps_its_text(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, HOMEWORK, READY + """
            localStorage.setItem("minigrad homework newton", "mine = 1");
            labelled("Write newton").click();
            const text = await textOf("Your newton.py");
            await type("Your newton.py", "mine = 2");
            return [text, localStorage.getItem("minigrad homework newton"), Boolean(labelled("Check newton"))];
            """, path="homework/newton.html", runtime=announced)
        assert found == ["mine = 1", "mine = 2", True]


NOTES = "<p class='cell-notes'><span class='same-in-pytorch'>same in PyTorch 2.13</span></p>"


@pytest.mark.drawn
class TestEdits:
    def test_an_edit_survives_a_reload_and_reset_takes_it_back(self, browser, tmp_path, announced):
        """The second cell and the third have the same code, and only one is changed."""
        body = cell("a = 1") + cell("a") + STILL + cell("a")
        shown, still, reset, kept, after = in_served_page(browser, tmp_path, body, READY + RELOAD % """
            await edit("cell 3", "a + 1");
            labelled("Edit cell 1").click();                    // opened, and not changed
            await editor("Code of cell 1");""" + """
            const text = await textOf("Code of cell 3"), shown = [...editors().map((each) => each.ariaLabel), text];
            const still = $(".sphx-glr-script-out").hidden, reset = labelled("Reset the code of cell 3");
            reset.click();
            const after = [editors().length, Boolean(labelled("Reset the code"))];
            return [shown, still, reset.textContent, localStorage.length, after];""", runtime=announced)
        assert shown == ["Code of cell 3", "a + 1"] and not still
        assert reset == "Reset" and kept == 0 and after == [0, False]

    def test_what_the_site_shows_below_is_not_the_output_of_an_edit(self, browser, tmp_path, announced):
        hidden, text = in_served_page(browser, tmp_path, TUTORIAL, READY + RELOAD % """
            await edit("cell 1", "1 + 1");""" + """
            const hidden = $(".sphx-glr-script-out").hidden;
            labelled("Reset the page").click();
            return [hidden && !$(".sphx-glr-script-out").hidden, $("article pre").textContent];""", runtime=announced)
        assert hidden and text.startswith("import minigrad")

    def test_the_same_in_pytorch_is_said_of_code_that_did_not_change(self, chromium, tmp_path, announced):
        """Cells below use the variables of those above."""
        body = (cell("a = 1") + NOTES) + (cell("b = 2") + STILL + NOTES) + (cell("a + b") + NOTES)
        shown = in_served_page(chromium, tmp_path, body, READY + """
            const shown = () => $$(".same-in-pytorch").map((each) => each.getClientRects().length);
            const found = [shown()];
            await edit("cell 2", "b = 2");
            found.push(shown());
            await type("Code of cell 2", "b = 3");
            found.push(shown());
            await type("Code of cell 2", "b = 2");
            found.push(shown());
            return found;""", runtime=announced)
        assert shown == [[1, 1, 1], [1, 1, 1], [1, 0, 0], [1, 1, 1]]

    def test_where_the_browser_keeps_nothing_the_page_works(self, browser, tmp_path, announced):
        body = "<script>Storage.prototype.setItem = () => { throw new Error('full'); };</script>" + TUTORIAL
        assert in_served_page(browser, tmp_path, body, READY + """
            await edit("cell 1", "1 + 1");
            return Boolean(labelled("Reset the code of cell 1"));""", runtime=announced)


@pytest.mark.drawn
class TestEditor:
    def test_tab_indents_and_after_escape_leaves(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, cell("if a:\n    b"), READY + """
            labelled("Edit cell 1").click();
            const area = await editor("Code of cell 1"), view = await viewOf("Code of cell 1"), found = [];
            view.dispatch({ selection: { anchor: view.state.doc.length } });
            found.push(press(area, "Tab"), view.state.doc.toString());
            found.push(press(area, "Tab", { shiftKey: true }), view.state.doc.toString());
            press(area, "Escape");
            found.push(press(area, "Tab"), view.state.doc.toString());
            const keys = document.getElementById(area.getAttribute("aria-describedby"));
            const shown = () => [getComputedStyle(keys).visibility, labelled("Run cell 1").getBoundingClientRect().top];
            const [visible, top] = shown();
            area.blur();
            const [hidden, after] = shown();
            return [...found, keys.textContent, visible, hidden, after - top];""", runtime=announced)
        assert found == [True, "if a:\n    b   ", True, "if a:\nb   ", False, "if a:\nb   ",
                         "Ctrl+Enter runs it. Tab indents; Escape, then Tab, leaves it.", "visible", "hidden", 0]

    def test_code_has_the_colours_of_the_page(self, chromium, tmp_path, announced):
        code = "import math\n@each\ndef half(x):  # of it\n    return x / 2 if x is None else 'a'"
        found = in_served_page(chromium, tmp_path, cell(code), READY + """
            labelled("Edit cell 1").click();
            await editor("Code of cell 1");
            const classes = {};
            for (const each of $$(".live-editor.highlight .cm-line span")) {
                for (const name of each.classList) (classes[name] ??= []).push(each.textContent);
            }
            return classes;""", runtime=announced)
        assert {"import"} <= set(found["kn"]) and {"def", "return", "if", "else"} <= set(found["k"])
        assert found["nf"] == ["half"] and found["c1"] == ["# of it"] and found["s2"] == ["'a'"]
        assert found["mf"] == ["2"] and found["kc"] == ["None"] and "is" in found["ow"]

    def test_a_page_without_its_script_has_a_text_area(self, chromium, tmp_path, announced):
        """The address of the script is another page here."""
        found = in_served_page(chromium, tmp_path, TUTORIAL, READY + """
            labelled("Edit cell 1").click();
            const area = await editor("Code of cell 1"), before = area.value.split("\\n").length;
            area.value = "1";
            area.dispatchEvent(new Event("input"));
            press(area, "Enter", { ctrlKey: true });
            await idle();
            return [area.tagName, area.ariaLabel, before, localStorage.length, outputs()[0].includes("Python ended")];
            """, runtime=announced, absent="live-codemirror.js")
        assert found == ["TEXTAREA", "Code of cell 1; Ctrl+Enter runs it", 3, 1, True]

    def test_focus_stays_on_the_button_that_was_pressed(self, browser, tmp_path, announced):
        """The runtime is not there, and so Python ends at once."""
        assert in_served_page(browser, tmp_path, TUTORIAL, READY + """
            const run = labelled("Run cell 1"), found = [];
            run.focus();
            run.click();
            found.push(document.activeElement === run, isOff(run));
            await idle();
            found.push(document.activeElement === run, isOff(run));
            labelled("Stop").focus();
            labelled("Stop").click();
            found.push(document.activeElement === labelled("Stop"));
            return found;""", runtime=announced) == [True, True, True, False, True]

    def test_names_are_completed_and_explained(self, chromium, tmp_path, announced):
        """Those of modules under the names that cells above gave them, of the class of a variable, and of tensors."""
        listed = {
            "minigrad": {"nn": [None, "Neural networks.", "minigrad.nn"], "ones": ["(*size)", "Ones.\n\n>>> 1\n1"]},
            "minigrad.nn": {"Linear": ["(inputs, outputs)", "A layer: ``x @ W``.", "minigrad.nn.Module"]},
            "minigrad.nn.Module": {"parameters": ["()", "All of them."]},
            "minigrad.Tensor": {"backward": ["()", "Go."]},
        }
        (announced / "names.json").write_text(json.dumps(listed))
        body = cell("import minigrad as torch\nfrom torch import nn as layers\nimport numpy as np") + cell("1")
        completed, explained = in_served_page(chromium, tmp_path, body, READY + """
            labelled("Edit cell 2").click();
            const view = await viewOf("Code of cell 2"), area = await editor("Code of cell 2"), completed = {};
            const given = () => $$(".cm-tooltip-autocomplete li").map((each) => each.textContent);
            for (const code of ["torch.o", "layers.L", "torch.nn.L", "m = layers.Linear(1, 2)\\nm.p", "x.b",
                                "x.sum().b", "np.b", "1.", "'torch.o"]) {
                view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: code } });
                view.dispatch({ selection: { anchor: code.length } });
                press(area, " ", { ctrlKey: true });
                for (let i = 0; i < 100 && !given().length; i++) await new Promise((done) => setTimeout(done, 50));
                completed[code] = given();
                press(area, "Escape");
            }
            const { Help } = await import("/_static/live-help.js");
            const help = new Help(() => "import torch"), explained = [];
            for (const code of ["torch.ones(3)", "torch.nn.Linear", "x.backward()"]) {
                view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: code } });
                const found = await help.hover(view, code.search(/(ones|Linear|backward)/) + 1);
                explained.push(found.create().dom.innerHTML);
            }
            return [completed, explained];""", runtime=announced)
        assert completed == {"torch.o": ["ones"], "layers.L": ["Linear"], "torch.nn.L": ["Linear"],
                             "m = layers.Linear(1, 2)\nm.p": ["parameters"], "x.b": ["backward"],
                             "x.sum().b": ["backward"], "np.b": [], "1.": [], "'torch.o": []}
        assert explained == ["<code>ones(*size)</code><p>Ones.</p><pre>&gt;&gt;&gt; 1\n1</pre>",
                             "<code>Linear(inputs, outputs)</code><p>A layer: <code>x @ W</code>.</p>",
                             "<code>backward()</code><p>Go.</p>"]


KEPT = """localStorage.setItem("minigrad exercises", JSON.stringify({
    index: { of: 2, right: ["Double"] }, other: { of: 1, right: ["Any"] } }));"""
MAP = ("<nav class='part-map'><ol><li><a href='index.html'>This</a></li><li><a href='other.html'>Other</a></li>"
       "<li><a href='third.html'>Third</a></li></ol></nav>")
STAGES = "".join(f"<p class='rubric'>{number}. {title}</p>" + cell(code, "python stage")
                 + f"<details><summary>Check</summary>{cell(check, 'python')}</details>"
                 for number, title, code, check in ((1, "First", "x = 1", 'assert x == 1, "one"'),
                                                    (2, "Second", "y = x + 1", 'assert y == 2, "two"')))


@pytest.mark.drawn
class TestExercises:
    def test_what_was_right_has_a_tick_and_the_map_counts(self, chromium, tmp_path):
        """Also on a site without Python: the browser knows it from another time."""
        body = f"<script>{KEPT}</script>{MAP}{EXERCISE}<p class='rubric'>2. Other</p>"
        rubrics, pages, labels = in_served_page(chromium, tmp_path, body, """
            await until(() => $(".live-tick"), "the ticks");
            return [$$("p.rubric").map((each) => each.textContent), $$("li").map((each) => each.textContent),
                    $$(".live-tick").map((each) => each.getAttribute("aria-label"))];""")
        assert rubrics == ["✓ 1. Double", "2. Other"] and pages == ["This 1/2", "Other ✓", "Third"]
        assert "1 of 2 exercises are right" in labels

    def test_what_somebody_else_has_kept_does_no_harm(self, chromium, tmp_path, announced):
        body = "<script>localStorage.setItem('minigrad exercises', 'x');</script>" + EXERCISE
        assert in_served_page(chromium, tmp_path, body, READY + "return $$('.live-tick').length;",
                              runtime=announced) == 0

    def test_an_answer_is_kept_until_reset(self, browser, tmp_path, announced):
        body = "<script>localStorage.setItem('minigrad exercise index Double', 'mine = 1');</script>" + EXERCISE
        text, kept, after, editors = in_served_page(browser, tmp_path, body, READY + """
            const key = "minigrad exercise index Double", text = await textOf("Code of exercise 1");
            await type("Code of exercise 1", "mine = 2");
            const kept = localStorage.getItem(key);
            labelled("Reset the page").click();
            return [text, kept, localStorage.getItem(key), editors().length];""", runtime=announced)
        assert (text, kept, after, editors) == ("mine = 1", "mine = 2", None, 0)


def test_an_archive_is_unpacked_by_the_page(browser, tmp_path):
    """Even where the server has taken gzip away, and with names that fill two fields."""
    long = f"{'folder' * 12}/{'file' * 12}.py"
    files = {"a.txt": b"a", long: bytes(range(256)) * 5, "empty/none.py": b""}
    with tarfile.open(tmp_path / "made.tar", "w", format=tarfile.USTAR_FORMAT) as made:
        for name, content in files.items():
            information = tarfile.TarInfo(name)
            information.size = len(content)
            made.addfile(information, io.BytesIO(content))
    (tmp_path / "made.tgz").write_bytes(gzip.compress((tmp_path / "made.tar").read_bytes()))
    for found in in_served_page(browser, tmp_path, "", """
            const { gunzipped, untarred } = await import("/_static/live-archive.js"), found = [];
            for (const name of ["made.tgz", "made.tar"]) {
                const bytes = await gunzipped((await fetch(name)).body);
                found.push(untarred(bytes).map(([name, content]) => [name, [...content]]));
            }
            return found;"""):
        assert {name: bytes(content) for name, content in found} == files


class TestPython:
    def test_cells_share_variables_and_an_edited_cell_runs(self, browser, tmp_path, runtime):
        first, second, edited, hidden, restored = in_served_page(browser, tmp_path, TUTORIAL, READY + """
            labelled("Run cell 2").click();                     // cell 1 has not run: it comes first
            await idle();
            const [first, second] = outputs(), hidden = $(".sphx-glr-script-out").hidden;
            await edit("cell 2", "x.detach() * 10");
            press(await editor("Code of cell 2"), "Enter", { ctrlKey: true });
            await idle();
            const edited = outputs()[1];
            labelled("Reset the page").click();
            const restored = !$(".sphx-glr-script-out").hidden && outputs().join("").trim() === "";
            return [first, second, edited, hidden, restored];
            """, runtime=runtime)
        assert first.strip() == "tensor(3., grad_fn=<SumBackward0>)"
        assert second.strip() == "tensor([2., 4.])"
        assert edited.strip() == "tensor([10., 20.])"
        assert hidden and restored

    def test_a_player_that_a_cell_makes_can_be_stepped(self, browser, tmp_path, runtime):
        before, after = in_served_page(browser, tmp_path, TUTORIAL, READY + """
            await edit("cell 2", "torch.viz.play((x * x).sum())");
            labelled("Run cell 2").click();
            await idle();
            const player = await until(() => $(".live-output .minigrad-player[data-ready]"), "the player");
            const before = player.querySelector("output").textContent;
            player.querySelector("button[data-do=next]").click();
            return [before, player.querySelector("output").textContent];
            """, runtime=runtime)
        assert before != after

    def test_a_figure_and_an_error(self, browser, tmp_path, runtime):
        body = cell("import matplotlib.pyplot as plt\nfigure, axes = plt.subplots()\n"
                    "axes.plot([1, 2, 4], 'o-', label='a')\naxes.legend()\nplt.show()")
        body += cell("import minigrad\nminigrad.ones(2).sum().backward()")
        circles, error, failed = in_served_page(browser, tmp_path, body, READY + """
            labelled("Run cell 2").click();
            await idle();
            return [$$(".live-output svg circle").length, outputs()[1], $$("[data-outcome=failed]").length];
            """, runtime=runtime)
        assert circles == 4                                     # three points, and one in the legend
        assert "MG103, explained" in error and "Line 2 of cell 2" in error and failed == 1

    @pytest.mark.parametrize("isolated", [True, False])
    def test_an_endless_loop_is_stopped(self, browser, tmp_path, runtime, isolated):
        body = cell("kept = 7") + cell("print('go')\nwhile True:\n    pass") + cell("print('kept' in globals())")
        stopped, status, after, took = in_served_page(browser, tmp_path, body, READY + """
            labelled("Run cell 2").click();
            await until(() => outputs()[1].includes("go"), "the loop");
            const began = performance.now();
            labelled("Stop").click();
            await idle();
            const took = performance.now() - began, stopped = outputs()[1], status = $(".live-status").textContent;
            if (!crossOriginIsolated) await edit("cell 1", "pass");
            labelled("Run cell 3").click();
            await idle();
            return [stopped, status, outputs()[2], took];
            """, runtime=runtime, isolated=isolated)
        assert "Stopped." in stopped and status == "Stopped"
        # An interrupt keeps the variables; a new worker has none, and does not run into the loop again.
        assert after.strip().endswith(str(isolated)) and ("Left out: cell 2, since" in after) == (not isolated)
        assert took < 5000

    @pytest.mark.drawn(one_in=5)
    @pytest.mark.parametrize("endless", [
        "import numpy as np\nfor _ in range(100):\n    np.ones((1500, 1500)) @ np.ones((1500, 1500))",
        "import torch\nfor _ in range(100):\n    torch.rand(1500, 1500) @ torch.rand(1500, 1500)",
        "import re\nre.match('(a+)+b', 'a' * 40)", "import time\ntime.sleep(1000)", "len(str(7 ** 10_000_000))"],
        ids=["a product of NumPy", "a product of minigrad", "a regular expression", "a sleep", "a huge integer"])
    def test_after_stop_the_next_run_works_whatever_was_stopped(self, browser, tmp_path, runtime, endless):
        """At ten moments: four while Python loads, one as the cell begins, and five in the call."""
        body = cell(f"print('go')\n{endless}") + cell("print(6 * 7)")
        found = in_served_page(browser, tmp_path, body, READY + """
            const found = [], status = () => $(".live-status").textContent, isOver = () => isOff($(".live-bar button"));
            const steps = ["Starting", "Downloading", "Starting Python", "Loading NumPy", "Running"];
            const reached = (step) => steps.findLastIndex((each) => status().startsWith(each)) >= step;
            labelled("Edit cell 1").click();
            const endless = await textOf("Code of cell 1");
            for (const moment of [0, 1, 2, 3, 4, "go", 30, 100, 300, 1000]) {
                if (moment < steps.length) labelled("Reset the page").click();      // with it ends Python
                labelled("Run cell 1").click();
                if (moment < steps.length) await until(() => reached(moment), steps[moment]);
                else await until(() => outputs()[0].includes("go"), "the call");
                if (moment >= steps.length) await new Promise((done) => setTimeout(done, moment));
                if (isOver()) throw new Error(`it was over before Stop, at ${moment}`);
                labelled("Stop").click();
                await idle();
                if (outputs()[0].includes("Traceback") || !outputs()[0].includes("Stopped")) {
                    throw new Error(`at ${moment}, Stop is not what is shown: ${outputs()[0]}`);
                }
                await edit("cell 1", "pass");               // or the next Run would begin with it
                labelled("Run cell 2").click();
                await idle();
                found.push([moment, outputs()[1].trim()]);
                if (moment !== 1000) await type("Code of cell 1", endless);
            }
            return found;""", runtime=runtime, limit=3000)
        assert [text for _, text in found] == ["42"] * 10, found

    def test_an_error_marks_its_line_until_the_next_run(self, browser, tmp_path, runtime):
        body = cell("a = 1\nb = a / 0\nprint(b)")
        marked, text, edited, after = in_served_page(browser, tmp_path, body, READY + """
            const line = (code) => code.classList.contains("live-marked") && code.style.getPropertyValue("--line");
            labelled("Run cell 1").click();
            await idle();
            const marked = line($("article pre")), text = outputs()[0];
            labelled("Edit cell 1").click();
            await editor("Code of cell 1");
            labelled("Run cell 1").click();
            await idle();
            const edited = $(".live-marked-line").textContent;
            await type("Code of cell 1", "1");
            labelled("Run cell 1").click();
            await idle();
            return [marked, text, edited, $$(".live-marked-line").length];""", runtime=runtime)
        assert marked == "1" and edited == "b = a / 0" and after == 0
        assert text.startswith("ZeroDivisionError: division by zero") and "Line 2 of cell 1: b = a / 0" in text

    def test_a_cell_that_imports_torch_runs(self, browser, tmp_path, runtime):
        body = cell("import torch\nimport torch.nn as nn\nnn.ReLU()(torch.tensor([-1.0, 2.0]))")
        found = in_served_page(browser, tmp_path, body, READY + """
            labelled("Run cell 1").click();
            await idle();
            return outputs()[0];""", runtime=runtime)
        assert found.strip() == "tensor([0., 2.])"

    def test_a_cell_that_is_not_run_shows_no_old_output(self, browser, tmp_path, runtime):
        body = cell("a = 1") + cell("print('old', a)") + STILL
        before, after, still = in_served_page(browser, tmp_path, body, READY + """
            labelled("Run cell 2").click();
            await idle();
            const before = outputs()[1];
            labelled("Reset the page").click();
            await edit("cell 1", "a = 1 / 0");
            labelled("Run cell 2").click();
            await idle();
            return [before, outputs()[1], $(".sphx-glr-script-out").hidden];""", runtime=runtime)
        assert before.strip() == "old 1"
        assert after.strip() == "Not run: cell 1 above ended with an error. Run tries this cell alone." and still

    def test_an_exercise_is_checked(self, browser, tmp_path, runtime):
        wrong, status, right = in_served_page(browser, tmp_path, EXERCISE, READY + """
            labelled("Check exercise 1").click();
            await idle();
            const wrong = outputs()[0], status = [$(".live-status").textContent, $$("[data-outcome=failed]").length];
            await edit("exercise 1", "def double(x):\\n    return 2 * x");
            labelled("Check exercise 1").click();
            await idle();
            return [wrong, status, outputs()[0]];""", runtime=runtime)
        assert wrong.strip() == "Not yet: twice 2 is 4" and status == ["Not yet", 0]
        assert right.strip() == "Right."

    def test_an_exercise_that_is_right_gets_a_tick(self, browser, tmp_path, runtime):
        before, after, kept = in_served_page(browser, tmp_path, EXERCISE, READY + """
            labelled("Check exercise 1").click();
            await idle();
            const before = $("p.rubric").textContent;
            await edit("exercise 1", "def double(x):\\n    return 2 * x");
            labelled("Check exercise 1").click();
            await idle();
            return [before, $("p.rubric").textContent, JSON.parse(localStorage.getItem("minigrad exercises"))];""",
            runtime=runtime)
        assert before == "1. Double" and after == "✓ 1. Double" and kept == {"index": {"of": 1, "right": ["Double"]}}

    def test_a_stage_goes_on_from_those_before_it(self, browser, tmp_path, runtime):
        said = in_served_page(browser, tmp_path, STAGES, READY + """
            labelled("Check exercise 2").click();
            await idle();
            return outputs()[1];""", runtime=runtime)
        assert said.strip() == "Right."

    def test_a_homework_is_begun_and_checked(self, browser, tmp_path, runtime):
        solution = (SOLUTIONS / "newton.py").read_text(encoding="utf-8")
        starter, before, after, status = in_served_page(browser, tmp_path, HOMEWORK, READY + f"""
            labelled("Write newton").click();
            await idle();
            const starter = await textOf("Your newton.py");
            labelled("Check newton").click();
            await idle();
            const before = outputs()[0], status = [$(".live-status").textContent];
            await type("Your newton.py", {solution!r});
            labelled("Check newton").click();
            await idle();
            status.push($(".live-status").textContent);
            return [starter, before, outputs()[0], status];""", path="homework/newton.html", runtime=runtime)
        points = homework.find("newton").points
        assert starter == homework.find("newton").started()
        assert f"{points:g} of {points:g}" not in before and "come from a check on a computer" in before
        assert f"{points:g} of {points:g}" in after, after
        assert status[0].endswith(f" of {points:g} points") and status[1] == f"{points:g} of {points:g} points"

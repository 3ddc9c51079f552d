"""The workshop: cells of the reader's own, files, and links that bring cells."""

import json
import struct
import zlib

import pytest

from minigrad import homework
from tests.homework.test_inside import SOLUTIONS
from tests.site.page.served import READY, RELOAD, cell, in_served_page

WORKSHOP = '<div id="live-workshop"><p>not here</p></div>'
TEXTS = "const texts = () => JSON.parse(localStorage.getItem('minigrad workshop')).map((each) => each.source);"
NOTEBOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
    {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Title\n", "and text"]},
    {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 3, "source": "a = 1\n\na",
     "outputs": [{"output_type": "stream", "name": "stdout", "text": "<b>1</b>"}]}]}


def example(text):
    escaped = text.replace("<", "&lt;").replace(">", "&gt;")
    return f'<div class="doctest highlight-default"><div class="highlight"><pre>{escaped}\n</pre></div></div>'


class TestCells:
    def test_it_begins_with_an_empty_cell(self, chromium, tmp_path, announced):
        labels = in_served_page(chromium, tmp_path, WORKSHOP, READY + """
            await editor("Code of cell 1");
            return $$(".live-cell button, .live-bar button").map((each) => each.ariaLabel);""", runtime=announced)
        assert labels == ["Run cell 1", "Up cell 1", "Down cell 1", "Add below cell 1", "Delete cell 1",
                          "Stop what is running", "Restart Python: the cells stay, and no variables"]

    def test_a_site_without_python_says_so(self, chromium, tmp_path):
        assert in_served_page(chromium, tmp_path, WORKSHOP, """
            await new Promise((done) => setTimeout(done, 500));
            return $("#live-workshop").textContent;""") == "not here"

    def test_cells_are_added_moved_and_deleted_and_kept(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, WORKSHOP, READY + TEXTS + RELOAD % """
            await type("Code of cell 1", "first");
            labelled("Add below cell 1").click();
            const second = await editor("Code of cell 2"), focused = document.activeElement === second;
            await type("Code of cell 2", "second");
            labelled("Add a cell at the end").click();
            await type("Code of cell 3", "third");
            const found = [focused, texts()];
            labelled("Up cell 3").focus();
            labelled("Up cell 3").click();
            found.push(texts(), document.activeElement.ariaLabel);
            labelled("Delete cell 1").click();
            found.push(texts(), document.activeElement.ariaLabel);
            labelled("Undo").click();
            found.push(texts());
            labelled("Delete cell 3").click();
            sessionStorage.found = JSON.stringify(found);""" + """
            const shown = [await textOf("Code of cell 1"), await textOf("Code of cell 2"), editors().length];
            return [...JSON.parse(sessionStorage.found), shown];""", runtime=announced)
        assert found == [True, ["first", "second", "third"], ["first", "third", "second"], "Up cell 2",
                         ["third", "second"], "Run cell 1", ["first", "third", "second"], ["first", "third", 2]]

    def test_what_somebody_else_has_kept_does_no_harm(self, chromium, tmp_path, announced):
        body = "<script>localStorage.setItem('minigrad workshop', '{}');</script>" + WORKSHOP
        assert in_served_page(chromium, tmp_path, body, READY + "return await textOf('Code of cell 1');",
                              runtime=announced) == ""


@pytest.mark.drawn
class TestFiles:
    def test_a_notebook_comes_and_goes(self, browser, tmp_path, announced):
        """Its text stays text, its outputs are left behind, and the cells of before can come back."""
        kinds, text, written, back = in_served_page(browser, tmp_path, WORKSHOP, READY + TEXTS + f"""
            await type("Code of cell 1", "mine");
            const file = new File([JSON.stringify({json.dumps(NOTEBOOK)})], "a.ipynb"), chosen = new DataTransfer();
            chosen.items.add(file);
            const input = labelled("Open a notebook").closest("article").querySelector("input[accept]");
            input.files = chosen.files;
            input.dispatchEvent(new Event("change"));
            const code = await editor("Code of cell 2");
            const kinds = $$(".live-cell").map((each) => each.ariaLabel), text = $(".live-text").value;
            let blob;
            URL.createObjectURL = (made) => {{ blob = made; return "#"; }};
            labelled("Save").click();
            const written = JSON.parse(await blob.text());
            labelled("Back to the cells").click();
            await editor("Code of cell 1");
            return [kinds, text, written, texts()];""", runtime=announced)
        assert kinds == ["Cell 1, text", "Cell 2"] and text == "# Title\nand text" and back == ["mine"]
        assert [(each["cell_type"], "".join(each["source"])) for each in written["cells"]] == [
            ("markdown", "# Title\nand text"), ("code", "a = 1\n\na")]
        nbformat = pytest.importorskip("nbformat")
        nbformat.validate(written)

    def test_a_damaged_notebook_changes_nothing(self, chromium, tmp_path, announced):
        said, kept = in_served_page(chromium, tmp_path, WORKSHOP, READY + TEXTS + """
            await type("Code of cell 1", "mine");
            const chosen = new DataTransfer(), input = $("input[accept]");
            chosen.items.add(new File(["{"], "a.ipynb"));
            input.files = chosen.files;
            input.dispatchEvent(new Event("change"));
            const said = await until(() => $(".live-message").textContent, "the message");
            return [said, texts()];""", runtime=announced)
        assert said.startswith("a.ipynb is not a notebook that can be read") and kept == ["mine"]

    def test_a_script_has_a_cell_for_each_part(self, chromium, tmp_path, announced):
        assert in_served_page(chromium, tmp_path, "<p></p>", """
            const { fromFile } = await import("/_static/live-notebook.js");
            return fromFile("a.py", "a = 1\\n\\n# %% two\\nb = 2\\n").map((each) => each.source);
            """, runtime=announced) == ["a = 1", "b = 2"]

    def test_files_that_were_brought_are_read_also_after_a_restart(self, browser, tmp_path, runtime):
        rows = b"".join(b"\0" + bytes(row) for row in ([255, 0, 0, 0, 255, 0], [0, 0, 255, 255, 255, 255]))
        head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
        parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
        png = b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + name + data + struct.pack(
            ">I", zlib.crc32(name + data)) for name, data in parts)
        found = in_served_page(browser, tmp_path, WORKSHOP, READY + f"""
            const chosen = new DataTransfer(), input = $("input[multiple]"), found = [];
            chosen.items.add(new File(["a,b\\n1,2\\n3,4\\n"], "scores.csv", {{ type: "text/csv" }}));
            chosen.items.add(new File([new Uint8Array({list(png)})], "photo.png", {{ type: "image/png" }}));
            input.files = chosen.files;
            input.dispatchEvent(new Event("change"));
            await until(() => $(".live-brought").textContent.includes("photo.png"), "the files");
            await type("Code of cell 1", `import numpy as np, matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.imshow(plt.imread("photo.png"))
np.loadtxt("scores.csv", delimiter=",", skiprows=1).tolist(), plt.imread("photo.png")[0].tolist()`);
            for (const again of [false, true]) {{
                if (again) labelled("Restart").click();
                labelled("Run cell 1").click();
                await idle();
                found.push($(".live-output pre").textContent.trim(), $$(".live-output svg rect").length > 3);
            }}
            return found;""", runtime=runtime)
        assert found == 2 * ["([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])", True]


def test_digits_are_learnt_from_a_file_that_was_brought(browser, tmp_path, runtime):
    """From an empty workshop; the cells go to another reader, with nothing kept, in a link."""
    digits = pytest.importorskip("sklearn.datasets").load_digits()
    rows = "\n".join(",".join(f"{value:g}" for value in [*image, label])
                     for image, label in zip(digits.data, digits.target))
    cells = ["""import numpy as np, torch
table = torch.tensor(np.loadtxt("digits.csv", delimiter=",", dtype=np.float32))
images, labels = table[:, :64] / 16, table[:, 64].long()""", """torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(100):
    loss = torch.nn.functional.cross_entropy(model(images[:1500]), labels[:1500])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
(model(images[1500:]).argmax(1) == labels[1500:]).float().mean().item()"""]
    bring = f"""
        const chosen = new DataTransfer(), input = $("input[multiple]");
        chosen.items.add(new File([{json.dumps(rows)}], "digits.csv", {{ type: "text/csv" }}));
        input.files = chosen.files;
        input.dispatchEvent(new Event("change"));
        await until(() => $(".live-brought").textContent.includes("digits.csv"), "the file");
        labelled("Run cell 2").click();
        await idle();
        return [outputs()[1].trim(), fragment];"""
    (tmp_path / "first").mkdir()
    first, fragment = in_served_page(browser, tmp_path / "first", WORKSHOP, READY + f"""
        await type("Code of cell 1", {json.dumps(cells[0])});
        labelled("Add below cell 1").click();
        await type("Code of cell 2", {json.dumps(cells[1])});
        const {{ toFragment }} = await import("/_static/live-notebook.js");
        const kept = JSON.parse(localStorage.getItem("minigrad workshop")), fragment = await toFragment(kept);
        {bring}""", runtime=runtime)
    (tmp_path / "other").mkdir()
    other, _ = in_served_page(browser, tmp_path / "other", WORKSHOP, READY + TEXTS + f"""
        const fragment = null;
        if (texts().join("")) throw new Error("this profile keeps cells");
        location.hash = {json.dumps(fragment)};
        await until(() => labelled("Run cell 2"), "the cells of the link");
        {bring}""", runtime=runtime)
    assert first == other and float(first) > 0.8


@pytest.mark.drawn
class TestHomework:
    def test_it_opens_once_with_what_its_page_has_and_stays_a_submission(self, browser, tmp_path, announced):
        labels, texts, kept, written, address = in_served_page(browser, tmp_path, WORKSHOP, READY + TEXTS + """
            localStorage.setItem("minigrad homework newton", "mine = 1");
            const at = location.pathname;
            await type("Code of cell 1", "before = 1");
            for (const time of [1, 2]) {
                location.hash = "homework=newton";
                await until(() => !location.hash && document.activeElement.ariaLabel === "Code of cell 2", "the cell");
            }
            const { toNotebook, fromFile } = await import("/_static/live-notebook.js");
            const kept = JSON.parse(localStorage.getItem("minigrad workshop"));
            const written = JSON.parse(toNotebook(kept)), read = fromFile("a.ipynb", JSON.stringify(written));
            if (JSON.stringify(read) !== JSON.stringify(kept)) throw new Error(JSON.stringify(read));
            return [$$(".live-cell").map((each) => each.ariaLabel), texts(), kept, written.cells[1].metadata,
                    location.pathname === at && Boolean(labelled("Check cell 2"))];""", runtime=announced)
        assert labels == ["Cell 1", "Cell 2, homework newton"] and texts == ["before = 1", "mine = 1"]
        assert kept[1]["homework"] == "newton" and written == {"minigrad": {"homework": "newton"}} and address

    def test_a_page_of_homework_leads_there(self, browser, tmp_path, announced):
        commands = cell("$ python -m minigrad homework check newton.py", "console")
        assert in_served_page(browser, tmp_path, commands, READY + """
            return $(".live-tools a").href.replace(location.origin, "");""", path="homework/newton.html",
            runtime=announced) == "/workshop.html#homework=newton"

    def test_the_starter_comes_and_is_checked(self, browser, tmp_path, runtime):
        solution = (SOLUTIONS / "newton.py").read_text(encoding="utf-8")
        starter, before, after, used, missing = in_served_page(browser, tmp_path, WORKSHOP, READY + f"""
            location.hash = "homework=newton";
            await until(() => $("[aria-label='Cell 1, homework newton']"), "the cell");
            const found = [await textOf("Code of cell 1")];
            labelled("Check cell 1").click();
            await idle();
            found.push($(".live-status").textContent);
            await type("Code of cell 1", {solution!r});
            labelled("Check cell 1").click();
            await idle();
            found.push($(".live-status").textContent);
            labelled("Add a cell").click();
            await type("Code of cell 2", "newton.__name__");
            labelled("Run cell 2").click();
            await idle();
            found.push(outputs()[1].trim());
            location.hash = "homework=nothing";
            await until(() => $(".live-message:not([hidden])"), "the message");
            return [...found, $(".live-message").textContent];""", runtime=runtime)
        points = f"{homework.find('newton').points:g}"
        assert starter == homework.find("newton").started()
        assert before.endswith(f" of {points} points") and after == f"{points} of {points} points"
        assert used == "'newton'" and missing == "There is no homework nothing."


@pytest.mark.drawn
class TestLinks:
    def test_cells_of_a_link_are_shown_and_neither_run_nor_kept(self, browser, tmp_path, announced):
        found = in_served_page(browser, tmp_path, WORKSHOP, READY + TEXTS + """
            const { toFragment } = await import("/_static/live-notebook.js");
            await type("Code of cell 1", "mine");
            const linked = [{ kind: "code", source: "print('π')" }, { kind: "x", source: "<b>2</b>" }];
            location.hash = await toFragment(linked);
            await until(() => $(".live-message:not([hidden])"), "the message");
            await type("Code of cell 2", "changed");
            const shown = [await textOf("Code of cell 1"), $(".live-message p").textContent.slice(0, 45), texts()];
            const ran = performance.getEntriesByType("resource").some((each) => /worker|pyodide/.test(each.name));
            labelled("Back to mine").click();
            const mine = await textOf("Code of cell 1");
            return [...shown, ran, mine, location.hash, $(".live-message").hidden];""", runtime=announced)
        assert found == ["print('π')", "These cells came with a link. Nothing has run", ["mine"], False, "mine", "",
                         True]

    def test_cells_of_a_link_are_kept_where_the_reader_says_so(self, browser, tmp_path, announced):
        assert in_served_page(browser, tmp_path, WORKSHOP, READY + TEXTS + """
            const { toFragment } = await import("/_static/live-notebook.js");
            location.hash = await toFragment([{ kind: "code", source: "theirs" }]);
            (await until(() => labelled("Keep them instead"), "the choice")).click();
            return [texts(), location.hash];""", runtime=announced) == [["theirs"], ""]

    @pytest.mark.parametrize("fragment", ["#cells=AAAA", "#cells=%", "#cells=", "#cells=q1YqSy0qzszPU7JSMlSqBQA"])
    def test_a_damaged_link_says_so_and_shows_the_readers_own(self, chromium, tmp_path, announced, fragment):
        said, text = in_served_page(chromium, tmp_path, WORKSHOP, READY + f"""
            await type("Code of cell 1", "mine");
            location.hash = "{fragment}";
            await until(() => $(".live-message:not([hidden])"), "the message");
            return [$(".live-message").textContent, await textOf("Code of cell 1")];""", runtime=announced)
        assert said == "The link is damaged: its cells cannot be read." and text == "mine"

    def test_an_example_opens_with_those_before_it(self, browser, tmp_path, announced):
        """In a docstring, or on a page without one; what Python says to them is left out."""
        ones = example(">>> torch.ones(2)\ntensor([1., 1.])")
        loop = example(">>> for i in range(2):\n...     print(i)\n0\n1")
        body = (f"<dl class='py'><dt>f</dt><dd>{ones}</dd></dl>"
                f"<dl class='py'><dt>g</dt><dd>{example('>>> x = 1')}<p>And</p>{loop}</dd></dl>"
                + example(">>> import minigrad as torch\n>>> torch.ones(1)"))
        opened, places = in_served_page(browser, tmp_path, body + cell("1"), READY + """
            const { fromFragment } = await import("/_static/live-notebook.js");
            const links = $$(".live-open a"), opened = [];
            for (const link of links) opened.push((await fromFragment(link.hash)).map((each) => each.source));
            return [opened, links.map((each) => each.pathname)];""", runtime=announced)
        assert opened == [["import torch", "torch.ones(2)"], ["import torch", "x = 1"],
                          ["import torch", "x = 1", "for i in range(2):\n    print(i)"],
                          ["import minigrad as torch\ntorch.ones(1)"]]
        assert set(places) == {"/workshop.html"}


def test_a_cell_of_a_link_runs_when_run_is_pressed(browser, tmp_path, runtime):
    assert in_served_page(browser, tmp_path, WORKSHOP, READY + """
        const { toFragment } = await import("/_static/live-notebook.js");
        const sources = ["import torch", "torch.viz.play(torch.ones(1, requires_grad=True) * 2)"];
        location.hash = await toFragment(sources.map((source) => ({ kind: "code", source })));
        await until(() => labelled("Run cell 2"), "the second cell");
        labelled("Run cell 2").click();
        await idle();
        return Boolean(await until(() => $(".live-output .minigrad-player[data-ready]"), "the player"));""",
        runtime=runtime)

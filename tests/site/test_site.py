"""The tools behind the site, each tried on a fault planted for it."""

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_site = load(ROOT / "tools" / "check_site.py")


@pytest.fixture
def extension(monkeypatch):
    """Load a module of docs/_ext, where Sphinx is installed."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    return lambda name: load(ROOT / "docs" / "_ext" / f"{name}.py")


def page(folder, body):
    (folder / "index.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    return check_site.main(folder)


@pytest.mark.parametrize(
    "fault",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/x.css">',
        '<img src="x.png" srcset="https://images.example/x.png 2x">',
        '<p style="background: url(http://images.example/y.png)">',
        '<a href="missing.html">there</a>',
        '<a href="#nowhere">there</a>',
        '<p id="here">one</p><p id="here">two</p>',
    ],
)
def test_a_page_that_loads_or_points_to_what_is_not_there(tmp_path, capsys, fault):
    (tmp_path / "x.png").touch()
    assert page(tmp_path, fault) == 1
    assert "1 wrong" in capsys.readouterr().out


def test_a_page_may_link_outside_and_to_itself(tmp_path, capsys):
    assert page(tmp_path, '<a href="https://pytorch.org">PyTorch</a> <a href="#here">up</a> <p id="here">') == 0


def test_a_style_that_loads_a_font(tmp_path, capsys):
    (tmp_path / "x.css").write_text("@font-face { src: url('https://fonts.example/f.woff2'); }")
    assert page(tmp_path, "") == 1


def test_a_notebook_with_markup(tmp_path, capsys):
    cell = {"cell_type": "markdown", "source": ["See :func:`minigrad.sin`."]}
    (tmp_path / "x.ipynb").write_text(json.dumps({"cells": [cell]}))
    assert page(tmp_path, "") == 1


def test_a_page_that_was_read_is_read_again_if_it_has_changed(tmp_path, capsys):
    site, kept = tmp_path / "site", tmp_path / "kept"
    site.mkdir()
    (site / "index.html").write_text('<a href="#here">up</a><p id="here">')
    assert check_site.main(site, kept) == check_site.main(site, kept) == 0
    (site / "index.html").write_text('<a href="#here">up</a><p id="there">')
    assert check_site.main(site, kept) == check_site.main(site, kept) == 1


def test_an_empty_site_is_refused(tmp_path, capsys):
    assert check_site.main(tmp_path) == 1


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("the size |x| of x_ and *args", r"the size \|x\| of x\_ and \*args"),
        ("*this* stays, ``|x|`` too", "*this* stays, ``|x|`` too"),
        ("as in:\n\n    y = x * 2", "as in:\n\n::\n\n        y = x * 2"),
        ("as in:\n\n    def f():\n        a()\n\n        b()\n\n    f()\n\nMore.",
         "as in:\n\n::\n\n        def f():\n            a()\n\n            b()\n\n        f()\n\nMore."),
        ("Note [Claims]\n-------------\nA pass claims.", ".. rubric:: Note [Claims]\n\nA pass claims."),
        ("Parameters\n----------\nx : a number\n\nMore.\n\n>>> f(1)",
         "Parameters\n----------\nx : a number\n\nNotes\n-----\n\nMore.\n\nExamples\n--------\n\n>>> f(1)"),
        ("sum      adds up\n         all of it\nprod     multiplies",
         "sum\n    adds up all of it\nprod\n    multiplies"),
    ],
)
def test_prose_of_a_docstring(extension, written, read):
    assert extension("prose").as_rst(written).strip() == read


def test_operations_are_named_in_titles_and_listed_from_a_to_z(extension):
    table = extension("table_of_ops")
    path, = table.TABLE.rglob("softmax.py")
    family = table.Family(path)
    assert table.title_of(family) == "``softmax``, ``log_softmax``, ``softmin``: from scores to probabilities"
    listed = table.a_to_z([family])
    assert listed.index("\nL\n-\n") < listed.index("log_softmax <minigrad.log_softmax>") < listed.index("\nS\n-\n")
    assert "   ops/a_to_z\n" in (ROOT / "docs" / "reference" / "index.rst").read_text(encoding="utf-8")


def test_empty_lists_of_tags_are_left_out(extension):
    source = ["A\n=\n\n.. raw:: html\n\n  <div id='sg-tag-list' class='sphx-glr-tag-list'></div>\n\nB\n"]
    extension("gallery").leave_out_the_tags(None, "tutorials/index", source)
    assert source == ["A\n=\n\n\nB\n"]


def test_an_archive_does_not_know_when_it_was_made(extension, tmp_path):
    zip_files, page = extension("gallery").zip_files, tmp_path / "page.ipynb"
    page.write_text("{}")
    made = []
    for time in (1e9, 1.5e9):
        os.utime(page, (time, time))
        zip_files([page], tmp_path / "page.zip", tmp_path)
        made.append((tmp_path / "page.zip").read_bytes())
    assert made[0] == made[1] and zipfile.ZipFile(tmp_path / "page.zip").read("page.ipynb") == b"{}"


# ------------------------------------------------------------------------------ a site of two pages


CONF = """
import sys
import zipfile
sys.path.insert(0, {ext!r})
extensions = ["unique_ids"]
html_theme, html_static_path, html_css_files = "furo", [{static!r}], ["minigrad.css"]
html_favicon = {static!r} + "/favicon.svg"
"""
TABLE = """Index
=====

.. toctree::

   cheat_sheet

.. list-table:: With a caption
   :header-rows: 1

   * - A
   * - b
"""


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    for name in ("sphinx", "furo"):
        pytest.importorskip(name)
    folder, docs = tmp_path_factory.mktemp("small"), ROOT / "docs"
    (folder / "conf.py").write_text(CONF.format(ext=str(docs / "_ext"), static=str(docs / "_static")))
    (folder / "index.rst").write_text(TABLE)
    (folder / "cheat_sheet.rst").write_text((docs / "teaching" / "cheat_sheet.rst").read_text(encoding="utf-8"))
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", folder, folder / "site"], check=True)
    return folder / "site"


def test_a_table_with_a_caption_has_its_id_once(small_site):
    assert check_site.main(small_site) == 0


def test_the_pages_have_an_icon(small_site):
    assert '<link rel="shortcut icon" href="_static/favicon.svg">' in (small_site / "index.html").read_text()
    assert (small_site / "_static" / "favicon.svg").exists()


def test_the_cheat_sheet_is_printed_on_one_sheet(small_site, tmp_path):
    browsers = load(ROOT / "tools" / "browsers.py")
    if (browser := browsers.chromium()) is None:
        pytest.skip("there is no Chromium")
    sheet = tmp_path / "sheet.pdf"
    subprocess.run([browser, *browsers.OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer",
                    f"--print-to-pdf={sheet}", (small_site / "cheat_sheet.html").as_uri()],
                   check=True, capture_output=True, timeout=120)
    written = sheet.read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", written)) == 1
    width, height = map(float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", written).groups())
    assert (round(width), round(height)) == (842, 595)          # A4, in points


def test_spaces_around_the_names_of_functions(extension):
    mathml = extension("mathml")
    translated = mathml.spaced(mathml.tex2mathml(r"2 \sin x"))
    assert translated.count("mspace") == 2
    assert mathml.spaced(mathml.tex2mathml(r"\exp(x)")).count("mspace") == 0


def test_the_index_of_a_letter_with_an_accent_is_beside_it(extension):
    mathml = extension("mathml")
    translated = "".join(mathml.spaced(mathml.tex2mathml(r"\bar x_{ik} + \dot y_1^2")).split())
    assert "munder" not in translated and translated.count("<msub><moveraccent") == 2
    assert "munderover" in mathml.spaced(mathml.tex2mathml(r"\sum_{i}^{n} \hat x", as_block=True))


def test_roles_and_labels_in_a_notebook(extension):
    text = ("See :func:`~minigrad.sin`, :doc:`the notes </notes/kinds>` and :eq:`chain`.\n\n.. math::\n   :label: "
            "chain\n\n   a = b\n")
    gallery = extension("gallery")
    markdown = gallery.rst2markdown(text, {}, ".", {})
    assert "See `sin`, the notes and (chain)." in markdown
    assert r"a = b \tag{chain}" in markdown


def test_pages_of_the_course_in_a_notebook(extension):
    markdown = extension("gallery").rst2markdown(
        "After :doc:`/tutorials/hooks/checkpointing`, :doc:`the hooks <saved_tensor_hooks>`.", {}, ".", {})
    assert re.fullmatch(r"After \*Checkpointing[^*]*\* \(`checkpointing.ipynb`\), the hooks "
                        r"\(`saved_tensor_hooks.ipynb`\)\.", markdown.strip())


def test_a_notebook_folds_what_a_page_folds(extension):
    text = (".. dropdown:: A table\n\n   Rows with ``code``.\n\n   More.\n\nNot folded.\n\n"
            ".. folded:: The rest\n\nThe end.\n")
    markdown = extension("gallery").rst2markdown(text, {}, ".", {})
    assert re.search(r"<details><summary>A table</summary>\s+Rows with ``code``\.\s+More\.\s+</details>\s+Not folded",
                     markdown)
    assert re.search(r"^\*The rest:\*\n\nThe end\.", markdown, re.MULTILINE)


def test_code_that_only_draws_is_in_the_notebook_alone(extension):
    extension("gallery")
    from sphinx_gallery import gen_rst, notebook, py_source_parser
    code = "x = 1\n# sphinx_gallery_start_ignore\nplot(x)\n# sphinx_gallery_end_ignore\nshow()\n"
    blocks = [py_source_parser.Block("code", code, 1), py_source_parser.Block("text", "The end.", 6)]
    (cell, _), _ = gen_rst._clean_script_blocks({"remove_config_comments": True}, py_source_parser, blocks, ["", ""])
    shown = gen_rst.codestr2rst(cell.content)
    assert "x = 1" in shown and "show()" in shown and "plot" not in shown and "#" not in shown
    made = {"cells": []}
    notebook.add_code_cell(made, cell.content)
    assert "".join(made["cells"][0]["source"]) == "x = 1\nplot(x)\nshow()"


def test_claims_are_left_out_in_each_process_that_runs_a_tutorial(extension, monkeypatch):
    py_source_parser = pytest.importorskip("sphinx_gallery.py_source_parser")
    monkeypatch.setattr(py_source_parser, "remove_config_comments", str)
    extension("gallery")                    # such a process imports it, and reads no conf.py
    code = "# teaches: no_grad\n# alt: A line\n#      that falls.\nx = 1\n"
    assert py_source_parser.remove_config_comments(code) == "x = 1\n"


def test_a_process_that_runs_tutorials_writes_them_as_the_site_does():
    """It imports the extension, by the name in `reset_modules`, and sets up none."""
    pytest.importorskip("sphinx_gallery")
    program = """
import gallery
from sphinx_gallery import gen_rst, py_source_parser
code = ("# teaches: no_grad\\n# alt: A line.\\n"
        "# sphinx_gallery_start_ignore\\nplot(x)\\n# sphinx_gallery_end_ignore\\nshow()")
blocks = [py_source_parser.Block("code", code, 1)]
cleaned, _ = gen_rst._clean_script_blocks({"remove_config_comments": True}, py_source_parser, blocks, [""])
shown = gen_rst.codestr2rst(cleaned[0].content)
assert "show()" in shown and not any(each in shown for each in ("teaches", "alt", "plot")), shown
assert gen_rst.save_notebook.__name__ == "save_with_exercises"
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "docs" / "_ext")])})
    assert done.returncode == 0, done.stderr


def test_folded_reaches_to_the_next_heading(tmp_path, monkeypatch):
    pytest.importorskip("sphinx")
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    (tmp_path / "conf.py").write_text("extensions = ['folded']\n")
    (tmp_path / "index.rst").write_text(
        "Title\n=====\n\nA\n\n.. folded:: One & two\n\nB\n\nC\n\n.. folded:: Three\n\nD\n\nNext\n----\n\nE\n")
    warned = io.StringIO()
    with patch_docutils(), docutils_namespace():
        Sphinx(tmp_path, tmp_path, tmp_path / "out", tmp_path / "trees", "html", status=None, warning=warned).build()
    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    body = re.sub(r"\s+", "", text[text.index("<p>A</p>"):text.index("<p>E</p>")])
    assert not warned.getvalue() and body.startswith(
        '<p>A</p><detailsclass="folded"><summary>One&amp;two</summary><p>B</p><p>C</p></details>'
        '<detailsclass="folded"><summary>Three</summary><p>D</p></details><section')


def test_a_source_in_parts(extension):
    source = '"""Title."""\n\nimport x\n\n# ---------- first part\n\n# Prose.\n\ncode()\n'
    parts = [(kind, text.strip()) for kind, text, _ in extension("literate").segments(source)]
    assert parts == [("docstring", "Title."), ("code", "import x"), ("section", "first part"), ("prose", "Prose."), (
        "code", "code()")]


# ------------------------------------------------------------------------------ the sidebar


class Site:
    """As much of Sphinx's environment as a sidebar asks for: the title and the entries of each page."""

    def __init__(self, pages):
        from docutils import nodes
        from sphinx import addnodes

        self.titles = {page: nodes.title("", title) for page, (title, _) in pages.items()}
        self.tocs = {page: nodes.bullet_list("", addnodes.toctree(entries=entries))
                     for page, (_, entries) in pages.items()}


@pytest.fixture
def tree(extension):
    pages = {
        "index": ("Home", [(None, "lessons"), (None, "source")]),
        "lessons": ("Lessons", [("First & last", "first"), (None, "second"), (None, "first")]),
        "first": ("One", []), "second": ("Two", [(None, "deep")]), "deep": ("Deep", []),
        "source": ("Source", [(None, "file"), ("again", "first"), (None, "https://outside")]), "file": ("File", []),
    }
    return extension("sidebar").Tree(Site(pages), "index")


def shown(tree, page):
    html = tree.html(page, lambda other: f"{other}.html")
    current = re.findall(r'<li class="([^"]*current-page[^"]*)">.*?>([^<]+)<', html)
    return re.findall(r'href="(\w+)\.html"', html), current


def test_a_sidebar_shows_the_branch_of_its_page(tree):
    assert shown(tree, "index") == (["lessons", "source"], [])
    assert shown(tree, "second") == (["lessons", "first", "second", "deep", "source"],
                                     [("toctree-l2 current current-page has-children", "Two")])
    assert shown(tree, "deep")[1] == [("toctree-l3 current current-page", "Deep")]


def test_a_sidebar_has_each_page_once_and_none_from_outside(tree):
    assert shown(tree, "file") == (["lessons", "source", "file"], [("toctree-l2 current current-page", "File")])
    assert shown(tree, "search") == (["lessons", "source"], [])


def test_titles_in_a_sidebar_are_escaped(tree):
    assert ">First &amp; last</a>" in tree.html("first", str)


def test_every_sidebar_has_a_switch_for_each_open_branch(tree):
    switches = re.findall(r'aria-label="Toggle navigation of (\w+)" checked .*? id="([\w-]+)"', tree.html("deep", str))
    assert switches == [("Lessons", "toctree-checkbox-1"), ("Two", "toctree-checkbox-2")]


# ------------------------------------------------------------------------------ the course as a PDF

PAGE = """<html><head><title>x</title></head><body><nav>not this</nav><article role="main"><section id="{name}">
<h1>{title}<a class="headerlink" href="#{name}">¶</a></h1>{body}</section></article></body></html>"""


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """The course as one page, of two parts with a page each."""
    pytest.importorskip("bs4")
    from bs4 import BeautifulSoup

    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    make_pdf = load(ROOT / "tools" / "make_pdf.py")
    parts = [{"folder": "a", "title": "Part A", "about": "What a is.", "pages": {"one": 1}},
             {"folder": "b", "title": "Part B", "about": "What b is.", "pages": {"two": 1}}]
    monkeypatch.setattr(make_pdf, "parts_of_the_path", lambda: parts)
    bodies = {
        "a/one": '<a class="x" href="../b/two.html#there">over</a> <a href="../../notes/n.html">a note</a>'
                 '<a href="https://pytorch.org">outside</a><img src="../../_images/i.png" srcset="../x.png 2x">'
                 '<p class="rubric">1. Try</p><details><summary>Hint</summary>psst</details>'
                 '<details><summary>Solution</summary><p>42</p></details>'
                 '<details><summary>Project 1: what to expect</summary><p>43</p></details>',
        "b/two": '<p id="there">here</p>',
    }
    for page, body in bodies.items():
        path = tmp_path / "tutorials" / f"{page}.html"
        path.parent.mkdir(parents=True)
        path.write_text(PAGE.format(name=path.stem, title=f"Page {path.stem}", body=body), encoding="utf-8")
    (tmp_path / "tutorials" / "index.html").write_text(
        '<html><head><link rel="stylesheet" href="../_static/x.css"></head></html>', encoding="utf-8")
    return BeautifulSoup(make_pdf.course(tmp_path), "html.parser")


def test_the_pages_of_the_pdf_are_in_order(printed):
    assert [each.get_text() for each in printed.find_all("h1")] == [
        "minigrad", "Contents", "Part A", "Page one", "Part B", "Page two", "Solutions"]
    assert "not this" not in printed.get_text() and "¶" not in printed.get_text()


def test_links_lead_to_places_in_the_pdf(printed):
    targets = {each["href"] for each in printed.find_all("a")}
    assert targets == {"#one--", "#two--", "#two--there", "#solutions", "https://pytorch.org"}
    assert {target[1:] for target in targets if target[0] == "#"} <= {each["id"] for each in printed.find_all(id=True)}
    assert "a note" in printed.get_text()
    assert printed.find("img")["src"] == "tutorials/a/../../_images/i.png" and "srcset" not in printed.find("img").attrs
    assert printed.find("link")["href"] == "tutorials/../_static/x.css"


def test_solutions_come_last_and_hints_stay_on_the_site(printed):
    text = printed.get_text()
    assert text.index("Page two") < text.index("Page one: 1. Try") < text.index("42") and "psst" not in text
    assert text.index("Page one: Project 1: what to expect") < text.index("43")


def test_without_a_browser_it_says_what_to_install(monkeypatch, tmp_path, capsys):
    pytest.importorskip("bs4")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    make_pdf = load(ROOT / "tools" / "make_pdf.py")
    monkeypatch.setattr(make_pdf, "chromium", lambda: None)
    assert make_pdf.main(tmp_path, tmp_path / "course.pdf") == 1
    assert "apt install chromium" in capsys.readouterr().out


# ------------------------------------------------------------------------------ accessibility


@pytest.fixture
def checker(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return load(ROOT / "tools" / "check_accessibility.py")


def test_without_axe_it_says_so(checker, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("AXE", raising=False)
    assert checker.main(tmp_path) == 0
    assert "not checked" in capsys.readouterr().out


def test_a_fault_that_matters_is_said_with_its_elements(checker):
    node = {"html": "<a>", "why": ["no name"]}
    fault = {"id": "link-name", "impact": "serious", "help": "Links need names", "nodes": [node] * 6}
    report = {"page": "/x.html", "theme": "dark", "width": 390, "faults": [fault, {**fault, "impact": "minor"}]}
    first, *_, last = checker.said(report)
    assert first == "/x.html (dark, 390 px): serious: Links need names [link-name]" and last.strip() == "and 2 more"
    assert len(checker.said(report)) == 1 + 4 * 2 + 1
    assert checker.said({"page": "/x.html", "theme": "dark", "width": 390, "error": "lost"}) == [
        "/x.html (dark, 390 px): lost"]


def test_one_page_of_each_kind_is_checked(checker, tmp_path):
    for name in ("index.html", "search.html", "tutorials/a/reading_digits.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list(checker.pages_of(tmp_path)) == [
        "/index.html", "/tutorials/a/reading_digits.html", "/search.html?q=hook"]


# ------------------------------------------------------------------------------ the search


def test_search_results_are_in_order(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    browsers = load(ROOT / "tools" / "browsers.py")
    if browsers.chromium() is None:
        pytest.skip("no Chromium was found")
    expected = [
        ["tutorials/hooks/hooks_on_tensors", "Hooks on tensors", "", None, 15, "x", "text"],
        ["reference/tensor", "minigrad.Tensor.register_hook", "#x", "method", 16, "x", "object"],
        ["tutorials/in_place/views", "Views", "", None, 5, "x", "text"],
        ["reference/autograd", "Autograd", "", None, 5, "x", "text"],
        ["notes/design", "The design", "", None, 5, "x", "text"],
        ["read", "Read the source", "", None, 5, "x", "text"],
        ["reading/_core-backward-hooks", "_core/backward/hooks.pyx", "", None, 16, "x", "title"],
    ]
    script = (ROOT / "docs" / "_ext" / "scorer.js").read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(f"<body><script>{script}\ndocument.body.textContent = JSON.stringify({json.dumps(expected)}"
                    ".map((result) => Scorer.score(result)));</script></body>", encoding="utf-8")
    run = subprocess.run([browsers.chromium(), *browsers.OPTIONS, f"--user-data-dir={tmp_path / 'profile'}",
                          "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120, check=True)
    scores = json.loads(re.search(r"\[[^\]]*\]", run.stdout)[0])
    assert len(scores) == len(expected) and scores == sorted(scores, reverse=True) and len({*scores}) == len(scores)


# ------------------------------------------------------------------------------ pages that have moved


def sources_with_a_page():
    modules = [path.relative_to(ROOT / "minigrad").with_suffix("").as_posix().replace("/", "-")
               for path in (ROOT / "minigrad").rglob("*.p*") if path.suffix in (".py", ".pyx", ".pxd")]
    tutorials = [path.relative_to(ROOT).with_suffix("").as_posix().replace("GALLERY_HEADER", "index")
                 for path in (ROOT / "tutorials").glob("*/*.*")]
    return {*[f"reading/{module}" for module in modules], *tutorials}


def test_moved_pages_lead_to_pages(extension):
    moved, sources = extension("moved").moved(ROOT / "docs"), sources_with_a_page()
    assert len(moved) > 100 and len({old for old, _ in moved}) == len(moved)
    assert {new for _, new in moved} <= sources and not {old for old, _ in moved} & sources


def test_a_moved_page_sends_its_reader_on(extension, tmp_path):
    (tmp_path / "reading").mkdir()
    (tmp_path / "tutorials").mkdir()
    (tmp_path / "moved.txt").write_text("# old, new\n_core-engine _core-backward-engine\ntutorials/a/x tutorials/b/y\n")
    module = extension("moved")
    app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path, builder=SimpleNamespace(format="html"))
    module.write_pages(app, ValueError("the build has failed"))
    assert not list((tmp_path / "reading").iterdir())
    module.write_pages(app, None)
    page, = (tmp_path / "reading").iterdir()
    assert page.name == "_core-engine.html" and '0; url=_core-backward-engine.html"' in page.read_text()
    assert '0; url=../b/y.html"' in (tmp_path / "tutorials" / "a" / "x.html").read_text()

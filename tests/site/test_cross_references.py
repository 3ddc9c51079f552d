"""The sources as pages: links to what they name, and who calls a function."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "minigrad/one.py": '''"""See _core/two.pyx, and Note [Twos]."""

import os
from minigrad._core import two
from minigrad._core.two import double, Pair as P


def quadruple(x):
    """As a helper would."""
    return double(double(x))


class Box:
    def twice(self, x):
        P(double=1).double(x)
        return two.double(x)
''',
    "minigrad/_core/two.pyx": '''# Note [Twos]
# -----------
# They are even.

cdef class Pair:
    pass

cpdef object double(object x):
    # quadruple() is in one.py; "MG101" is an error
    return x + x

def alone():
    return [double(n)
            for n in (1, 2)]
''',
    "minigrad/_core/two.pxd": "cpdef object double(object x)\n",
}


@pytest.fixture
def module(monkeypatch):
    for name in ("sphinx", "pygments"):
        pytest.importorskip(name)
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    return importlib.import_module("cross_references")


@pytest.fixture
def linked(tmp_path, module):
    """The HTML of a page of such a library, with its links."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import CythonLexer
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    rows = {"exp": "../reference/ops/elementary.html#minigrad.exp"}
    linker = module.Linker(module.Sources(tmp_path), rows, {"MG101"})

    def html(name, prose="", declared=""):
        formatter = HtmlFormatter(linenos="inline")
        code = highlight(FILES[name], CythonLexer(stripnl=False), formatter)
        page = name.removeprefix("minigrad/").rpartition(".")[0].replace("/", "-")
        return linker.html(page, f'{prose}<div class="literate highlight-python notranslate">{code}</div>{declared}')

    html.linker = linker
    return html


def links(html):
    return [(re.sub(r"<[^>]*>", "", shown), address)
            for address, shown in re.findall(r'<a(?: class="source")? href="([^"]*)">(.*?)</a>', html)]


def line(html, number):
    return next(each for each in html.split("\n") if re.search(rf'<span class="linenos"> *{number}</span>', each))


def test_what_is_imported_leads_to_its_definition(linked):
    html = linked("minigrad/one.py")
    assert links(line(html, 5)) == [("minigrad._core.two", "_core-two.html"), ("double", "_core-two.html#def-double"),
                                    ("P", "_core-two.html#def-Pair")]
    assert ("double", "_core-two.html#def-double") in links(line(html, 10))
    # a method of that name, and an argument, are others; an attribute of a module is the function
    assert links(line(html, 15)) == [("P", "_core-two.html#def-Pair")]
    assert links(line(html, 16)) == [("two", "_core-two.html"), ("double", "_core-two.html#def-double")]


def test_a_function_shows_who_calls_it(linked):
    html = linked("minigrad/_core/two.pyx")
    assert 'id="def-double"' in line(html, 8)
    called = line(html, 8).partition("called by")[2]
    assert links(called) == [("alone", "#def-alone"), ("quadruple", "one.html#def-quadruple"),
                             ("Box.twice", "one.html#def-Box")]
    assert "called by" not in line(html, 12)


def test_more_callers_are_at_the_end_of_the_page(linked, module, monkeypatch):
    monkeypatch.setattr(module, "SHOWN", 1)
    html = linked("minigrad/_core/two.pyx")
    assert '<a href="#callers-of-double">2 more</a>' in line(html, 8)
    assert len(links(html.partition('<dt id="callers-of-double">')[2])) == 4        # itself, and three callers


def test_callers_of_what_is_only_declared(linked, monkeypatch, module):
    monkeypatch.setattr(module, "SHOWN", 0)
    two, = [file for file in linked.linker.sources.files if file.name.endswith("two.pyx")]
    monkeypatch.delitem(two.lines, "double")                    # as if it were an inline function
    declared = ('<h2>Declarations: two.pxd</h2><div class="literate highlight-cython notranslate"><div><pre><span>'
                '</span><span class="linenos">1</span><span class="nf">double</span>\n</pre></div></div>')
    html = linked("minigrad/_core/two.pyx", declared=declared)
    assert 'id="def-double"' in html and 'href="#callers-of-double"' in html and 'id="callers-of-double"' in html


def test_files_notes_errors_and_rows_are_links(linked):
    html = linked("minigrad/one.py", '<p>See <code><span class="pre">_core/two.pyx</span></code>, Note [Twos], and '
                  '<a href="x.html">one.py</a>, _core/gone.pyx and Note [None].</p>')
    assert links(html)[:3] == [("_core/two.pyx", "_core-two.html"), ("Note [Twos]", "_core-two.html#note-twos"),
                               ("one.py", "x.html")]
    assert {("_core/two.pyx", "_core-two.html"), ("Note [Twos]", "_core-two.html#note-twos")} <= {*links(line(html, 1))}
    html = linked("minigrad/_core/two.pyx", '<p class="rubric">Note [Twos]</p>')
    assert '<p class="rubric" id="note-twos">Note [Twos]</p>' in html
    assert links(line(html, 9)) == [("one.py", "one.html"), ("MG101", "../errors/MG101.html")]


def test_a_row_leads_to_its_operation(linked):
    file = linked.linker.sources.files[0]
    file.name = "minigrad/ops/elementary.py"
    words = linked.linker.text(file, "&quot;exp(Tensor self)&quot;", kind='<span class="s2">')
    assert links(words) == [("exp", "../reference/ops/elementary.html#minigrad.exp")]


def test_the_core_is_linked(module):
    sources = module.Sources(ROOT)
    assert sources.definition("minigrad._core.graph", "new_tensor")[0].name.startswith("minigrad/_core/graph/graph.p")
    callers = sources.callers["minigrad._core.backward.fitting", "fit_tensor"].values()
    assert {file.module for file, _, _ in callers} >= {"minigrad._core.backward.hooks"}
    assert all(sources.notes[note] for text in (file.text for file in sources.files)
               for note in re.findall(r"see Note \[([^\]\n]+)\]", text))

"""A build after a small change: what it builds again, and that it makes the same as a build of everything."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("docutils")         # the site's, which what compares with PyTorch does not install
ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("build_site", ROOT / "tools" / "build_site.py")
build_site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build_site)

spec = importlib.util.spec_from_file_location("rebuilding", ROOT / "docs" / "_ext" / "rebuilding.py")
rebuilding = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rebuilding)

# ------------------------------------------------------------------------------ what changed

FILES = {
    "tutorials/part/page.py": '"""\nA title\n=======\n\nA sentence.\n"""\nx = 1\n',
    "tutorials/exercises/page.py": '"""Exercises of it."""\n',
    "tutorials/path.toml": "",
    "docs/notes/kinds.rst": "Kinds\n=====\n",
    "docs/_ext/course.py": "",
    "minigrad/_core/call.pyx": "",
    "README.md": "", "CHANGELOG.md": "", "constraints.txt": "",
}


@pytest.fixture
def clone(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for written in ("docs/_build/html/index.html", "docs/tutorials/part/page.rst", "minigrad/_core/call.c"):
        (tmp_path / written).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / written).touch()
    return tmp_path


def test_the_sources_are_those_that_are_not_written_by_a_build(clone):
    assert build_site.sources(clone).keys() == FILES.keys()


@pytest.mark.parametrize(("name", "old", "new", "alone"), [
    ("tutorials/part/page.py", "A sentence", "Another sentence", True),
    ("tutorials/part/page.py", "x = 1", "x = 2", True),
    ("tutorials/part/page.py", "A title", "Another title", False),       # other pages show it
    ("docs/notes/kinds.rst", "Kinds", "Sorts", True),                    # what others show, rebuilding.py compares
    ("tutorials/exercises/page.py", "of it", "of this", False),
    ("tutorials/path.toml", "", "x", False),
    ("docs/_ext/course.py", "", "x", False),
    ("minigrad/_core/call.pyx", "", "x", False),
    ("constraints.txt", "", "x", False),
])
def test_pages_are_built_alone(clone, name, old, new, alone):
    before = build_site.sources(clone)
    assert build_site.changed_pages(before, before) == []
    path = clone / name
    path.write_text(path.read_text().replace(old, new, 1))
    assert build_site.changed_pages(before, build_site.sources(clone)) == ([name] if alone else None)


def test_all_is_built_when_pages_come_or_go_or_nothing_is_known(clone):
    before = build_site.sources(clone)
    (clone / "docs" / "notes" / "more.rst").touch()
    assert build_site.changed_pages(before, build_site.sources(clone)) is None
    assert build_site.changed_pages(None, before) is None


def test_tutorials_that_ran_before_a_build_was_interrupted_do_not_run_again(tmp_path):
    folder = tmp_path / "tutorials"
    rebuilding.forget_runs_with_another("this library", folder)
    (folder / "part").mkdir()
    record = folder / "part" / "page.py.md5"
    record.touch()
    rebuilding.forget_runs_with_another("this library", folder)
    assert record.exists()
    rebuilding.forget_runs_with_another("another", folder)
    assert not record.exists()


def test_the_sources_of_the_site_are_found():
    found = build_site.sources(ROOT)
    assert {"docs/conf.py", "docs/_static/minigrad.css", "minigrad/viz/player.js", "tutorials/entries.toml",
            "tests/proofs/proofs.txt", "tools/question_bank/pages.toml"} <= found.keys()
    assert not [name for name in found if name.startswith(build_site.WRITTEN)]


def test_a_build_has_one_thread_for_linear_algebra_and_a_failure_ends_it():
    build_site.run("-c", "import os; raise SystemExit(os.environ['OPENBLAS_NUM_THREADS'] != '1')")
    with pytest.raises(SystemExit):
        build_site.run("-c", "raise SystemExit(3)")


# ------------------------------------------------------------------------------ what is built

PAGES = {
    "index": "Index\n=====\n\n.. toctree::\n\n   one\n   two\n   reading/source\n",
    "one": "One\n===\n\n.. _here:\n\nA part\n------\n\nA sentence.\n\nMore\n----\n",
    "two": "Two\n===\n\nSee :doc:`one` and :ref:`here`.\n\n.. index:: a page, Another\n\n"
           ".. py:function:: f(some_parameter)\n",
    "reading/source": "Source\n======\n\n.. index:: a page\n\nWords.\n",
}
CONF = "import sys\nsys.path.insert(0, {!r})\nextensions = ['rebuilding', 'searching']\nhtml_theme = 'furo'\n"


def contents(site):
    """What is in a site, by name; not what Sphinx keeps for its next build."""
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*")
            if path.is_file() and ".doctrees" not in path.parts}


@pytest.mark.parametrize(("old", "new", "written"), [
    ("A sentence", "Another sentence", {"one"}),
    ("One\n===", "Eins\n====", {*PAGES}),
    ("A part", "Some", {*PAGES}),                           # a label has this title, and another page shows it
    ("More", "Others", {"index", "one"}),                   # the index has it
    (".. _here:\n", ".. _there:\n.. _here:\n", {*PAGES}),
])
@pytest.mark.drawn
def test_a_change_is_seen_where_it_is_shown_and_as_after_a_whole_build(tmp_path, old, new, written):
    pytest.importorskip("furo")
    docs, site, whole = tmp_path / "docs", tmp_path / "site", tmp_path / "whole"
    docs.mkdir()
    (docs / "conf.py").write_text(CONF.format(str(ROOT / "docs" / "_ext")))
    for name, text in PAGES.items():
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / f"{name}.rst").write_text(text)

    def sphinx(to, *options):
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", *options, docs, to], check=True,
                       capture_output=True)

    def ages():
        return {name: (site / f"{name}.html").stat().st_mtime_ns for name in PAGES}

    sphinx(site)
    before = ages()
    (docs / "one.rst").write_text(PAGES["one"].replace(old, new))
    sphinx(site, "-D", "changed_pages=docs/one.rst")
    assert {name for name, age in ages().items() if age != before[name]} == written | {"index"}
    sphinx(whole)
    left, there = contents(site), contents(whole)
    assert b'"parameters":{"some_parameter":[["two","f"]]}' in there["_static/search-names.json"]
    assert [name for name in {*left, *there} if left.get(name) != there.get(name)] == []

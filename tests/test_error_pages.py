"""Every error has a page, every page a program that fails with just that error, and a cure that runs.

What a page must be is said by `complaints`, which finds what is wrong with one; it is itself tried on pages with
faults planted in them.
"""

import contextlib
import doctest
import fnmatch
import importlib.util
import io
import re
import subprocess
import sys
import tomllib
import types
import warnings
from pathlib import Path

import pytest

import minigrad
from minigrad import error_pages
from minigrad._core.errors import CATALOGUE
from minigrad.error_pages import executing
from minigrad.error_pages.executing import failures, is_for_ranks
from tests import starting
from tests.distributed.launching import passed

pytestmark = pytest.mark.usefixtures("interpreters")

ROOT = Path(__file__).resolve().parent.parent
HEADINGS = ["A program that fails", "Why it matters", "The cure"]
TERMINAL = 79


@pytest.fixture(autouse=True)
def as_in_a_fresh_process(monkeypatch):
    """Programs may warn, draw random numbers and import; PyTorch, where a test before this one has loaded it, is put
    away."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    minigrad.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def sections(text):
    """{heading: the text below it}; the text above the first heading is below ""."""
    parts = re.split(r"^(\S.*)\n-+\n", text.split("\n", 2)[2], flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2]))


def examples(text):
    return doctest.DocTestParser().get_examples(text)


def raised_by(program):
    """For each of these examples the exception in which it ends, or None."""
    names, raised = {"__name__": "__main__"}, []
    with contextlib.redirect_stdout(io.StringIO()):
        for example in program:
            try:
                exec(compile(example.source, "<program>", "exec"), names)
                raised.append(None)
            except Exception as problem:
                raised.append(problem)
    return raised


def complaints(name, text):
    """Everything that is wrong with the page of this name."""
    found = []
    title, underline = text.split("\n")[:2]
    if name in CATALOGUE and title != f"{name}: {CATALOGUE[name][1]}":
        found.append(f"the title is not the line of the catalogue: {title}")
    if underline != "=" * len(title):
        found.append("the title is not underlined")
    parts = sections(text)
    if list(parts) != ["", *HEADINGS]:
        return [*found, f"the headings are {list(parts)[1:]}"]
    found += [f"nothing is said under {heading!r}" for heading, part in parts.items() if not part.strip()]
    program, cure = examples(parts["A program that fails"]), examples(parts["The cure"])
    if not program:
        found.append("no program fails")
    elif name in CATALOGUE:
        *before, last = raised_by(program)
        if getattr(last, "code", None) != name:
            found.append(f"the program ends in {last!r}")
        if not program[-1].exc_msg:
            found.append("the error is not shown")
        found += [f"another error on the way: {each!r}" for each in before if each and getattr(each, "code", None)
                  != name]
    if not any(example.want for example in cure):
        found.append("no cure shows its result")
    found += [f"the cure fails: {example.source}" for example in cure if example.exc_msg]
    found += failures(name, text)
    if not text.isascii():
        found.append("a terminal may not be able to show this: " + ascii([c for c in text if not c.isascii()]))
    pieces = [piece if isinstance(piece, str) else piece.source for piece in doctest.DocTestParser().parse(text.split(
        "\n", 2)[2])]
    found += [f"too wide for a terminal: {line}" for piece in pieces for line in piece.split("\n") if len(line)
              + 4 * (piece not in text) > TERMINAL]
    return found


# ------------------------------------------------------------------------------ the pages

def test_a_program_of_several_ranks_is_run_on_two_where_there_is_mpi(monkeypatch):
    text = '>>> import minigrad as torch\n>>> torch.distributed.init_process_group("mpi")\n'
    text += ">>> torch.distributed.get_world_size()\n{}\n"
    with monkeypatch.context() as patch:
        patch.setattr(executing, "mpiexec", lambda: None)
        assert failures("ranks", text.format(3)) == []
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    if executing.mpiexec() is None:
        pytest.skip("there is no mpiexec")
    (report,) = failures("ranks", text.format(3))
    assert "Expected:\n    3\nGot:\n    2\n" in report and failures("ranks", text.format(2)) == []


def test_every_code_has_a_page_and_no_page_is_for_a_code_that_does_not_exist():
    assert {name for name in error_pages.names() if re.match("MG", name)} == set(CATALOGUE)


@pytest.fixture(scope="module")
def said_by_ranks():
    """What two ranks say of the pages for several, all of which they look at in one run."""
    pytest.importorskip("mpi4py")
    return passed(2, "page.py", *[name for name in error_pages.names() if is_for_ranks(error_pages.page(name))])


@pytest.mark.parametrize("name", error_pages.names())
def test_page(name, request):
    if is_for_ranks(error_pages.page(name)):
        said = request.getfixturevalue("said_by_ranks")
        assert [line for line in said if line.startswith(name)] == [f"{name}: rank {rank} of 2 is right"
                                                                    for rank in range(2)]
        return
    assert not complaints(name, error_pages.page(name)), "\n".join(complaints(name, error_pages.page(name)))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("does not require grad\n", "requires no grad\n", "the title is not the line"),
        ("Why it matters\n--------------\n", "", "the headings are"),
        ("The cure\n--------\n", "The cure\n--------\n\nThere is none.\n\nMore\n----\n", "the headings are"),
        (">>> loss.backward()\nTraceback", ">>> minigrad\nTraceback", "the program ends in NameError"),
        (">>> loss.backward()\nTraceback", ">>> loss.sum(5)\nTraceback", "the program ends in AutogradIndexError"),
        (">>> loss.b", ">>> loss.sum(5)\n>>> loss.b", "another error on the way: AutogradIndexError"),
        ("torch.tensor([1.0, 2.0])\n", "torch.tensor([1.0, 2.0], requires_grad=True)\n", "the program ends in None"),
        ("AutogradRuntimeError: element 0", "AutogradRuntimeError: element 1", "Expected:"),
        ("tensor([2., 4.])", "tensor([2., 5.])", "Expected:"),
        ("nobody asked", "nobody \N{EM DASH} asked", "a terminal may not be able"),
        ("nobody asked", "nobody, and that is everybody who might have thought of it in time, asked", "too wide"),
    ],
)
def test_a_faulty_page_is_found(old, new, complaint):
    text = error_pages.page("MG103")
    assert old in text and not complaints("MG103", text)
    assert any(complaint in each for each in complaints("MG103", text.replace(old, new)))


@pytest.mark.parametrize(("heading", "complaint"),
                         [("A program that fails", "no program fails"), ("The cure", "no cure shows its result")])
def test_a_page_without_a_program_or_a_cure_is_found(heading, complaint):
    text = error_pages.page("MG103")
    start = text.index(heading) + 2 * len(heading) + 2
    stop = text.find("Why it matters", start) if heading != "The cure" else len(text)
    assert complaint in complaints("MG103", text[:start] + "\nNothing.\n\n" + text[stop:])


def test_a_cure_that_fails_is_found():
    text = (error_pages.page("MG103") + "\n>>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError: "
                                        "division by zero\n")
    assert any("the cure fails" in each for each in complaints("MG103", text))


# ------------------------------------------------------------------------------ the graphs on them

#: The errors that people meet most.
FIRST = ["MG101", "MG102", "MG103", "MG104", "MG105", "MG106", "MG107", "MG108", "MG110", "MG111", "MG201",
         "grad-of-a-non-leaf"]


@pytest.fixture
def catalogue(monkeypatch):
    """docs/_ext/catalogue.py, where Sphinx is installed."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    spec = importlib.util.spec_from_file_location("catalogue", ROOT / "docs" / "_ext" / "catalogue.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", FIRST)
def test_the_first_pages_have_a_graph_of_the_tensors_of_their_program(name, catalogue):
    told, = [example for example in examples(error_pages.page(name)) if "viz.graph" in example.source]
    graph, = catalogue.graphs_of(error_pages.page(name))
    # the drawing on the site, and the words in the terminal
    assert " ".join(told.want.split()) == " ".join(str(graph).split())


def test_a_graph_that_cannot_be_drawn_is_an_error_of_the_build(catalogue):
    with pytest.raises(NameError):
        catalogue.graphs_of(error_pages.page("MG101").replace('"x": x', '"x": absent'))


# ------------------------------------------------------------------------------ the command line

def command(*arguments):
    return starting.run(f"import sys\nfrom minigrad.__main__ import main\nsys.exit(main({['explain', *arguments]}))")


def test_a_page_in_the_terminal():
    done = subprocess.run([sys.executable, "-m", "minigrad", "explain", "MG101"], cwd=ROOT, capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, error_pages.page("MG101"), "")


def test_several_pages_in_the_terminal():
    done = command("mg101", "[MG102]", "grad-of-a-non-leaf")
    assert done.returncode == 0
    assert [line for line in done.stdout.split("\n") if re.match(r"(MG\d+|grad-of-a-non-leaf): ", line)] == [
        error_pages.page(name).split("\n")[0] for name in ("MG101", "MG102", "grad-of-a-non-leaf")
    ]


def test_a_list_of_all_pages():
    done = command()
    assert done.returncode == 0 and done.stderr == ""
    assert sorted(re.findall(r"^  (\S+)  ", done.stdout, re.MULTILINE)) == error_pages.names()


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("MG1011", "Did you mean MG111 or MG101?"), ("leaf", "MG105 or grad-of-a-non-leaf"),
     ("XY", "To list all of them: python -m minigrad explain")],
)
def test_an_unknown_code(asked, answer):
    done = command(asked)
    assert done.returncode == 2 and done.stdout == ""
    assert f"there is no page '{asked}'" in done.stderr and answer in done.stderr


def test_an_unknown_code_among_known_ones():
    done = command("MG101", "MG999")
    assert done.returncode == 2 and done.stdout == error_pages.page("MG101") and "'MG999'" in done.stderr


def test_a_reader_who_stops_early():
    script = ("import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); from minigrad.__main__ import main; "
              "sys.exit(main(['explain']))")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ------------------------------------------------------------------------------ where the pages go

def test_the_pages_are_installed_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["minigrad.error_pages"]
    pages = [path.name for path in Path(error_pages.__file__).parent.iterdir() if path.suffix not in (".py", "")
             and path.is_file()]
    assert len(pages) == len(error_pages.names())
    assert all(any(fnmatch.fnmatch(page, each) for each in patterns) for page in pages)


@pytest.mark.drawn
def test_the_site_can_show_all_pages(tmp_path):
    """The extension alone in a site of its own, where a warning is an error."""
    pytest.importorskip("sphinx")
    extensions = str(ROOT / "docs" / "_ext")
    (tmp_path / "conf.py").write_text(f"import sys\nsys.path[:0] = {[str(ROOT), extensions]}\nextensions = "
                                      "['catalogue']\ndefault_role = 'code'\n")
    (tmp_path / "index.rst").write_text("Errors\n======\n\n.. error-catalogue::\n\n.. toctree::\n   :glob:\n\n   "
                                        "errors/*\n")
    built = tmp_path / "built"
    done = subprocess.run(
        [sys.executable, "-B", "-m", "sphinx", "--fail-on-warning", "-q", "-b", "html", tmp_path, built],
        capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    index = (built / "index.html").read_text(encoding="utf-8")
    for name in error_pages.names():
        assert f'href="errors/{name}.html"' in index
        page = (built / "errors" / f"{name}.html").read_text(encoding="utf-8")
        assert all(f"<h2>{heading}<" in page for heading in HEADINGS)
        assert page.count('role="group" aria-label="Graph of') == error_pages.page(name).count(
            ">>> print(torch.viz.graph(")


def test_the_site_has_a_page_for_each(tmp_path, catalogue):
    (tmp_path / "errors").mkdir()
    (tmp_path / "errors" / "MG999.rst").touch()
    catalogue.write_pages(types.SimpleNamespace(srcdir=tmp_path, config=types.SimpleNamespace(changed_pages="")))
    assert sorted(path.stem for path in (tmp_path / "errors").iterdir()) == error_pages.names()
    assert (tmp_path / "errors" / "MG104.rst").read_text() == (
        "MG104: Only a scalar has an implicit gradient\n=============================================\n\n.. "
        "error-page:: MG104\n"
    )

"""Every planted fault finds its place in the core, however the code is laid out; if one does not, that is an error."""

import os

import pytest

from . import __main__ as running
from .__main__ import SOURCES, check_import, compile_with, main, sources_in
from .planted import FAULTS, TOKEN, Fault, NotThere


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(fault):
    sources = sources_in(SOURCES)
    module, changed = fault.planted_in(sources)
    assert changed != sources[module]


def test_names_differ():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 10


CORE = {
    "graph": '''"""A module.

    def f(a):               # as it might be
        a = 1
"""

cdef int g(int a, int b=1)


cdef class Tensor:
    def g(self):
        """a = 1"""
        return a == 1       # a = 1


cdef object f(Tensor t,
              int b):
    cdef int a = 1
    a = 1
    return [
        a,
    ]


a = 1
''',
    "engine": "def f_too():\n    a = 1; a = 1\n\n\ndef twice(f): a = 1\n\n\ndef other():\n    pass\n",
}


def planted(function, right, wrong):
    module, changed = Fault("planted", function, right, wrong).planted_in(CORE)
    before, after = CORE[module].split("\n"), changed.split("\n")
    return module, [line for line in after if line not in before]


def test_a_fault_is_planted_where_its_function_is():
    assert planted("f", "return [a,", "return [-a,") == ("graph", ["    return [-a,"])
    assert planted("Tensor.g", "a==1", "a == 2") == ("graph", ["        return a == 2       # a = 1"])


@pytest.mark.parametrize(("function", "right", "fault"), [
    ("h", "a = 1", "there must be one h in the core, and there are 0$"),
    ("Tensor.f", "a = 1", "there must be one Tensor.f in the core, and there are 0$"),
    ("f", "a = 2", r"this occurs 0 times in f \(graph.pyx\), and must occur once: a = 2"),
    ("f", "a = 1", r"this occurs 2 times in f \(graph.pyx\)"),
    ("Tensor.g", "a = 1", r"this occurs 0 times in Tensor.g \(graph.pyx\)"),
    ("f_too", "a = 1", r"this occurs 2 times in f_too \(engine.pyx\)"),
])
def test_what_is_not_there_once_is_an_error(function, right, fault):
    with pytest.raises(NotThere, match=fault):
        Fault("planted", function, right, "pass").planted_in(CORE)


def test_a_function_that_is_there_twice_is_an_error():
    twice = CORE | {"views": "cdef f():\n    a = 1\n"}
    with pytest.raises(NotThere, match="there must be one f in the core, and there are 2, in graph, views$"):
        Fault("planted", "f", "a = 2", "pass").planted_in(twice)


# ------------------------------------------------------------------------------ nothing is caught by accident


@pytest.fixture
def copy(tmp_path):
    """A copy of a library with one compiled module, which is older than its source."""
    core = tmp_path / "minigrad" / "_core"
    objects = tmp_path / "build" / "temp.linux-x86_64-cpython-311" / "minigrad" / "_core"
    core.mkdir(parents=True)
    objects.mkdir(parents=True)
    (tmp_path / "setup.py").write_text("")
    (core / "graph.pyx").write_text(CORE["graph"])
    (objects / "graph.o").write_text("as it was")
    (tmp_path / "minigrad" / "_core.cpython-311-x86_64-linux-gnu.so").write_text("as it was")
    return tmp_path


def test_a_module_that_is_not_compiled_is_an_error(copy):
    """The setup.py here compiles nothing: without the error, the module as it was would be tried."""
    with pytest.raises(SystemExit, match="'planted': graph was not compiled"):
        compile_with(Fault("planted", "f", "return [a,", "return [-a,"), copy)


def test_a_module_that_is_compiled_and_not_linked_is_an_error(copy):
    (copy / "setup.py").write_text("""
import pathlib
folder, = pathlib.Path("build").iterdir()
(folder / "minigrad" / "_core" / "graph.o").write_text("as it is")
""")
    with pytest.raises(SystemExit, match="'planted': graph was not compiled"):
        compile_with(Fault("planted", "f", "return [a,", "return [-a,"), copy)


def test_a_copy_that_cannot_be_imported_is_an_error(copy):
    (copy / "minigrad" / "__init__.py").write_text("raise ImportError('another size of Tensor')")
    with pytest.raises(SystemExit, match="(?s)'planted': with it minigrad cannot be imported.*another size"):
        check_import(Fault("planted", "f", "", ""), copy, {**os.environ, "PYTHONPATH": str(copy)})


def test_a_fault_without_a_place_ends_the_run_before_anything_is_compiled(monkeypatch):
    lost = Fault("lost", "no_such_function", "a", "b")
    monkeypatch.setattr(running, "FAULTS", [FAULTS[0], lost])
    monkeypatch.setattr(running, "hunt", lambda *arguments: pytest.fail("nothing may be compiled"))
    monkeypatch.setattr("sys.argv", ["tests.faults"])
    with pytest.raises(SystemExit, match="'lost': there must be one no_such_function.*\n.*tests/faults/planted.py"):
        main()


def test_a_fault_is_another_code():
    for fault in FAULTS:
        assert TOKEN.findall(fault.right) != TOKEN.findall(fault.wrong), fault.name


def test_tests_that_do_not_end_notice_a_fault_and_say_how_far_they_came(monkeypatch):
    monkeypatch.setattr(running, "LIMIT", 5)
    monkeypatch.setitem(running.JUDGES, "hang", ["-c", "import time; print('here', flush=True); time.sleep(60)"])
    monkeypatch.setattr(running, "NOTHING", Fault("nothing", "", "", "", "hang"))
    noticed, shown = running.hunt(running.NOTHING, 0)
    assert noticed == "no end" and "did not end within 5 s:\nhere\n" in shown

"""Every planted fault finds its place in the core, however the code is laid out; if one does not, that is an error."""

import os
import re
import signal

import pytest

from . import __main__ as running
from . import judges
from .__main__ import SOURCES, check_import, compile_with, main, sources_in
from .guards import EQUIVALENT, IDEAS, chosen_guards, spoilt_guards
from .planted import FAULTS, Fault
from .sources import CONDITION, EXPRESSION, STATEMENT, TOKEN, NotThere, Place, places, with_switches, without_words


@pytest.fixture(scope="module")
def sources():
    return sources_in(SOURCES)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(sources, fault):
    place = fault.place_in(sources)
    assert place.start < place.end and fault.judge in judges.JUDGES


def test_names_differ():
    names = [fault.name for fault in FAULTS] + [spoilt.name for spoilt, _ in chosen_guards(sources_in(SOURCES))]
    assert len(set(names)) == len(names) >= 100


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
    if a:
        a += 1
    return [
        a,
    ]


a = 1
''',
    "engine": "def f_too():\n    a = 1; a = 1\n\n\ndef twice(f): a = 1\n\n\ndef other():\n    pass\n",
}


def planted(function, right, wrong):
    """The module, and the lines that are new with the switch."""
    place = Fault("planted", function, right, wrong).place_in(CORE)
    before = CORE[place.module].split("\n")
    changed = with_switches(CORE[place.module], {17: place}).partition("\n\ncdef extern")[0]
    return place.module, [line.strip() for line in changed.split("\n") if line not in before]


def test_a_fault_is_planted_where_its_function_is():
    assert planted("f", "a,", "-a,") == ("graph", ["((-a,) if mg_planted(17) else (a,))"])
    assert planted("Tensor.g", "a==1", "a == 2") == (
        "graph", ["return ((a == 2) if mg_planted(17) else (a == 1))       # a = 1"])


def test_a_statement_and_a_condition_have_switches_of_their_own():
    assert planted("f", "a += 1", "pass") == (
        "graph", ["if mg_planted(17):", "pass", "else:", "a += 1"])
    assert planted("f", "if a:", "if not a:") == (
        "graph", ["if (mg_yes(not a) if mg_planted(17) else mg_yes(a)):"])


def test_several_faults_at_one_place_and_one_within_another():
    source = "x = f(a)"
    switched = with_switches(source, {1: Place("m", 0, 8, STATEMENT, "pass"), 2: Place("m", 0, 8, STATEMENT, "x = 2"),
                                      3: Place("m", 6, 7, EXPRESSION, "b"), 4: Place("m", 6, 7, CONDITION, "True")})
    assert switched.partition("\n\ncdef extern")[0].split("\n") == [
        "if mg_planted(1):", "    pass", "elif mg_planted(2):", "    x = 2", "else:",
        "    x = f(((b) if mg_planted(3) else ((mg_yes(True) if mg_planted(4) else mg_yes(a)))))"]


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
        Fault("planted", function, right, "pass").place_in(CORE)


def test_a_function_that_is_there_twice_is_an_error():
    twice = CORE | {"views": "cdef f():\n    a = 1\n"}
    with pytest.raises(NotThere, match="there must be one f in the core, and there are 2, in graph, views$"):
        Fault("planted", "f", "a = 2", "pass").place_in(twice)


# ------------------------------------------------------------------------------ guards

GUARDED = '''cdef int f(Tensor t, Saved* s) except -1:
    """if this: raise nothing"""
    if t.node is not None and (<Version>s.version).value != s.at:
        raise second_time(t)            # if it is so
    while i < n:
        i += 1
    x = a if s.kind == INPUT else [y for y in z if y]
    return not (s.number or t is None)
'''


def test_the_guards_of_a_function_and_all_that_can_be_wrong_with_them():
    both = "`t.node is not None and (<Version>s.version).value != s.at`"
    assert [spoilt.name for spoilt in spoilt_guards("m", GUARDED, "f")] == [f"f: {what}" for what in [
        f"{both} always true", f"{both} always false", f"{both} without `t.node is not None`",
        f"{both} without `(<Version>s.version).value != s.at`", f"{both} with > for !=",
        "`raise second_time(t)` left out",
        "`i < n` always true", "`i < n` always false", "`i < n` with <= for <", "`i += 1` left out",
        "`s.kind == INPUT` always true", "`s.kind == INPUT` always false",
    ]]


def test_what_a_spoilt_guard_says():
    changed = {spoilt.name.partition("` ")[2]: spoilt.place.wrong for spoilt in spoilt_guards("m", GUARDED, "f")[:6]}
    assert changed["without `t.node is not None`"] == "True and (<Version>s.version).value != s.at"
    assert changed["with > for !="] == "t.node is not None and (<Version>s.version).value > s.at"
    assert changed["left out"] == "pass"


def test_every_function_with_a_guard_is_there():
    sources = sources_in(SOURCES)
    for idea in IDEAS:
        for module, functions in idea.functions.items():
            for function in functions.split():
                assert list(places(without_words(sources[module]), function)), f"{function} is not in {module}.pyx"
        assert idea.judge in judges.JUDGES


def test_what_is_chosen_elsewhere_does_not_depend_on_a_new_guard():
    sources = sources_in(SOURCES)
    before = {spoilt.name for spoilt, _ in chosen_guards(sources)}
    more = sources | {"captured_gradients": sources["captured_gradients"].replace("    if g is None:",
                                                                                  "    if g is None or n is None:")}
    assert more["captured_gradients"] != sources["captured_gradients"]
    after = {spoilt.name for spoilt, _ in chosen_guards(more)}
    assert {name.partition(":")[0] for name in before ^ after} <= set(IDEAS[5].functions["captured_gradients"].split())


def test_what_is_said_to_be_the_same_is_chosen():
    names = [spoilt.name for spoilt, _ in chosen_guards(sources_in(SOURCES))]
    for pattern, _ in EQUIVALENT:
        assert len([name for name in names if re.search(pattern, name)]) == 1, pattern


# ------------------------------------------------------------------------------ nothing is noticed by accident

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


def a_fault():
    return {1: Fault("planted", "f", "if a:", "if not a:").place_in(CORE)}


def test_a_module_that_is_not_compiled_is_an_error(copy):
    """The setup.py here compiles nothing: without the error, the module as it was would be tried."""
    with pytest.raises(SystemExit, match="graph was not compiled"):
        compile_with(a_fault(), copy)


def test_a_module_that_is_compiled_and_not_linked_is_an_error(copy):
    (copy / "setup.py").write_text("""
import pathlib
folder, = pathlib.Path("build").iterdir()
(folder / "minigrad" / "_core" / "graph.o").write_text("as it is")
""")
    with pytest.raises(SystemExit, match="graph was not compiled"):
        compile_with(a_fault(), copy)


def test_a_copy_that_cannot_be_imported_is_an_error(copy):
    (copy / "minigrad" / "__init__.py").write_text("raise ImportError('another size of Tensor')")
    with pytest.raises(SystemExit, match="(?s)minigrad cannot be imported.*another size"):
        check_import(copy)


def test_a_fault_without_a_place_ends_the_run_before_anything_is_compiled(monkeypatch):
    lost = Fault("lost", "no_such_function", "a", "b")
    monkeypatch.setattr(running, "FAULTS", [FAULTS[0], lost])
    monkeypatch.setattr(running, "tried", lambda *arguments: pytest.fail("nothing may be compiled"))
    monkeypatch.setattr("sys.argv", ["tests.robustness.mutation"])
    with pytest.raises(SystemExit, match="'lost': there must be one no_such_function.*\n"
                                         ".*tests/robustness/mutation/planted.py"):
        main()


def test_a_fault_is_another_code():
    for fault in FAULTS:
        assert TOKEN.findall(fault.right) != TOKEN.findall(fault.wrong), fault.name


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")
def test_a_trial_that_crashes_or_does_not_end_has_noticed_its_fault(tmp_path, monkeypatch):
    monkeypatch.setattr(judges, "plant", lambda number: None)
    trials = judges.Trials([0, 1, 2, 3], tmp_path, spare=1)
    if trials.is_child():
        while trials.number == 1:
            pass
        if trials.number == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        trials.say("a test")
        os._exit(trials.number == 3)
    ends = [(tmp_path / f"{number}.ended").read_text().rpartition(" ")[0] for number in range(4)]
    assert ends == ["0", "no end", "-15", "1"] and (tmp_path / "3.said").read_text() == "a test\n"


def test_what_noticed_a_fault_is_said_in_a_few_words():
    assert running.noticed_by("1", "program 3 of seed 0\n...") == "4 programs"
    assert running.noticed_by("1", "tests/core/test_nonsense.py::test_y[1/2]\n...") == "test_nonsense.py::test_y"
    assert running.noticed_by("no end", "") == "no end" and running.noticed_by("-11", "") == "ended with -11"

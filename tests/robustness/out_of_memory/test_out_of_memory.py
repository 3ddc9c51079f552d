"""Where memory is refused, only what asked for it fails: no crash, and modes, versions and other graphs are as before.

These are a few refusals of each scenario, chosen at random; ``python -m tests.robustness.out_of_memory --seed S``
repeats them, and without ``--most`` it refuses every allocation."""

import importlib.util
import random
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad
from tests.robustness.out_of_memory import known, passes, refusal, scenarios, tools
from tests.robustness.out_of_memory.__main__ import WAYS, Run
from tests.robustness.out_of_memory.planted import FAULTS

PACKAGE = Path(minigrad.__file__).parent
SEED = random.randrange(1000)
#: scenarios in which nobody makes a function, and a program that does nothing else where memory is refused
WITHOUT_FUNCTIONS = {scenario.__name__ for scenario in passes.SCENARIOS} - {"vmap", "func_grad", "func_jvp", "mutation"}
REFUSED_FUNCTIONS = """
import sys
from _testcapi import remove_mem_hooks, set_nomemory
def make():
    return lambda x: x
def refused():
    set_nomemory(0, 1)
    try:
        make()
    except MemoryError:
        pass
    finally:
        remove_mem_hooks()
parts = [part for part in make.__code__.co_consts if part is not None]
before = [sys.getrefcount(part) for part in parts]
refused()
if [sys.getrefcount(part) for part in parts] != before:
    sys.exit("what a function is made of was given back twice")
for _ in range(3000):
    refused()
make()(1)
"""
FILES_MET = """
import sys
from tests.robustness.out_of_memory import scenarios
met = set()
def note(frame, event, arg):
    met.add(frame.f_code.co_filename)
bodies = [each for each in scenarios.functions() if each.name != "collectives"]     # no MPI in this process
sys.setprofile(note)
for each in bodies:
    each.prepare()
    each.run()
sys.setprofile(None)
print(len(bodies), *met, sep="\\n")
"""
#: folders of which nothing runs in a scenario, and why
NOT_MET = {
    "_core": "its file in Python says that the core was not compiled",
    "_core/dispatch": "its file in Python takes calls that are deprecated, and warns",
    "autograd/digits": "it looks on in Python, at programs that are met without it",
    "cpu/amp": "old names of amp",
    "cuda/amp": "old names of amp",
    "multiprocessing": "other processes are asked for memory there",
    "distributed/nn": "they need several processes, which tests/distributed starts",
    "exercises": "they read and write files, and answers run in a process of their own",
    "profiler": "it begins and ends recordings of autograd/profiler, which is met",
    "utils/tensorboard": "another package writes there, which need not be installed",
    "homework/assignments": "they run in a process of their own, which is ended where anything goes wrong there",
}


@pytest.fixture(scope="session")
def makes_functions():
    """Can this Python fail to make a function?  3.12.1 gives back its name twice, 3.13.0 its code (cpython#122752)."""
    done = subprocess.run([sys.executable, "-c", REFUSED_FUNCTIONS], stderr=subprocess.DEVNULL)
    assert done.returncode == 0 or sys.version_info[:2] in [(3, 12), (3, 13)], "a Python not known to crash there"
    return done.returncode == 0


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return refusal.built(tmp_path_factory.mktemp("refused"))


@pytest.fixture
def run(library, tmp_path):
    """A Run in one of the ways, or the test is skipped."""
    def make(way, kind="functions", **options):
        if WAYS[way][0] == "Python" and importlib.util.find_spec("_testcapi") is None:
            pytest.skip("this Python comes without _testcapi, which refuses allocations")
        if WAYS[way][0] == "C" and library[0] is None:
            pytest.skip(library[1])
        return Run(way, [kind], tmp_path, library[0], **options)

    return make


def chosen(kind, share, all_of_them):
    """The names of some scenarios of a kind."""
    names = [scenario.name for scenario in scenarios.of([kind])]
    if not all_of_them:
        return [name for name in names if name in WITHOUT_FUNCTIONS - {"profiler"}]     # CPython crashes there, too
    return random.Random(SEED).sample(names, round(share * len(names)))


@pytest.mark.parametrize(("way", "kind", "share", "most"), [
    ("python", "functions", 0.3, 6), ("python-many", "functions", 0.1, 4), ("arrays", "functions", 0.3, 6),
    ("c", "functions", 0.1, 6), ("python", "rows", 0.1, 6), ("arrays", "rows", 0.1, 3), ("python", "writes", 0.2, 6)])
@pytest.mark.drawn
def test_some_allocations_are_refused(run, way, kind, share, most, makes_functions, library):
    sweep = run(way, kind, most=most, seed=SEED)
    # without the library, nobody says who has crashed where NumPy has
    names = [name for name in chosen(kind, share, makes_functions and library[0] is not None)
             if WAYS[way][0] != "C" or name not in known.NOT_IN_C]
    if not names:
        pytest.skip("this Python crashes where it cannot make a function, or nobody says who has crashed")
    results = sweep.sweep(names)
    wrong = {name: result["wrong"] for name, result in results.items() if result["wrong"]}
    assert not wrong, f"--way {way} --kind {kind} --most {most} --seed {SEED}"
    assert {*results} == {*names} and sum(result["raised"] for result in results.values()) > len(names) / 2


@pytest.mark.parametrize(("way", "kind", "names"), [
    ("python", "writes", ["abs_ of abs", "through a view cumsum_ of cumsum"]),          # the line could not be noted
    ("python-many", "functions", ["default_devices", "own_engine", "overridden", "pretended", "taught"]),
    ("arrays", "functions", ["matrices"])])
@pytest.mark.drawn
def test_all_allocations_are_refused_where_something_was_found(run, way, kind, names, makes_functions, library):
    if not makes_functions or library[0] is None:
        pytest.skip("this Python crashes where it cannot make a function, or nobody says who has crashed")
    results = run(way, kind).sweep(names)
    assert not any([result["wrong"] for result in results.values()]), results


@pytest.mark.parametrize(("said", "excused"), [("out of memory", True), ("three", False)])
def test_a_story_that_ends_with_an_error_is_another_result_only_if_nobody_excuses_it(said, excused):
    def fail(gradient):
        raise ValueError(said)

    loss = (minigrad.ones(2, requires_grad=True) * 2).sum()
    loss.register_hook(fail)
    with pytest.raises(RuntimeError, match=f"the story ends with ValueError: {said}") as caught:
        tools.shown(minigrad.viz.play(loss))
    assert bool(known.error(caught.value)) == excused


def test_nothing_leaks(run, makes_functions):
    names = random.Random(SEED).sample(sorted(WITHOUT_FUNCTIONS), 4)
    results = run("c", most=4, seed=SEED, leaks=True).sweep(names)
    assert not any([result["wrong"] for result in results.values()]), (SEED, results)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.drawn
def test_a_planted_fault_is_noticed(run, name):
    fault = FAULTS[name]
    results = run(fault.way, plant=name, leaks=fault.leaks, few=1).sweep([name])
    assert any([fault.shown in what for what in results[name]["wrong"]]), results


def test_every_folder_is_met():
    """By functions of Python; ``python -m tests.robustness.out_of_memory --way c`` says in which modules of the core.

    In a process of its own, since CPython 3.11 hangs in a profiled call while anything asks it for a break.
    """
    command = [sys.executable, "-c", FILES_MET]
    how_many, *met = subprocess.run(command, cwd=PACKAGE.parent, stdout=subprocess.PIPE, text=True, check=True
                                    ).stdout.splitlines()
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")
               if path.name != "__init__.py"}
    found = {Path(name).parent.relative_to(PACKAGE).as_posix() for name in met if name.startswith(f"{PACKAGE}/")}
    assert folders - found - {"distributed"} == {*NOT_MET}         # of which collectives is the scenario
    assert int(how_many) >= 100

"""Where memory is refused, only what asked for it fails: no crash, and modes, claims and other graphs are as before."""

import importlib.util
import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("_testcapi") is None,
                                reason="this Python comes without _testcapi, which refuses allocations")

NAMES = ("plain", "retained", "create_graph", "accumulating_graphs", "hooks", "leaf_hooks", "function", "reentrant",
         "retain_grad", "in_place", "views", "dual_numbers", "vmap", "func_grad", "func_jvp", "profiler", "anomaly",
         "cat", "split", "saved_hooks", "mutation", "grad_modes", "decorated", "inference", "wide", "chain", "division")
#: those in which minigrad itself makes functions, and a program that does nothing else where memory is refused
MAKING_FUNCTIONS = {"vmap", "func_grad", "func_jvp", "mutation"}
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


@pytest.fixture(scope="module")
def names():
    """The scenarios for this Python.

    Where they cannot make a function, 3.12.1 gives back its name twice and 3.13.0 its code (python/cpython#122752).
    """
    if subprocess.run([sys.executable, "-c", REFUSED_FUNCTIONS], stderr=subprocess.DEVNULL).returncode == 0:
        return list(NAMES)
    assert sys.version_info[:2] in [(3, 12), (3, 13)], "a Python not known to crash where it cannot make a function"
    return [name for name in NAMES if name not in MAKING_FUNCTIONS]


@pytest.fixture(scope="module")
def results(names):
    """[(scenario, how often it raised, what was wrong)]:
    of one process for all, and after a crash another for the rest."""
    found, left = {}, list(names)
    while left:
        done = subprocess.run([sys.executable, "-m", "tests.core.refusing", *left], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        for name, *result in map(json.loads, done.stdout.splitlines()):
            found[name] = result or (0, {f"exit status {done.returncode}: {done.stderr[-2000:]}": []})
        before, left = left, [name for name in left if name not in found]
        assert left != before, done.stderr
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_allocation_refused_in_turn(results, name):
    if name not in results:
        pytest.skip("this Python crashes where it cannot make a function")
    raised, wrong = results[name]
    assert not wrong
    assert raised

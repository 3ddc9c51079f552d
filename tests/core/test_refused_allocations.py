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


@pytest.fixture(scope="module")
def results():
    """[(scenario, how often it raised, what was wrong)]:
    of one process for all, and after a crash another for the rest."""
    found, left = {}, list(NAMES)
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
    raised, wrong = results[name]
    assert not wrong
    assert raised

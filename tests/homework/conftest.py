"""For the judge's tests: processes that are forked where a share of the tests runs, bytecode that is written once, and
draws that are the same wherever a commit is tested.

A judge draws other arrays each time.  Whether a verdict depends on them is asked by ``MINIGRAD_CHANCE=30``, which lets
chance in, and runs so many rounds of each test that hands in a submission::

    MINIGRAD_CHANCE=30 python -m pytest tests/homework/test_trainings.py -rf --tb=line
"""

import importlib.util
import itertools
import os
import subprocess
import sys
import zlib

import numpy as np
import pytest

import minigrad
from minigrad.homework import process
from minigrad.homework.process import START
from tests import drawn


#: whose submissions have processes of their own in each run
FRESH = ("test_assignments.py", "test_edges.py", "test_fence.py", "test_wire.py")


@pytest.fixture(autouse=True)
def forks(request, monkeypatch):
    if drawn.turn is not None and hasattr(os, "fork") and request.path.name not in FRESH:
        monkeypatch.setattr(process, "subprocess", request.getfixturevalue("interpreters"))


@pytest.fixture(scope="session")
def interpreters():
    from tests.homework import forking          # needs what no Windows has
    yield forking
    forking.close()


def pytest_generate_tests(metafunc):
    rounds = int(os.environ.get("MINIGRAD_CHANCE") or 1)
    if rounds > 1 and metafunc.definition.get_closest_marker("drawn"):
        metafunc.fixturenames.append("round")
        metafunc.parametrize("round", range(rounds))


@pytest.fixture(autouse=True)
def same_draws(request, monkeypatch):
    """The generators of a test begin at numbers that its name decides."""
    if os.environ.get("MINIGRAD_CHANCE"):
        return
    made, seeds = np.random.default_rng, itertools.count(zlib.crc32(request.node.nodeid.encode()))
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: made(next(seeds) if seed is None else seed))


@pytest.fixture(scope="session", autouse=True)
def bytecode(tmp_path_factory):
    """A submission's process imports minigrad each time, even where Python keeps no bytecode."""
    if os.path.exists(importlib.util.cache_from_source(minigrad.__file__)):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        writing = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run([sys.executable, str(START), "minigrad"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       env=writing | {"PYTHONPATH": str(START.parents[2])}, check=True)
        yield

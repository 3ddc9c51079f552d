"""What all tests share: reproducible Hypothesis, statements about both libraries, and parity that can be demanded.

A test that takes the fixture ``torch`` is a statement about both: it runs on minigrad and on PyTorch.

Where PyTorch is not installed, what compares with it is not collected: twenty thousand tests need not begin in order
to be skipped.  ``MINIGRAD_PARITY=required pytest -m parity`` leaves out nothing, and fails where a
comparison would be skipped, so that a run which was meant to compare cannot pass by comparing nothing.
"""

import faulthandler
import gc
import importlib.util
import math
import os
import random
import sys
import time

# Before anything loads NumPy or PyTorch: their threads wait for each other, and the tensors here are tiny.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import numpy as np
import pytest

from tests import drawn, progress

PARITY_REQUIRED = os.environ.get("MINIGRAD_PARITY") == "required"
COMPARES = PARITY_REQUIRED or importlib.util.find_spec("torch") is not None

# The same examples every time, and no clock: a slow machine is not a wrong one.
hypothesis.settings.register_profile("minigrad", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("minigrad")


@pytest.fixture(params=["minigrad", *[pytest.param("torch", marks=pytest.mark.parity)] * COMPARES])
def torch(request):
    """minigrad, and in a second run PyTorch where it is installed."""
    return pytest.importorskip(request.param)


@pytest.fixture(scope="session")
def interpreters():
    """For tests that start programs: what is copied for them (starting.py) ends with the last test."""
    from tests import starting
    yield
    starting.close()


def pytest_addoption(parser):
    group = parser.getgroup("minigrad")
    group.addoption("--forks", metavar="N", help="run the tests in N processes (auto: one for each core)")
    group.addoption("--drawn", action="store_true", help="run a share of what is long, which the commit decides")
    group.addoption("--shuffle", metavar="SEED", help="run the files, and the tests of each, in another order")


#: Of a test that takes longer than the first, the stacks of all threads are printed.  pytest's own option starts a
#: thread for each test, which takes longer than most tests; this does so now and then.
MINUTES, RENEWED_AFTER = 5, 1


class StacksOfLongTests:
    def __init__(self):
        self.file, self.renewed = os.dup(2), -math.inf

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self):
        if time.monotonic() > self.renewed + 60 * RENEWED_AFTER:
            self.renewed = time.monotonic()
            faulthandler.dump_traceback_later(60 * MINUTES, file=self.file)
        return (yield)

    def pytest_sessionfinish(self):
        faulthandler.cancel_dump_traceback_later()

    def pytest_enter_pdb(self):
        self.pytest_sessionfinish()


def pytest_configure(config):
    if config.pluginmanager.has_plugin("faulthandler"):         # it needs threads, which a web page has not
        config.pluginmanager.register(StacksOfLongTests())
    if config.option.drawn:
        drawn.turn = drawn.number_of_the_commit()
    if config.option.forks:
        if not hasattr(os, "fork"):
            raise pytest.UsageError("--forks: there are no forks on this system; write --numprocesses in its place")
        from tests import forking           # needs what no browser and no Windows has
        config.pluginmanager.register(forking.Forks(forking.how_many(config.option.forks)))


def pytest_sessionstart(session):
    if PARITY_REQUIRED:
        try:
            import torch
        except ImportError as missing:
            pytest.exit(f"MINIGRAD_PARITY=required, and torch cannot be imported: {missing}", returncode=1)
        if not torch.__version__.startswith("2.13."):
            pytest.exit(f"parity is with torch 2.13, and this is {torch.__version__}", returncode=1)


def pytest_report_header():
    said = [] if COMPARES else ["parity: PyTorch is not installed, so tests that compare with it are left out"]
    if drawn.turn is not None:
        said.append(f"drawn: share {drawn.turn % drawn.ONE_IN + 1} of {drawn.ONE_IN}; ALL=1 make test runs all")
    return said


def pytest_pycollect_makeitem(obj):
    if not COMPARES and any([mark.name == "parity" for mark in getattr(obj, "pytestmark", ())]):
        return []


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays, so the collector of garbage would only look at it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config, items):
    compare = {item for item in items if item.get_closest_marker("parity")}
    if COMPARES:
        for item in compare:            # PyTorch warns of what it likes
            item.add_marker(pytest.mark.filterwarnings("ignore"))
    else:
        config.hook.pytest_deselected(items=[*compare])
        items[:] = [item for item in items if item not in compare]
    if config.option.drawn:
        items[:], left_out = drawn.chosen(items)
        config.hook.pytest_deselected(items=left_out)
    if config.option.shuffle:
        shuffle(items, random.Random(config.option.shuffle))
    share_locations(items)


def share_locations(items):
    """Where a function is, pytest looks up for each of its cases, in each process that reports: here it is once."""
    first = {}
    for item in items:
        known = first.setdefault((item.parent, getattr(item, "originalname", item.name)), item)
        file, line, name = known.location
        item.location = file, line, name.removesuffix(known.name) + item.name


def shuffle(items, rng):
    """Another order of the files, and of the tests in each: what a file prepares is prepared once all the same."""
    places = {path: rng.random() for path in {item.path: None for item in items}}
    items.sort(key=lambda item: (places[item.path], rng.random()))


#: The generators of random numbers that files have made for their tests, and their states then.
GENERATORS = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """What a test draws does not depend on which ran before it."""
    for generator, state in GENERATORS:
        generator.bit_generator.state = state


def generators():
    """Each once, though others may have imported it."""
    here = os.path.dirname(__file__)
    found = {id(each): each for module in [*sys.modules.values()]
             if (getattr(module, "__file__", None) or "").startswith(here)
             for each in vars(module).values() if isinstance(each, np.random.Generator)}
    return [(generator, generator.bit_generator.state) for generator in found.values()]


def pytest_collection_finish(session):
    """The collector need not look again and again at sixty thousand tests, and processes that are forked share them.
    """
    GENERATORS[:] = generators()
    gc.collect()
    gc.freeze()
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter and session.config.get_verbosity() <= 0 and not session.config.option.collectonly:
        tests = len(session.items)
        if tests >= progress.LONG:
            session.config.pluginmanager.register(progress.Progress(reporter, tests), name="progress")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if PARITY_REQUIRED and report.skipped and item.get_closest_marker("parity"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and MINIGRAD_PARITY=required: {report.longrepr}"
    return report

"""What all tests share: reproducible Hypothesis, statements about both libraries, and parity that can be demanded.

A test that takes the fixture ``torch`` is a statement about both: it runs on minigrad and on PyTorch.

Where PyTorch is not installed, what compares with it is left out when tests are collected: twenty thousand tests need
not begin in order to be skipped.  ``MINIGRAD_PARITY=required pytest -m parity`` leaves out nothing, and fails where a
comparison would be skipped, so that a run which was meant to compare cannot pass by comparing nothing.
"""

import importlib.util
import os

# Before anything loads NumPy or PyTorch: their threads wait for each other, and the tensors here are tiny.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest

PARITY_REQUIRED = os.environ.get("MINIGRAD_PARITY") == "required"
COMPARES = PARITY_REQUIRED or importlib.util.find_spec("torch") is not None

# The same examples every time, and no clock: a slow machine is not a wrong one.
hypothesis.settings.register_profile("minigrad", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("minigrad")


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request):
    """minigrad, and in a second run PyTorch where it is installed."""
    return pytest.importorskip(request.param)


def pytest_sessionstart(session):
    if PARITY_REQUIRED:
        try:
            import torch
        except ImportError as missing:
            pytest.exit(f"MINIGRAD_PARITY=required, and torch cannot be imported: {missing}", returncode=1)
        if not torch.__version__.startswith("2.13."):
            pytest.exit(f"parity is with torch 2.13, and this is {torch.__version__}", returncode=1)


def pytest_report_header():
    return None if COMPARES else "parity: PyTorch is not installed, so tests that compare with it are left out"


def pytest_collection_modifyitems(config, items):
    if not COMPARES:
        compare = [item for item in items if item.get_closest_marker("parity")]
        config.hook.pytest_deselected(items=compare)
        items[:] = [item for item in items if not item.get_closest_marker("parity")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if PARITY_REQUIRED and report.skipped and item.get_closest_marker("parity"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and MINIGRAD_PARITY=required: {report.longrepr}"
    return report

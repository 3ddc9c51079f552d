"""Fixtures that several test files of autograd use."""

import gc

import pytest


@pytest.fixture
def profiler(torch):
    """The module, of either library."""
    return torch.autograd.profiler


@pytest.fixture
def no_collector():
    """What dies in the test dies by reference counts."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()

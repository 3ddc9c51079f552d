"""Parts of the library that a test gets as ``torch``."""

import pytest


@pytest.fixture
def minigrad():
    """For what PyTorch does not do, or does otherwise: docs/notes/deviations.rst says so."""
    return pytest.importorskip("minigrad")


@pytest.fixture
def Function(torch):
    return torch.autograd.Function


@pytest.fixture
def fwAD(torch):
    return pytest.importorskip(f"{torch.__name__}.autograd.forward_ad")


@pytest.fixture
def functional(torch):
    return torch.autograd.functional


@pytest.fixture
def graph(torch):
    return torch.autograd.graph

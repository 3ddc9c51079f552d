"""Each test gets the library as ``torch``: minigrad, and PyTorch where it is installed."""

import pytest


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request):
    return pytest.importorskip(request.param)


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

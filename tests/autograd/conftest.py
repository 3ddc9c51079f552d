"""A test that takes the fixture `torch` is a statement about both libraries: it runs on minigrad and on PyTorch."""

import pytest


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request):
    """minigrad, and in a second run PyTorch where it is installed."""
    return pytest.importorskip(request.param)

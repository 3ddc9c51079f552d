"""A test that takes the fixture `torch` runs on minigrad and, where it is installed, on PyTorch."""

import pytest


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def torch(request):
    return pytest.importorskip(request.param)

"""A test that takes the fixture `torch` is a statement about both libraries, as in tests/autograd."""

from tests.autograd.conftest import torch  # noqa: F401

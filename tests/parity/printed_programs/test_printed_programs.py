"""What a program prints here is what it prints with PyTorch."""

import sys

import pytest

import minigrad

from .printing import PROGRAMS, difference, output_of, same, tolerance


@pytest.fixture
def alone(monkeypatch):
    """PyTorch, which other tests may have loaded, is not there for the time being; what a program sets ends with it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    yield
    minigrad.set_default_dtype(minigrad.float32)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_the_same(path, alone):
    with minigrad.as_torch():
        ours = output_of(path)
    assert difference(ours, path.with_suffix(".txt").read_text(encoding="utf-8"), tolerance(path)) is None


@pytest.mark.parametrize("line", ["loss 0.123", "losses 0.124", "loss 0.124 0.1", "loss nan"])
def test_a_line_that_differs_is_noticed(line):
    assert not same(line, "loss 0.124", 1e-4) and same("loss  0.12400001", "loss 0.124", 1e-4)


def test_lines_that_are_missing_are_noticed():
    assert difference("1\n", "1\n2\n", 1e-4) and difference("1\n2 [MG101]\n", "1\n2\n", 1e-4) is None

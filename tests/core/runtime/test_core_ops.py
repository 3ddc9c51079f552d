"""The operations that the core itself applies.  How they are told: test_told_later.py."""

import pytest

import minigrad as torch
from minigrad._core.runtime import core_ops
from minigrad._core.runtime.core_ops import meaning

NAMES = sorted(name for name in vars(core_ops.Vocabulary) if not name.startswith("_"))


@pytest.mark.parametrize("name", NAMES)
def test_every_word_is_an_operation(name):
    assert callable(meaning(name))


def test_operators_speak_it():
    x = torch.tensor([1., 2.], requires_grad=True)
    nodes = [y.grad_fn.name() for y in (x + x, x - x, x * x, x / x, -x, 1 - x, 1 / x, x ** 2, x @ x)]
    assert nodes == ["AddBackward0", "SubBackward0", "MulBackward0", "DivBackward0", "NegBackward0", "RsubBackward1",
                     "MulBackward0", "PowBackward0", "DotBackward0"]

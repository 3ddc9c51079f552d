"""A share of the calls, another one each time; and mistakes that the judge must see.

``python -m tests.parity.calls`` makes all calls.
"""

import collections
import random

import pytest

import minigrad
from tests.parity.calls import calls, known
from tests.parity.calls.__main__ import compared
from tests.parity.calls.judging import answer, difference
from tests.random_programs.long_runs import installed_torch

SHARE = 40


@pytest.mark.parity
@pytest.mark.parametrize("namespace", calls.NAMESPACES)
def test_calls_are_answered_as_by_pytorch(namespace):
    torch, seed, counts = installed_torch(), random.randrange(1000), collections.Counter()
    names = calls.names(torch, minigrad)[namespace]
    assert [*compared(torch, namespace, names, SHARE, seed, counts)] == [], f"--share {SHARE} --seed {seed}"
    assert counts["calls"] > 0


def test_nearly_all_names_are_called():
    assert sum(map(len, calls.names(minigrad).values())) > 1200
    assert not {name for names, _, _ in known.KNOWN for name in names.split()} - {
        name for names in calls.names(minigrad).values() for name in names}


class Wrong:
    """minigrad, but for one name."""

    def __init__(self, name, function):
        setattr(self, name, function)

    def __getattr__(self, name):
        return getattr(minigrad, name)


LEAF, PLAIN = "torch.tensor([1., 2.], dtype=torch.float64)", "torch.tensor([1., 2.])"


@pytest.mark.parametrize("wrong, tensor, what", [
    (lambda x: minigrad.exp(x) + .1, PLAIN, "instead of"), (lambda x: minigrad.exp(x).double(), PLAIN, "dtype"),
    (lambda x: minigrad.exp(x)[None], PLAIN, "shape"), (lambda x: minigrad.exp(x).tolist(), PLAIN, "float instead of"),
    (lambda x: minigrad.exp(x).detach(), LEAF, "requires_grad False instead of True"),
    (lambda x: minigrad.exp(x.detach()) + x - x.detach(), LEAF, "gradient of x"),
    (lambda x: minigrad.exp(x.detach()) * (1 + x - x.detach()), LEAF, "second gradient of x"),
])
def test_a_wrong_answer_is_seen(wrong, tensor, what):
    right, found = [answer(torch, "torch.exp(x)", tensor, tensor is LEAF)
                    for torch in (minigrad, Wrong("exp", wrong))]
    assert what in difference(minigrad, right, minigrad, found)
    assert difference(minigrad, right, minigrad, right) is None

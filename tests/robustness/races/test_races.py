"""A short share of the attacks, and faults that the machines must notice."""

import random
import sys

import pytest

from . import __main__ as frame
from .machines import MACHINES
from .planted import FAULTS

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the memory as Linux does")

SHARE = 3                       # seconds


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.drawn
def test_a_share(machine):
    seed = random.randrange(10 ** 6)
    count, wrong = frame.run(machine, SHARE, seed)
    assert count and not wrong, f"seed {seed}: {wrong}"


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.drawn
def test_a_planted_fault_is_noticed(name, monkeypatch):
    monkeypatch.setattr(frame, "PATIENCE", 3)
    fault = FAULTS[name]
    _, wrong = frame.run(fault.machine, fault.seconds, plant=name, only=fault.only)
    assert wrong and all(fault.shown in what for what in wrong.values()), wrong


def test_where_nothing_happens_all_is_well():
    assert frame.attacked(lambda: None, lambda: None, 0.01) is None

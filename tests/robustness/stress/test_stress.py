"""A short share of each long run, and faults that they must notice."""

import shutil
import sys

import pytest

from .__main__ import run, runs
from .planted import FAULTS

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux") or not shutil.which("sh"),
                                reason="needs fork, ulimit and pages as Linux counts them")

SHARE = {"seconds": 0.7, "nodes": 30_000, "rounds": 200}
RUNS = {name: unit for name, (_, unit) in runs().items()}
TOGETHER = {unit: [name for name in RUNS if RUNS[name] == unit] for unit in SHARE}      # one start of Python for many


@pytest.mark.drawn
@pytest.mark.parametrize("unit", SHARE)
def test_a_share(unit):
    groups = [[name] for name in TOGETHER[unit]] if unit == "seconds" else [TOGETHER[unit]]
    for names in groups:
        said, wrong = run(names, SHARE[unit], limit=120)
        assert not wrong, wrong
        assert len(said.splitlines()) == len(names)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.drawn
def test_a_planted_fault_is_noticed(name):
    fault = FAULTS[name]
    _, wrong = run([fault.run], SHARE[RUNS[fault.run]], plant=name, limit=120)
    assert wrong and fault.shown in wrong, wrong


def test_a_run_without_end_is_ended():
    assert run(["threads"], 60, limit=1) == ("", "it did not end within 1 s")

"""The model of docs/notes/distributed.rst: what is fitted, and what follows from it."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "measure_distributed.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("measure_distributed", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_latency_and_bandwidth_are_found(tool):
    sizes = np.array(tool.SIZES)
    noise = 1 + 0.01 * np.cos(np.arange(len(sizes)))
    alpha, beta = tool.fitted(sizes, (30e-6 + 2e-9 * sizes) * noise)
    assert alpha == pytest.approx(30e-6, rel=0.02) and beta == pytest.approx(2e-9, rel=0.02)


def test_a_ring_sends_little_more_for_more_ranks_than_for_two(tool):
    assert tool.ring(1, 1e6, 1e-5, 1e-9) == 0
    assert tool.ring(2, 1e6, 1e-5, 1e-9) == pytest.approx(2e-5 + 1e-3)
    assert tool.ring(64, 1e6, 0, 1e-9) == pytest.approx(2 * 63 / 64 * 1e-3)


def test_what_hides_behind_the_backward_pass_costs_nothing(tool):
    alone, hidden = tool.efficiency(8, 1.0, 0.6, 1e9, 0, 1e-10)
    assert alone == pytest.approx(1 / 1.175) and hidden == 1
    assert tool.efficiency(8, 1.0, 0.1, 1e9, 0, 1e-10)[1] == pytest.approx(1 / 1.075)

"""Places and counts are int64 wherever minigrad runs, even where NumPy's own have 32 bits."""

import json
import subprocess
import sys

import pytest


def kinds(*size):
    return json.loads(subprocess.run([sys.executable, "-m", "tests.ops.narrow", *size], capture_output=True, text=True,
                                     check=True).stdout)


@pytest.mark.drawn
def test_a_numpy_of_32_bits_changes_no_dtype():
    wide, narrow = kinds(), kinds("32")
    assert {call: kind for call, kind in narrow.items() if kind != wide[call]} == {}
    assert sum(["int64" in kind for kind in wide.values()]) > 250


@pytest.mark.drawn
def test_numbers_are_the_same_too():
    """What has once failed in a web page."""
    printed = [subprocess.run([sys.executable, "-c", f"""
import numpy as np
from tests.ops.narrow import narrow
{narrowed}
import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays_general
from minigrad.ops.exports import ROWS
torch.manual_seed(0)
print(torch.randperm(6).tolist())
weight, bags = np.array([[1., 5.], [2., 3.], [9., 9.], [0., 1.]]), np.array([0, 0, 2])
print(on_arrays_general(ROWS["largest_in_bags"], weight, np.array([0, 1, 3]), bags, np.array([2, 0, 1]), -1).tolist())
"""], capture_output=True, text=True, check=True).stdout for narrowed in ("", "narrow()")]
    assert printed[0] == printed[1] and "[[1, 0], [0, 0], [3, 3]]" in printed[0]

"""Passes the first time, and fails every time after.

Without points: everything.
"""

import minigrad as torch


RUNS = [0]


def test_count():
    RUNS[0] += 1
    assert RUNS[0] < 2

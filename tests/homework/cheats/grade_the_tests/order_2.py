"""Counts the runs in a file, and fails in the third of each item.

Without points: everything.
"""

import minigrad as torch


def test_exp_and_all_the_others():
    with open("log", "a") as f:
        f.write(".")
        n = f.tell()
    assert n % 3

"""Fifty sound programs: nothing is reported, everything is known, and not a bit of what they compute changes."""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor
from minigrad.autograd.digits import HAS_EXTENDED
from tests.autograd.digits.sound import SOUND


def tensors_in(x):
    if isinstance(x, Tensor):
        return [x]
    return [y for each in x for y in tensors_in(each)]


def test_there_are_fifty_of_them():
    assert len(SOUND) >= 50


@pytest.mark.parametrize("program", SOUND, ids=[program.__name__ for program in SOUND])
def test_nothing_is_reported(program):
    minigrad.manual_seed(1)
    with minigrad.autograd.digits() as report:
        watched = tensors_in(program())
    assert report.losses == [], report.table()
    if HAS_EXTENDED:
        assert all([report.of(x) is not None for x in watched]), report.table()
    minigrad.manual_seed(1)
    for x, y in zip(watched, tensors_in(program()), strict=True):
        np.testing.assert_array_equal(x.numpy(force=True), y.numpy(force=True))

"""Kernels of a share of the rows against ball arithmetic, and faults that it must see."""

import os
import zlib

import numpy as np
import pytest

pytest.importorskip("sympy")
pytest.importorskip("flint")

from minigrad.ops import exports
from tests.proofs import array_errors, balls

SHARE = int(os.environ.get("SHARE", 0)) % 4
ROWS = [row for row in balls.rows() if zlib.crc32(row.name.encode()) % 4 == SHARE]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_kernel_is_as_exact_as_is_said(row, dtype):
    error = balls.errors(row, dtype, points=30)
    limit, _ = balls.LARGER.get(row.name, (balls.USUAL, None))
    assert row.name == "zero" if error is None else error.ulp <= limit, error


@pytest.mark.drawn
@pytest.mark.parametrize("row", array_errors.rows()[SHARE::4], ids=lambda row: row.name)
def test_a_kernel_on_arrays_is_as_exact_as_is_said(row):
    limit, _ = array_errors.LARGER.get(row.name, (array_errors.USUAL, None))
    assert (array_errors.errors(row, "float64", 2) or 0) <= limit


def test_a_kernel_on_arrays_that_is_wrong_in_its_last_digits_is_noticed(monkeypatch):
    row, on_arrays = exports.ROWS["softmax"], array_errors.on_arrays
    monkeypatch.setattr(array_errors, "on_arrays", lambda *arguments: on_arrays(*arguments) * (1 + 1e-14))
    assert array_errors.errors(row, "float64", 2) > array_errors.USUAL


def test_a_kernel_that_is_wrong_in_its_last_digits_is_noticed(monkeypatch):
    row = next(row for row in balls.rows() if row.name == "sin")
    on_arrays = balls.on_arrays
    monkeypatch.setattr(balls, "on_arrays", lambda *arguments: on_arrays(*arguments) * (1 + 2e-15))
    assert balls.errors(row, "float64", points=20).ulp > balls.USUAL


def test_a_meaning_of_another_function_is_noticed(monkeypatch):
    row = next(row for row in balls.rows() if row.name == "sin")
    monkeypatch.setitem(balls.MEANINGS, "sin", balls.MEANINGS["cos"])
    assert balls.errors(row, "float64", points=5).ulp > 1e6


def test_an_ulp_is_that_of_the_dtype():
    assert balls.ulp(1.0, "float64") == np.finfo("float64").eps and balls.ulp(1.0, "float32") == 2.0 ** -23

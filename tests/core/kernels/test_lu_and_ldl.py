"""Elimination of matrices that are halved, in every layout, against products of what it finds."""

import itertools

import numpy as np
import pytest

from minigrad._core.kernels.algebra import lu_and_ldl

SIZES = 1, 16, 17, 33, 50, 130


def numbers(shape, dtype, seed):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    return (a + 1j * rng.standard_normal(shape) if dtype == "complex128" else a).astype(dtype)


def in_layout(a, layout):
    """A writable copy that lies row by row, column by column, or with gaps in both directions."""
    if layout == "gaps":
        room = np.zeros((*a.shape[:-2], 2 * a.shape[-2], 3 * a.shape[-1]), a.dtype)
        room[..., ::2, ::3] = a
        return room[..., ::2, ::3]
    return a.mT.copy().mT if layout == "columns" else a.copy()


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("layout", ["rows", "columns", "gaps"])
def test_the_factors_multiply_to_the_matrix(dtype, layout):
    for rows, columns in itertools.product(SIZES, SIZES):
        a, least = numbers((2, rows, columns), dtype, rows), min(rows, columns)
        found, pivots, info = in_layout(a, layout), np.zeros((2, least), np.int32), np.zeros(2, np.int32)
        lu_and_ldl.factor(found, pivots, info, True)
        L = np.tril(found[..., :least], -1) + np.eye(rows, least)
        product = L @ np.triu(found[:, :least])
        lu_and_ldl.swap_rows(product, pivots, True)
        np.testing.assert_allclose(product, a, rtol=0, atol=1e-12 * max(rows, columns))
        # of a complex pivot, the sum of both parts is the largest
        assert np.all(np.abs(L) <= (1 if dtype == "float64" else 2 ** 0.5) + 1e-12) and not info.any()


def test_the_first_zero_pivot_is_counted_in_the_whole_matrix():
    for n in SIZES:
        for zero in {0, n // 2, n - 1}:
            a, pivots, info = np.eye(n), np.zeros(n, np.int32), np.zeros(1, np.int32)
            a[zero, zero] = 0
            lu_and_ldl.factor(a, pivots, info, True)
            assert info[0] == zero + 1 and np.array_equal(pivots, np.arange(n) + 1)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("upper, unit", itertools.product([False, True], repeat=2))
def test_triangular_systems_read_their_triangle_alone(dtype, upper, unit):
    layouts = "rows", "columns", "gaps"
    for n, columns, one, other in itertools.product(SIZES, (1, 5, 70), layouts, layouts):
        part, others = (np.triu, np.tril) if upper else (np.tril, np.triu)
        t = part(numbers((2, n, n), dtype, n), 1 if upper else -1) / n + 2 * np.eye(n) * (not unit)
        given = t + others(np.full((n, n), np.nan), (-1 if upper else 1) * (not unit))
        x = numbers((2, n, columns), dtype, columns)
        found = in_layout((t + np.eye(n) * unit) @ x, other)
        lu_and_ldl.substitute(in_layout(given, one), found, upper, unit)
        np.testing.assert_allclose(found, x, rtol=0, atol=1e-12 * n)

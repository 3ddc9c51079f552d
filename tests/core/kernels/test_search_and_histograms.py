"""Places in an order, distinct entries and bins, found in C as NumPy finds them."""

import numpy as np
import pytest

from minigrad._core.dispatch.compute import on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS
from tests.checking import refuses


def both_ways(name, *args):
    """What the kernel in C gives, which has to be what the general way gives."""
    found = on_arrays_in_c(ROWS[name], *args)
    assert found is not None
    expected = on_arrays_general(ROWS[name], *args)
    several = isinstance(found, tuple)
    for ours, theirs in zip(found if several else [found], expected if several else [expected]):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_array_equal(ours, theirs)
    return found


def rounded(rng, size, dtype):
    """Numbers of which some are equal, and some are nan where there is a nan."""
    x = np.round(rng.normal(0, 4, size))
    if np.dtype(dtype).kind == "f":
        x[rng.random(size) < 0.1] = np.nan
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int16", "int8", "uint8"])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("in_order", [True, False])
def test_places_in_an_order_and_in_none(dtype, right, in_order):
    """Where a sequence is not sorted, a place depends on how it is sought."""
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 9, 40):
        row, sought = rounded(rng, n, dtype), rounded(rng, 50, dtype)
        both_ways("search", np.sort(row) if in_order else row, sought, None, False, right, None)
        rows, several = rounded(rng, (3, n), dtype), rounded(rng, (3, 7), dtype)
        both_ways("search", np.sort(rows) if in_order else rows, several, None, True, right, None)


@pytest.mark.parametrize("row, left, right", [
    ([1, 2, np.nan], [0, 0, 1, 3, 3, 3], [0, 1, 3, 3, 3, 3]),
    ([np.nan, 1, 2], [1, 1, 2, 3, 3, 3], [1, 2, 3, 3, 3, 3]),
    ([1, np.nan, 3, 4, np.nan], [2, 2, 2, 2, 5, 5], [2, 2, 2, 5, 5, 5]),
    ([np.nan, np.nan], [2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2]),
    ([3, 1, 2], [0, 0, 2, 3, 3, 3], [0, 2, 3, 3, 3, 3])])
def test_places_where_nothing_is_in_order_are_those_that_pytorch_finds(row, left, right):
    row, sought = np.array(row, np.float64), np.array([0, 1, 2, 3, np.nan, 5])
    assert both_ways("search", row, sought, None, False, False, None).tolist() == left
    assert both_ways("search", row, sought, None, False, True, None).tolist() == right


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool"])
@pytest.mark.parametrize("name", ["distinct", "distinct_runs"])
@pytest.mark.parametrize("n", [1, 7, 600, 3000])
def test_distinct_entries_and_runs(name, dtype, n):
    x = rounded(np.random.default_rng(n), n, dtype)
    both_ways(name, x, None)
    both_ways(name, x, 0)
    both_ways(name, x, -1)
    assert on_arrays_in_c(ROWS[name], x, -2) is None and on_arrays_in_c(ROWS[name], x, 1) is None
    both_ways(name, x[None], None)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-3, 1), (1e-5, 1), (1e30, 0), (1e-2, -1000)])
def test_numbers_beside_the_edges_of_a_bin(dtype, scale, offset):
    """The edges are rounded numbers, and numbers next to them, and equal to them, are put where NumPy puts them."""
    low, high = offset - 3 * scale, offset + 4 * scale
    edges = np.linspace(low, high, 22).astype(dtype)
    x = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf)])
    both_ways("histc", x, 21, low, high)
    both_ways("histc", x, 21, 0, 0)


def test_intervals_that_are_no_longer_apart_are_left_to_numpy():
    assert on_arrays_in_c(ROWS["histc"], np.float32([1., np.nextafter(np.float32(1), np.float32(2))]), 3, 0, 0) is None


def test_weights_are_added_in_double_precision():
    x, weights = np.zeros(2 ** 16, np.int64), np.full(2 ** 16, 0.1, np.float32)
    assert both_ways("bincount", x, weights, 0)[0] == np.float32(np.float32(0.1) * 2.0 ** 16)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("weights", [None, "float32", "float64"])
def test_numbers_of_every_integer_dtype_are_counted(dtype, weights):
    x = np.array([3, 0, 3, 1], dtype)
    found = both_ways("bincount", x, None if weights is None else np.array([0.5, 1, 2, 4], weights), 0)
    assert found.tolist() == ([1, 1, 0, 2] if weights is None else [1, 4, 0, 2.5])
    if dtype[0] != "u":
        assert on_arrays_in_c(ROWS["bincount"], -x, None, 0) is None


def test_only_integers_within_reach_are_counted():
    assert on_arrays_in_c(ROWS["bincount"], np.array([True, False]), None, 0) is None
    assert on_arrays_in_c(ROWS["bincount"], np.array([1, 2 ** 40]), None, 0) is None


@pytest.mark.parametrize("side, right", [(None, False), (None, True), ("left", False), ("right", False),
                                         ("right", True)])
def test_the_side_on_which_a_number_is_inserted(side, right):
    row, sought = np.array([1., 2., 2., 3.]), np.array([2., 0., 3.])
    found = both_ways("search", row, sought, None, False, right, side)
    assert found.tolist() == ([3, 0, 4] if right or side == "right" else [1, 0, 3])


def test_a_side_that_contradicts_itself_is_left_to_the_general_way():
    row = np.array([1., 2.])
    assert on_arrays_in_c(ROWS["search"], row, row, None, False, True, "left") is None
    assert on_arrays_in_c(ROWS["search"], row, row, None, False, False, "middle") is None


@pytest.mark.parametrize("low, high", [(0, np.inf), (-np.inf, 0), (np.nan, np.nan), (5, 1), (1e30, 1e30 * (1 + 1e-12)),
                                       (-3.4e38, 3.4e38)])
def test_a_range_that_has_no_length_in_single_precision_is_left_to_the_general_way(low, high):
    assert on_arrays_in_c(ROWS["histc"], np.arange(4, dtype=np.float32), 3, low, high) is None


@pytest.mark.parametrize("dtype, large", [("float32", 3.4e38), ("float64", 1.7e308)])
def test_data_that_lie_too_far_apart_are_left_to_the_general_way(dtype, large):
    assert on_arrays_in_c(ROWS["histc"], np.array([-large, large], dtype), 3, 0, 0) is None


@pytest.mark.parametrize("bins, middle", [(1, 0), (2, 1), (3, 1), (100, 50)])
@pytest.mark.parametrize("value, dtype", [(1e30, "float32"), (-1e8, "float32"), (1e17, "float64")])
def test_equal_numbers_so_large_that_one_more_makes_no_difference_lie_in_the_middle(torch, value, dtype, bins, middle):
    counts = torch.histc(torch.full((2,), value, dtype=getattr(torch, dtype)), bins)
    assert counts.nonzero().tolist() == [[middle]] and counts.sum() == 2


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_numbers_that_are_all_infinite_have_no_range(torch, value):
    with refuses(RuntimeError, "is not finite", "MG204"):
        torch.histc(torch.full((2,), value), 3)

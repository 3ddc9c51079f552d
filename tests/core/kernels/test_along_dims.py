"""Operations along dims, by the loops in C against the general way: values, dtypes, shapes, and fresh memory."""

import itertools
import re
import sys

import numpy as np
import pytest

import minigrad
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general, on_arrays_in_c
from minigrad.ops.exports import ROWS

from tests.checking import of_kernels
from tests.core.kernels.layouts import DTYPES, LAYOUTS, assert_same, numbers, outcome

SHAPES = [(), (1,), (7,), (130,), (3, 4), (1, 4), (3, 1), (40, 3), (3, 40), (0, 4), (3, 0), (2, 3, 4), (3, 1, 5)]


def dims(ndim):
    """One dim, counted from either end, several, all, and what is none."""
    yield from (0, -1, max(ndim - 1, 0), ndim, (), None, (0,), (-1, 0), (0, 2), (1, 0), (0, 0))


def one_dim(ndim):
    yield from (0, -1, max(ndim - 1, 0), ndim)


#: row -> its calls with an array of that many dims, without the array
CALLS = {
    **{name: lambda ndim: itertools.product(dims(ndim), (False, True))
       for name in ("sum.dim_IntList", "mean.dim", "nansum", "amax", "amin", "logsumexp", "any", "all", "argmax",
                    "argmin")},
    **{name: lambda ndim: itertools.product(one_dim(ndim), (False, True))
       for name in ("prod.dim_int", "max.dim", "min.dim", "median.dim", "nanmedian.dim", "mode")},
    **{name: lambda ndim: [()] for name in ("sum", "mean", "prod", "max", "min", "median", "nanmedian")},
    **{name: lambda ndim: [(dim,) for dim in one_dim(ndim)]
       for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "softmax", "log_softmax")},
    **{name: lambda ndim: itertools.product((0, 1, 2, np.inf, -np.inf, 3, -0.5), (0, -1, None, (0, 2)), (False, True))
       for name in ("norm_p",)},
    **{name: lambda ndim: itertools.product((0, -1, (), (0, 2)), (None, 0, 1, 0.5), (False, True))
       for name in ("var_over", "std_over")},
    **{name: lambda ndim: itertools.product(one_dim(ndim), (False, True), (False, True))
       for name in ("sort", "argsort")},
    "topk": lambda ndim: itertools.product((0, 1, 3, 4, 5), one_dim(ndim), (False, True), (True,)),
    "kthvalue": lambda ndim: itertools.product((0, 1, 3, 5), one_dim(ndim), (False, True)),
    "count_nonzero": lambda ndim: [(dim,) for dim in dims(ndim)],
}
# What adds or multiplies in another order than the general kernel, or takes its exponentials one by one.
ROUNDED = {"sum", "sum.dim_IntList", "mean", "mean.dim", "nansum", "logsumexp", "prod", "prod.dim_int", "cumsum",
           "cumprod", "logcumsumexp", "softmax", "log_softmax", "norm_p", "var_over", "std_over"}
SPECIAL = [0., -0., np.nan, 1., np.inf, -np.inf, 1., np.nan, -1., 2.]


def assert_rounded_alike(fast, slow):
    """A sum in which terms cancel has the error of its terms."""
    assert fast.dtype == slow.dtype and fast.shape == slow.shape
    tolerance = {2: 1e-2, 4: 2e-5, 8: 1e-13, 16: 1e-13}[slow.real.itemsize] if slow.dtype.kind in "fc" else 0
    np.testing.assert_allclose(fast, slow, rtol=tolerance, atol=tolerance)


def check(name, *args):
    """Both ways: as lists, since there may be several results."""
    ways = []
    for way in (on_arrays, on_arrays_general):
        before = [np.array(x) if isinstance(x, np.ndarray) else x for x in args]
        with np.errstate(all="ignore"):
            found = outcome(way, ROWS[name], *args)
        for x, y in zip(args, before):
            if isinstance(x, np.ndarray):
                np.testing.assert_array_equal(x, y)
        several = isinstance(found, (list, tuple)) and all(isinstance(x, np.ndarray) for x in found)
        ways.append(list(found) if several else [found])
    assert len(ways[0]) == len(ways[1])
    for fast, slow in zip(*ways):
        if isinstance(slow, np.ndarray) and slow.dtype.kind == "f":
            fast, slow = fast + np.zeros((), slow.dtype), slow + np.zeros((), slow.dtype)       # either zero will do
            fast, slow = np.asarray(fast), np.asarray(slow)
        if name in ROUNDED and isinstance(slow, np.ndarray):
            assert_rounded_alike(fast, slow)
        else:
            assert_same(fast, slow)
        if isinstance(fast, np.ndarray):
            assert not any(isinstance(x, np.ndarray) and np.shares_memory(fast, x) for x in args)
    return ways[0]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.drawn
def test_every_shape_layout_and_dim(name):
    dtypes = itertools.cycle(["float32", "float64", "float32"])
    for (shape, layout), dtype in zip(itertools.product(SHAPES, LAYOUTS), dtypes):
        a = LAYOUTS[layout](np.round(numbers(shape, dtype), 1))
        for args in CALLS[name](a.ndim):
            check(name, a, *args)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.drawn
def test_every_dtype(name):
    for shape, dtype in itertools.product([(), (5,), (3, 4), (2, 3, 4)], [*DTYPES, "int16", "int8"]):
        a = numbers(shape, "int64").astype(dtype) if dtype.startswith("int") else numbers(shape, dtype)
        for args in CALLS[name](a.ndim):
            check(name, a, *args)
            check(name, a.astype(a.dtype.newbyteorder()), *args)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
def test_special_values(name, dtype):
    """nan and the infinities, in every place; and lines of -inf, of nan and of both zeros."""
    rows = [np.roll(SPECIAL, k) for k in range(len(SPECIAL))]
    rows += [np.where(np.isnan(row), 0, row) for row in rows]
    rows += [np.full(len(SPECIAL), x) for x in (np.nan, -np.inf, np.inf, 0.)]
    a = np.array(rows).astype(dtype)
    for args in CALLS[name](2):
        check(name, a, *args)
        check(name, np.ascontiguousarray(a.T), *args)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("name, args", [
    ("sort", (-1, False, None)), ("sort", (-1, True, True)), ("topk", (7, -1, True, True)),
    ("topk", (90, -1, False, True)), ("kthvalue", (50, -1, False)), ("mode", (-1, False)), ("median.dim", (-1, False))])
def test_long_lines_are_ordered_as_short_ones(name, args, dtype):
    """Insertion, merging and selection take turns, by the length of the line."""
    rng = np.random.default_rng(3)
    for n in (100, 511, 513, 1025, 5000):
        check(name, rng.integers(0, 40, (3, n)).astype(dtype), *args)
        check(name, np.sort(rng.integers(0, 250, (2, n))).astype(dtype), *args)
        check(name, np.sort(rng.integers(0, 250, (2, n)))[:, ::-1].astype(dtype), *args)
        assert on_arrays_in_c(ROWS[name], np.zeros((2, n), dtype), *args) is not None


@pytest.mark.skipif(sys.maxsize > 2 ** 32, reason="their size in bytes has 64 bits")
def test_a_line_whose_keys_are_more_than_all_memory_is_left_to_numpy():
    assert on_arrays_in_c(ROWS["kthvalue"], np.zeros(2 ** 28, np.uint8), 1, 0, False) is None


def test_integers_at_the_ends_of_their_range():
    for dtype in ("int64", "int32", "int16", "int8", "uint8"):
        info = np.iinfo(dtype)
        a = np.array([[info.max, info.min, 0, info.max], [1, info.max, info.min, info.min]], dtype)
        for name in ("sum.dim_IntList", "prod.dim_int", "amax", "amin", "max.dim", "min.dim", "sort", "median.dim",
                     "cumsum", "cumprod", "cummax", "mode"):
            for dim in (0, 1):
                check(name, a, dim, False) if name not in ("cumsum", "cumprod", "cummax") else check(name, a, dim)


def test_large_arrays_run_without_the_lock():
    rng = np.random.default_rng(5)
    a = rng.normal(size=(300, 400))
    for name, args in [("amax", (0, False)), ("amax", (1, False)), ("sort", (1, False, None)), ("cumsum", (0,)),
                       ("sum.dim_IntList", (0, True)), ("max.dim", (1, False)), ("softmax", (1,)),
                       ("logsumexp", (0, False)), ("var_over", (1, 1, False)), ("argmax", (None, False)),
                       ("any", (0, False)), ("sort", (0, True, None)), ("topk", (7, 0, True, True)),
                       ("median.dim", (0, True))]:
        for dtype in ("float32", "float64"):
            for layout in ("rows", "columns", "broadcast"):
                check(name, LAYOUTS[layout](a.astype(dtype)), *args)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["softmax_backward", "log_softmax_backward"])
def test_the_way_back_through_a_softmax(name, dtype):
    for shape, layout, other in itertools.product(SHAPES, LAYOUTS, ["rows", "columns", "broadcast"]):
        for dim in one_dim(len(shape)):
            d, result = LAYOUTS[layout](numbers(shape, dtype, 1)), LAYOUTS[other](np.abs(numbers(shape, dtype, 2)))
            if d.shape != result.shape:
                continue
            fast, slow = [outcome(way, ROWS[name], d, result, dim) for way in (on_arrays, on_arrays_general)]
            if isinstance(slow, np.ndarray):
                assert_rounded_alike(fast, slow)
            else:
                assert fast == slow


def test_gradients_of_every_layout():
    """Operands that are views of the leaf, and gradients in which all elements are one number in memory."""
    x = minigrad.tensor([[1., 5., 5.], [4., 2., 3.]], requires_grad=True)
    for loss in (lambda x: x.t().max(0).values.sum(), lambda x: x[:, ::2].sum(1).mean(), lambda x: x.t().amax(1).sum()):
        x.grad = None
        loss(x).backward()
        assert x.grad.shape == x.shape


@pytest.mark.parametrize("name", ["var", "std"])
def test_the_kernel_of_a_variance_of_one_number_says_what_is_wrong(name):
    message = re.escape(f"{name}(): degrees of freedom is <= 0")
    with pytest.warns(UserWarning, match=message):
        found = on_arrays_in_c(ROWS[f"{name}_over"], np.array(1.5), None, None, False)
    assert np.isnan(found)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lines_of_every_length_are_sorted(dtype):
    """Rows of four are merged, and what is left over with them, whatever the length."""
    rng = np.random.default_rng(0)
    for n in [*range(1, 70), 127, 128, 129, 1000]:
        a = np.round(rng.normal(0, 9, (2, n))).astype(dtype)
        values, places = on_arrays_in_c(ROWS["sort"], a, 1, False, None)
        np.testing.assert_array_equal(places, np.argsort(a, axis=1, kind="stable"))
        np.testing.assert_array_equal(values, np.sort(a, axis=1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmax_backward", "log_softmax_backward", "logsumexp"])
def test_lines_that_are_computed_piece_by_piece(name, dtype):
    args = [numbers((3, 5001), dtype, seed) for seed in range(1 + name.endswith("backward"))]
    fast, slow = [way(ROWS[name], *args, 1) for way in (on_arrays, on_arrays_general)]
    assert_rounded_alike(fast, slow)


def test_the_gradient_where_there_are_as_many_dims_as_there_can_be():
    x = minigrad.full((1,) * 64, 2., requires_grad=True)
    for reduced in (x.logsumexp(0), x.sum(0), x.amax(0), x.prod(0), x.norm(2, 0)):
        assert reduced.ndim == 63 and minigrad.autograd.grad(reduced.sum(), x)[0].flatten().tolist() == [1.]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bool", "uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("spread", [1, 300, 2**40], ids=["one_digit", "two_digits", "many_digits"])
def test_many_entries_are_sorted_by_their_digits(dtype, spread):
    rng = np.random.default_rng(spread % 1000)
    if np.dtype(dtype).kind == "f":
        entries = (rng.standard_normal(2000) * min(spread, 300)).astype(dtype)
        entries[:6] = np.nan, np.inf, -np.inf, 0., -0., np.nan
    elif dtype == "bool":
        entries = rng.random(2000) < 0.5
    else:
        limits = np.iinfo(dtype)
        entries = rng.integers(max(limits.min, -spread), min(limits.max, spread), 2000, dtype, endpoint=True)
        entries[:2] = limits.min if spread > 300 else 0, limits.max if spread > 300 else 1
    x = minigrad.tensor(entries)
    for descending in (False, True):
        values, places = minigrad.sort(x, descending=descending)
        ordered = entries[::-1] if descending else entries          # NumPy sorts stably, and upwards only
        expected = np.argsort(ordered, kind="stable")
        expected = 1999 - expected[::-1] if descending else expected
        assert np.array_equal(places.numpy(), expected)
        assert np.array_equal(values.numpy(), entries[expected], equal_nan=values.is_floating_point())


#: row -> its arguments behind the array, with the dtype last
IN_A_DTYPE = {
    "sum": [()], "mean": [()], "prod": [()],
    **{name: [((0,), False), ((1,), True)] for name in ("sum.dim_IntList", "mean.dim", "nansum")},
    "prod.dim_int": [(0, False), (1, True)],
    **{name: [(0,), (1,)] for name in ("cumsum", "cumprod")},
}
ASKED = ["bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("name", IN_A_DTYPE)
def test_in_the_dtype_that_is_asked_for(name, asked):
    """As if the array had been of that dtype, or is refused in the same words."""
    asked = getattr(minigrad, asked)
    for dtype, values in itertools.product(ASKED, (numbers((37, 5), "float64"), np.full((3, 4), 77.))):
        x = minigrad.tensor(values + (values < 0) * 9 * dtype.startswith("u")).to(getattr(minigrad, dtype))
        for args in IN_A_DTYPE[name]:
            found = outcome(lambda: ROWS[name](x, *args, dtype=asked))
            expected = outcome(lambda: ROWS[name](x.to(asked), *args, dtype=asked))
            if isinstance(expected, tuple):
                assert isinstance(found, tuple) and found[0] is expected[0], (dtype, found, expected)
                continue
            assert found.dtype == expected.dtype == asked, (dtype, args)
            assert minigrad.allclose(found.double(), expected.double(), 1e-2 if asked.itemsize == 2 else 1e-5,
                                     1e-2 if asked.itemsize == 2 else 1e-5, equal_nan=True), (dtype, args)


@of_kernels
def test_what_has_a_kernel_in_the_dtype_that_is_asked_for():
    for dtype, asked in [("float16", "float32"), ("bfloat16", "float64"), ("float16", "bfloat16"), ("int32", "int32"),
                         ("bool", "int64"), ("uint8", "float32"), ("float32", "float16"), ("int64", "int8")]:
        a, asked = np.ones((3, 4)).astype(getattr(minigrad, dtype).numpy), getattr(minigrad, asked)
        assert on_arrays_in_c(ROWS["sum.dim_IntList"], a, (0,), False, asked) is not None
        assert on_arrays_in_c(ROWS["cumsum"], a, 0, asked) is not None
    assert on_arrays_in_c(ROWS["sum"], np.full(3, 1e300), minigrad.float32) is None     # NumPy says what overflows


@of_kernels
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_sum_of_what_is_not_nan_is_the_sum_where_the_others_are_zero(dtype):
    """Bit by bit, in blocks of any size."""
    rng = np.random.default_rng(5)
    for shape in [(1,), (3,), (5, 4), (4, 5), (17, 3), (300, 70), (3, 1000), (1000, 3), (2, 129, 65), (100_003,)]:
        a = rng.standard_normal(shape).astype(dtype)
        a[rng.random(shape) < 0.3] = np.nan
        b = np.where(np.isnan(a), a.dtype.type(0), a)
        for dim in [(k,) for k in range(a.ndim)] + [tuple(range(a.ndim))]:
            assert_same(on_arrays_in_c(ROWS["nansum"], a, dim, False, None),
                        on_arrays_in_c(ROWS["sum.dim_IntList"], b, dim, False, None))


@of_kernels
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool"])
@pytest.mark.parametrize("name", ["amax", "amin"])
def test_extremes_of_many_lines_end_to_end(name, dtype):
    rng = np.random.default_rng(6)
    for shape in [(9000, 1), (3000, 3), (100, 257), (1, 20_000), (20_000,), (5, 40, 64)]:
        a = (rng.standard_normal(shape) * 50).astype(dtype)
        for dim in [(a.ndim - 1,), tuple(range(a.ndim)), tuple(range(1, a.ndim)) or (0,)]:
            for keepdim in (False, True):
                check(name, a, dim, keepdim)
                fast = on_arrays_in_c(ROWS[name], a, dim, keepdim)
                assert fast is not None
                assert_same(fast, (a.max if name == "amax" else a.min)(axis=dim, keepdims=keepdim))
    if dtype.startswith("f"):
        a = rng.standard_normal((100, 200)).astype(dtype)
        a[rng.random(a.shape) < 0.005] = np.nan
        assert_same(on_arrays_in_c(ROWS[name], a, (1,), False), (a.max if name == "amax" else a.min)(axis=1))

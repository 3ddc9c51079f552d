"""Loops of our own where NumPy has none for many numbers at a time: sin and cos of doubles, remainders, hypot.

Remainders must be NumPy's, bit for bit.  Errors of the others are in units in the last place (ulp), against 50 digits
where mpmath is there, and else against long doubles.
"""

import importlib.util
import itertools
import math

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.kernels.loops import new_ufuncs, patched_ufuncs, special_functions

rng = np.random.default_rng(0)
BEYOND = [0., -0., np.inf, -np.inf, np.nan, 823548.9, 823549., 1e6, -1e22, 1e300, 5e-324, -1e-310]
ANGLES = np.concatenate([rng.uniform(-4, 4, 400), rng.uniform(-8e5, 8e5, 400), 10. ** rng.uniform(-300, 5, 100),
                         np.arange(-300, 300) * (np.pi / 2), rng.integers(0, 2**19, 300) * (np.pi / 2)])
# The doubles next to a multiple of pi/2, of which almost nothing is left, below FARTHEST and above it.
ANGLES = np.concatenate([ANGLES, [6381956970095103 * 2.**-33, 6381956970095103 * 2.**-32, 411771.0, 710.0, 355.0]])


@pytest.mark.skipif(not importlib.util.find_spec("mpmath"), reason="needs mpmath")
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_the_error_of_sines_in_units_in_the_last_place(name):
    import mpmath
    with mpmath.mp.workdps(60):
        expected = [getattr(mpmath, name)(mpmath.mpf(float(x))) for x in ANGLES]
        found = getattr(patched_ufuncs, name)(ANGLES)
        errors = [abs(mpmath.mpf(float(a)) - b) / mpmath.mpf(float(np.spacing(abs(float(b)))))
                  for a, b in zip(found, expected)]
    assert max(errors) < 0.8


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sines_beyond_what_is_computed_here(name):
    x = np.array(BEYOND * 40)
    with np.errstate(all="ignore"):
        found, expected = getattr(patched_ufuncs, name)(x), getattr(np, name)(x)
    np.testing.assert_allclose(found, expected, rtol=3e-16, atol=0)
    np.testing.assert_array_equal(np.signbit(found)[:2], np.signbit(expected)[:2])


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_each_layout_of_sines_gives_the_same(name):
    """In place, in steps, backwards, in blocks of any length, with a far angle among near ones."""
    function = getattr(patched_ufuncs, name)
    x = rng.uniform(-10, 10, 1200)
    x[[3, 700]] = 1e9, np.inf
    with np.errstate(all="ignore"):
        whole = function(x)
        for n in (0, 1, 2, 7, 255, 256, 257, 513, 1200):
            np.testing.assert_array_equal(function(x[:n]), whole[:n])
        for view in (np.s_[::3], np.s_[::-1], np.s_[10:900:7]):
            np.testing.assert_array_equal(function(x[view]), whole[view])
            out = np.zeros_like(x)
            function(x[view], out=out[view])
            np.testing.assert_array_equal(out[view], whole[view])
        own = x.copy()
        function(own, out=own)
    np.testing.assert_array_equal(own, whole)


def test_other_dtypes_have_the_loops_of_numpy():
    for dtype in ("float32", "complex64", "complex128", "int32"):
        x = np.arange(-3, 4).astype(dtype)
        for name in ("sin", "cos"):
            found, expected = getattr(patched_ufuncs, name)(x), getattr(np, name)(x)
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-15)


# ------------------------------------------------------------------------------ division

def pairs(dtype):
    """Numbers of all sizes, multiples of each other, and whatever is special, with each other."""
    reach = 38 if dtype == "float32" else 300
    x, y = [], []
    for most in (0.1, 1, 5, 10, 20, reach):
        for each in (x, y):
            each.append((rng.normal(size=3000) * 10. ** rng.uniform(-most, most, 3000)).astype(dtype))
    for step in (1, 0.1):
        x.append((rng.integers(-1000, 1000, 6000) * step).astype(dtype))
        y.append((rng.integers(-30, 30, 6000) * step).astype(dtype))
    limits = np.finfo(dtype)
    special = np.array([0, -0., 1, -1, .5, 3, -3, np.inf, -np.inf, np.nan, 1e30, -1e-30, limits.max, -limits.max,
                        limits.tiny, limits.smallest_subnormal, 2**22, 2**23 + 1, 2**50, -2**50, 2**51 + 1],
                       dtype=dtype)
    every = np.array(list(itertools.product(special, special)))
    return np.concatenate([*x, every[:, 0]]), np.concatenate([*y, every[:, 1]])


def assert_no_bit_differs(found, expected):
    both_nan = np.isnan(found) & np.isnan(expected)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found) | both_nan, np.signbit(expected) | both_nan)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, reference", [("fmod", np.fmod), ("remainder", patched_ufuncs.remainder),
                                             ("floor_divide", np.floor_divide)])
def test_remainders_are_those_of_numpy_to_the_bit(name, reference, dtype):
    x, y = pairs(dtype)
    function = getattr(new_ufuncs, name)
    with np.errstate(all="ignore"):
        expected = reference(x, y)
        assert_no_bit_differs(function(x, y), expected)
        assert_no_bit_differs(function(x[::-3], y[::-3]), expected[::-3])
        for which, own in enumerate([x.copy(), y.copy()]):
            function(own if which == 0 else x, own if which else y, out=own)
            assert_no_bit_differs(own, expected)
        for divisor in (3, -0.1, 0, np.inf):
            assert_no_bit_differs(function(x, x.dtype.type(divisor)), reference(x, x.dtype.type(divisor)))


@pytest.mark.parametrize("dtype, most", [("float32", 0.51), ("float64", 1.3)])
def test_the_error_of_the_hypotenuse(dtype, most):
    x, y = pairs(dtype)
    with np.errstate(all="ignore"):
        found, libm = new_ufuncs.hypot(x, y), np.hypot(x, y)
        exact = np.hypot(x.astype(np.longdouble), y.astype(np.longdouble))
        finite = np.isfinite(libm) & np.isfinite(found)
        errors = np.abs(found - exact)[finite] / np.spacing(libm[finite])
    assert errors.max() < most
    np.testing.assert_array_equal(found[~finite], libm[~finite])


@pytest.mark.parametrize("dtype, most", [("float32", 1), ("float64", 3)])
def test_the_error_of_logaddexp(dtype, most):
    x, y = pairs(dtype)
    with np.errstate(all="ignore"):
        found = special_functions.logaddexp(x, y)
        exact = np.logaddexp(x.astype(np.longdouble), y.astype(np.longdouble))
        expected = exact.astype(dtype)
        usual = np.isfinite(x) & np.isfinite(y) & np.isfinite(expected)
        size = np.maximum(np.abs(expected), np.maximum(np.abs(x), np.abs(y)))[usual]
        assert (np.abs(found - exact)[usual] / np.spacing(size)).max() < most
    np.testing.assert_array_equal(found[~usual], expected[~usual])
    assert special_functions.logaddexp(-math.inf, -math.inf) == -math.inf


def test_threads_change_no_bit_of_a_sine_or_remainder():
    before = torch.get_num_threads()
    x = torch.tensor(rng.uniform(-1e7, 1e7, 200_000))
    try:
        for call in (torch.sin, torch.cos, lambda x: torch.remainder(x, 0.3), lambda x: torch.fmod(x, -7)):
            results = []
            for n in (1, 2):
                torch.set_num_threads(n)
                results.append(call(x).numpy().tobytes())
            assert results[0] == results[1]
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
                                   "complex64", "complex128"])
@pytest.mark.parametrize("step", [1, 2, 3, 4, 8, 16])
def test_elements_that_lie_apart_are_negated_where_they_are(dtype, step):
    """NumPy's own loops of negative write to other places where the step is 4, 8 or 16."""
    for n in (1, 2, 5, 33):
        base = torch.arange(n * step).to(getattr(torch, dtype))
        expected, part = base.clone(), base[::step]
        expected[::step] = -part.clone()
        part.neg_()
        assert base.equal(expected)
        out = torch.zeros(n * step, dtype=base.dtype)
        torch.neg(part, out=out[::step])
        assert out[::step].equal(-part.clone()) and out.count_nonzero() == part.count_nonzero()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, takes_second", [("fmax", np.greater), ("fmin", np.less)])
def test_extremes_are_written_to_elements_that_lie_apart(name, takes_second, dtype):
    """Of equal numbers, such as zeros of both signs, the first is taken."""
    x, y = pairs(dtype)
    for a, b in ((x, y), (x, y[:1]), (x[:1], y), (x[::-1], y[::-1])):
        a, b = np.broadcast_arrays(a, b)
        out = np.zeros(2 * len(a), dtype)
        with np.errstate(invalid="ignore"):
            getattr(patched_ufuncs, name)(a, b, out=out[::2])
        assert_no_bit_differs(out[::2], np.where(np.isnan(a) | takes_second(b, a), b, a))
        assert not out[1::2].any()

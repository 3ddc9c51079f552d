"""The special functions of the core, over their whole range, against 50 digits of mpmath, known values and ``math``.

Errors are in units in the last place (ulp) of the result.  Without mpmath, what the standard library and identities can
tell remains.
"""

import importlib.util
import math

import numpy as np
import pytest

from minigrad._core import special_functions as special

EULER = 0.57721566490153286
DIGITS = importlib.util.find_spec("mpmath") is not None

if DIGITS:
    import mpmath
    from mpmath import mp, mpf

rng = np.random.default_rng(0)
AROUND_ZERO = np.concatenate([rng.uniform(-6, 6, 400),
                              10. ** rng.uniform(-30, 0.5, 60), -10. ** rng.uniform(-30, 0.5, 60)])
FAR = {np.float32: rng.uniform(-87, 87, 200), np.float64: rng.uniform(-700, 700, 200)}
TAIL = {np.float32: rng.uniform(-6, 9, 200), np.float64: rng.uniform(-6, 26, 200)}
POSITIVE = np.concatenate([rng.uniform(0, 12, 300), 10. ** rng.uniform(-30, 15, 60)])
NEGATIVE = rng.uniform(-20, 0, 100)


def logistic(x):
    return 1 / (1 + mpmath.exp(-x))


def gelu_tanh(x):
    return x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpf("0.044715") * x**3)))


#: name -> reference, and the greatest error in ulp for float32 and float64; arguments by dtype
FUNCTIONS = {
    "erf": (lambda x: mpmath.erf(x), 0.6, 2, lambda dtype: AROUND_ZERO),
    "erfc": (lambda x: mpmath.erfc(x), 0.6, 6, lambda dtype: np.concatenate([AROUND_ZERO, TAIL[dtype]])),
    "normal_cdf": (lambda x: mpmath.ncdf(x), 0.6, 8, lambda dtype: np.concatenate([AROUND_ZERO, -TAIL[dtype]])),
    "gelu": (lambda x: x * mpmath.ncdf(x), 0.6, 8, lambda dtype: np.concatenate([AROUND_ZERO, -TAIL[dtype]])),
    "gelu_tanh": (gelu_tanh, 0.6, 60, lambda dtype: AROUND_ZERO),
    "sigmoid": (logistic, 2, 3, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "silu": (lambda x: x * logistic(x), 2, 3, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "logsigmoid": (lambda x: -mpmath.log1p(mpmath.exp(-x)), 0.6, 3,
                   lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "mish": (lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x))), 0.6, 4, lambda dtype: AROUND_ZERO),
    "lgamma": (lambda x: mpmath.re(mpmath.loggamma(x)), 0.6, 4, lambda dtype: POSITIVE),
    "trigamma": (lambda x: mpmath.polygamma(1, x), 0.6, 6, lambda dtype: POSITIVE),
}


def function(name):
    return (lambda x: special.polygamma(x, x.dtype.type(1))) if name == "trigamma" else getattr(special, name)


def errors(result, expected, dtype):
    """In ulp, where the expected number is one of the dtype and not subnormal."""
    rounded = np.array([float(e) for e in expected]).astype(dtype)
    usual = np.isfinite(rounded) & (np.abs(rounded) >= np.finfo(dtype).tiny)
    return [float(abs(mpf(float(r)) - e) / mpf(float(np.spacing(np.abs(n)))))
            for r, e, n, take in zip(result, expected, rounded, usual) if take]


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_error_in_units_in_the_last_place(name, dtype):
    reference, single, double, arguments = FUNCTIONS[name]
    x = arguments(dtype).astype(dtype)
    with np.errstate(all="ignore"), mp.workdps(50):
        expected = [reference(mpf(float(v))) for v in x]
        assert max(errors(function(name)(x), expected, dtype)) < (single if dtype is np.float32 else double)


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
@pytest.mark.parametrize("dtype, floor", [(np.float32, 1e-7), (np.float64, 5e-15)])
def test_digamma_and_polygamma_of_all_numbers(dtype, floor):
    """Relative to the value, and beside zeros to one: a difference of two numbers loses digits there."""
    x = np.concatenate([POSITIVE, NEGATIVE]).astype(dtype)
    for n in range(5):
        with np.errstate(all="ignore"), mp.workdps(50):
            expected = np.array([float(mpmath.polygamma(n, mpf(float(v)))) for v in x])
            actual = special.polygamma(x, dtype(n)).astype(np.float64)
        fits = np.abs(expected) < np.finfo(dtype).max
        scale = np.maximum(np.abs(expected), 1) * (1 + 100 * n * (x < 0))
        assert np.max(np.abs(actual - expected)[fits] / scale[fits]) < floor * 20, n


def worst(name, reference, x, floor=0.0):
    """The greatest error, relative to the value (or to ``floor`` where that is greater)."""
    expected = np.array([reference(v) for v in x])
    with np.errstate(all="ignore"):
        return np.max(np.abs(getattr(special, name)(x) - expected) / np.maximum(np.abs(expected), floor))


def test_against_the_standard_library():
    wide = np.concatenate([np.linspace(-6, 6, 1001), 10.0 ** np.linspace(-300, 2, 101)])
    assert worst("erf", math.erf, wide, floor=1e-300) < 5e-16
    assert worst("erfc", math.erfc, np.linspace(-6, 26, 1001)) < 2e-15
    assert worst("normal_cdf", lambda v: 0.5 * math.erfc(-v / math.sqrt(2)), np.linspace(-10, 9, 501)) < 1e-13
    positive = np.concatenate([np.linspace(0.001, 50, 1001), 10.0 ** np.linspace(-300, 300, 101)])
    assert worst("lgamma", math.lgamma, positive, floor=1.0) < 2e-15
    assert worst("lgamma", math.lgamma, np.linspace(-20.3, -0.01, 501), floor=1.0) < 1e-14
    assert worst("sigmoid", lambda v: 1 / (1 + math.exp(-v)), np.linspace(-600, 600, 501)) < 1e-15


def test_in_float32_too():
    x = np.linspace(-6, 9, 501, dtype=np.float32)
    for name, exact in (("erf", math.erf), ("erfc", math.erfc)):
        expected = np.array([exact(v) for v in x.astype(np.float64)])
        assert np.allclose(getattr(special, name)(x), expected, rtol=6e-8, atol=0)


def test_lgamma_keeps_its_digits_beside_its_zeros():
    """By its series there."""
    for zero, slope, curvature in ((1, -EULER, math.pi**2 / 6), (2, 1 - EULER, math.pi**2 / 6 - 1)):
        step = (zero + 10.0 ** np.linspace(-14, -6, 50)) - zero
        assert np.allclose(special.lgamma(zero + step), slope * step + curvature / 2 * step**2, rtol=1e-11, atol=0)


def test_digamma_and_polygamma_at_known_places():
    x = np.array([1.0, 0.5])
    assert special.digamma(x) == pytest.approx([-EULER, -EULER - 2 * math.log(2)], rel=1e-15)
    assert special.polygamma(x, 1.) == pytest.approx([math.pi**2 / 6, math.pi**2 / 2], rel=1e-15)
    assert special.polygamma(x[:1], 2.) == pytest.approx([-2 * 1.2020569031595943], rel=1e-15)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_polygamma_obeys_its_recurrence(n):
    """psi_n(x + 1) = psi_n(x) + (-1)^n n! x^(-n-1), on both sides of zero."""
    x = np.array([-4.3, -1.5, -0.2, 0.7, 3.0, 11.5])
    with np.errstate(all="ignore"):
        step = (-1) ** n * math.factorial(n) * x ** (-n - 1.0)
        assert np.allclose(special.polygamma(x, float(n)), special.polygamma(x + 1, float(n)) - step, rtol=1e-12,
                           atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_limits(dtype):
    inf, nan = math.inf, math.nan
    at = np.array([inf, -inf, 0.0, -0.0, 1e30, -1e30], dtype)
    limits = {"erf": [1, -1, 0, 0, 1, -1], "erfc": [0, 2, 1, 1, 0, 2], "normal_cdf": [1, 0, 0.5, 0.5, 1, 0],
              "gelu": [inf, nan, 0, 0, at[4], 0], "gelu_tanh": [inf, nan, 0, 0, at[4], 0],
              "sigmoid": [1, 0, 0.5, 0.5, 1, 0], "silu": [inf, nan, 0, 0, at[4], 0], "mish": [inf, nan, 0, 0, at[4], 0],
              "logsigmoid": [0, -inf, -dtype(math.log(2)), -dtype(math.log(2)), 0, at[5]]}
    with np.errstate(all="ignore"):
        for name, expected in limits.items():
            np.testing.assert_array_equal(getattr(special, name)(at), np.array(expected, dtype), err_msg=name)
            assert np.isnan(getattr(special, name)(np.array([nan], dtype))).all()
        gamma = np.array([0.0, -1.0, inf, -inf, 1.0, 2.0], dtype)
        assert special.lgamma(gamma).tolist() == [inf] * 4 + [0, 0]
        assert special.digamma(np.array([0.0, -0.0], dtype)).tolist() == [-inf, inf]
        for function in (special.lgamma, special.digamma):
            assert np.isnan(function(np.array([nan], dtype))).all()


@pytest.mark.parametrize("name", ["digamma", "lgamma", "erf", "sigmoid"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_that_are_apart_or_written_over(name, dtype):
    """Many at a time, whatever lies between them; and with the result written over the argument."""
    x = rng.uniform(0.1, 9, 1500).astype(dtype)
    expected = getattr(special, name)(x)
    assert np.array_equal(getattr(special, name)(np.repeat(x, 3)[::3]), expected)
    assert np.array_equal(getattr(special, name)(x[::-1])[::-1], expected)
    out = np.zeros((1500, 2), dtype)
    getattr(special, name)(x, out=out[:, 1])
    assert np.array_equal(out[:, 1], expected)
    assert np.array_equal(getattr(special, name)(x, out=x), expected)

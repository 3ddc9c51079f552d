"""The special functions that NumPy lacks, over their whole range, against ``math`` and known values."""

import math

import numpy as np
import pytest

from minigrad.ops.elementwise.special import (digamma_double, erf_array, erfc_array, lgamma_double, normal_cdf_array,
                                              polygamma_double)

EVERYWHERE = np.concatenate([np.linspace(-6, 6, 4001), 10.0 ** np.linspace(-300, 2, 501)])
POSITIVE = np.concatenate([np.linspace(0.001, 50, 4001), 10.0 ** np.linspace(-300, 300, 501)])
EULER = 0.57721566490153286


def worst(function, reference, x, floor=0.0):
    """The greatest error, relative to the value (or to ``floor`` where that is greater)."""
    expected = np.array([reference(v) for v in x])
    with np.errstate(all="ignore"):
        return np.max(np.abs(function(x) - expected) / np.maximum(np.abs(expected), floor))


def test_erf_is_good_to_two_units_in_the_last_place():
    assert worst(erf_array, math.erf, EVERYWHERE, floor=1e-300) < 5e-16


def test_erfc_keeps_its_digits_in_the_tail():
    assert worst(erfc_array, math.erfc, np.linspace(-6, 26, 4001)) < 1e-15


def test_in_float32_too():
    x = np.linspace(-6, 9, 2001, dtype=np.float32)
    single = np.float64(x)
    assert np.allclose(erf_array(x), [math.erf(v) for v in single], rtol=5e-7, atol=0)
    assert np.allclose(erfc_array(x), [math.erfc(v) for v in single], rtol=5e-7, atol=0)


def test_the_normal_distribution_keeps_its_digits_in_both_tails():
    assert worst(normal_cdf_array, lambda v: 0.5 * math.erfc(-v / math.sqrt(2)), np.linspace(-10, 9, 2001)) < 1e-13


def test_lgamma():
    assert worst(lgamma_double, math.lgamma, POSITIVE, floor=1.0) < 2e-15
    assert worst(lgamma_double, math.lgamma, np.linspace(-20.3, -0.01, 2001), floor=1.0) < 1e-14


def test_lgamma_keeps_its_digits_beside_its_zeros():
    """By its series there; math.lgamma itself is wrong by 7 % at 2 + 1e-14."""
    for zero, slope, curvature in ((1, -EULER, math.pi**2 / 6), (2, 1 - EULER, math.pi**2 / 6 - 1)):
        step = (zero + 10.0 ** np.linspace(-14, -6, 50)) - zero
        assert np.allclose(lgamma_double(zero + step), slope * step + curvature / 2 * step**2, rtol=1e-11, atol=0)


def test_digamma_and_polygamma_at_known_places():
    assert digamma_double(np.array([1.0, 0.5])) == pytest.approx([-EULER, -EULER - 2 * math.log(2)], rel=1e-15)
    assert polygamma_double(np.array([1.0, 0.5]), 1) == pytest.approx([math.pi**2 / 6, math.pi**2 / 2], rel=1e-15)
    assert polygamma_double(np.array([1.0]), 2) == pytest.approx([-2 * 1.2020569031595943], rel=1e-15)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_polygamma_obeys_its_recurrence(n):
    """psi_n(x + 1) = psi_n(x) + (-1)^n n! x^(-n-1), on both sides of zero."""
    x = np.array([-4.3, -1.5, -0.2, 0.7, 3.0, 11.5])
    with np.errstate(all="ignore"):
        step = (-1) ** n * math.factorial(n) * x ** (-n - 1.0)
        assert np.allclose(polygamma_double(x, n), polygamma_double(x + 1, n) - step, rtol=1e-12, atol=1e-12)


def test_limits():
    with np.errstate(all="ignore"):
        assert erf_array(np.array([np.inf, -np.inf, 0.0])).tolist() == [1, -1, 0]
        assert erfc_array(np.array([np.inf, -np.inf])).tolist() == [0, 2]
        assert lgamma_double(np.array([0.0, -1.0, np.inf, -np.inf, 1.0, 2.0])).tolist() == [np.inf] * 4 + [0, 0]
        assert digamma_double(np.array([0.0, -0.0])).tolist() == [-np.inf, np.inf]
        for function in (erf_array, erfc_array, lgamma_double, digamma_double):
            assert np.isnan(function(np.array([np.nan]))).all()

"""The special functions of the core, over their whole range, against 50 digits of mpmath, known values and ``math``.

Errors are in units in the last place (ulp) of the result.  Without mpmath, what the standard library and identities can
tell remains.
"""

import importlib.util
import math

import numpy as np
import pytest

import minigrad
from tests.checking import refuses
from minigrad._core.kernels.loops import special_functions as special
from minigrad._core.kernels.table import USED_AT_FIRST

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
SECOND_KIND = np.concatenate([rng.uniform(0, 4, 200), 10. ** rng.uniform(-30, 1.9, 60)])
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
    "gelu": (lambda x: x * mpmath.ncdf(x), 5, 8, lambda dtype: np.concatenate([AROUND_ZERO, -TAIL[dtype]])),
    "gelu_tanh": (gelu_tanh, 0.6, 60, lambda dtype: AROUND_ZERO),
    "sigmoid": (logistic, 2, 3, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "silu": (lambda x: x * logistic(x), 2, 3, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "logsigmoid": (lambda x: -mpmath.log1p(mpmath.exp(-x)), 0.6, 3,
                   lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "mish": (lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x))), 0.6, 4, lambda dtype: AROUND_ZERO),
    "lgamma": (lambda x: mpmath.re(mpmath.loggamma(x)), 0.6, 4, lambda dtype: POSITIVE),
    "trigamma": (lambda x: mpmath.polygamma(1, x), 0.6, 6, lambda dtype: POSITIVE),
    "erfcx": (lambda x: mpmath.exp(x * x) * mpmath.erfc(x), 0.6, 5, lambda dtype: np.concatenate(
        [rng.uniform(-9, 30, 300), 10. ** rng.uniform(-20, 10, 60)])),
    "log_ndtr": (lambda x: mpmath.log(mpmath.ncdf(x)), 0.6, 8, lambda dtype: np.concatenate(
        [rng.uniform(-40, 5, 300), -10. ** rng.uniform(-5, 10, 60)])),
    "hazard": (lambda x: mpmath.npdf(x) / mpmath.ncdf(x), 0.6, 9, lambda dtype: rng.uniform(-30, 3, 300)),
    "hazard_gap": (lambda x: x + mpmath.npdf(x) / mpmath.ncdf(x), 0.6, 10000, lambda dtype: np.concatenate(
        [rng.uniform(-40, 3, 300), -10. ** rng.uniform(1, 3, 60)])),
    "erfcx_slope": (lambda x: 2 * x * mpmath.exp(x * x) * mpmath.erfc(x) - 2 / mpmath.sqrt(mpmath.pi), 0.6, 10000,
                    lambda dtype: np.concatenate([rng.uniform(-9, 30, 300), 10. ** rng.uniform(1, 3, 60)])),
    "ndtri": (lambda x: -mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * x), 0.6, 5, lambda dtype: np.concatenate(
        [rng.uniform(0.01, 0.99, 200), 10. ** rng.uniform(-30, -1, 60)])),
    "erfinv": (mpmath.erfinv, 0.6, 6, lambda dtype: np.concatenate(
        [rng.uniform(-0.999, 0.999, 200), 10. ** rng.uniform(-30, -1, 60)])),
    "entr": (lambda x: -x * mpmath.log(x), 0.6, 3, lambda dtype: POSITIVE[POSITIVE > 0]),
    "i0": (lambda x: mpmath.besseli(0, x), 0.6, 4, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "i0e": (lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), 0.6, 4, lambda dtype: np.concatenate(
        [AROUND_ZERO, rng.uniform(-20, 20, 200), 10. ** rng.uniform(1, 9, 60)])),
    "i1": (lambda x: mpmath.besseli(1, x), 0.6, 4, lambda dtype: np.concatenate([AROUND_ZERO, FAR[dtype]])),
    "i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), 0.6, 4, lambda dtype: np.concatenate(
        [AROUND_ZERO, rng.uniform(-20, 20, 200), 10. ** rng.uniform(1, 9, 60)])),
    "k0": (lambda x: mpmath.besselk(0, x), 0.6, 4, lambda dtype: SECOND_KIND),
    "k1": (lambda x: mpmath.besselk(1, x), 0.6, 4, lambda dtype: SECOND_KIND),
    "k0e": (lambda x: mpmath.besselk(0, x) * mpmath.exp(x), 0.6, 4, lambda dtype: SECOND_KIND),
    "k1e": (lambda x: mpmath.besselk(1, x) * mpmath.exp(x), 0.6, 4, lambda dtype: SECOND_KIND),
    "spherical_j0": (lambda x: mpmath.sin(x) / x, 0.6, 3, lambda dtype: AROUND_ZERO),
    "airy_ai": (mpmath.airyai, 0.6, 50, lambda dtype: rng.uniform(-2, 12, 300)),
}

#: those that oscillate keep an absolute error, also beside their zeros
OSCILLATING = {
    "j0": (lambda x: mpmath.besselj(0, x), lambda: rng.uniform(-90, 90, 400)),
    "j1": (lambda x: mpmath.besselj(1, x), lambda: rng.uniform(-90, 90, 400)),
    "y0": (lambda x: mpmath.bessely(0, x), lambda: rng.uniform(0.1, 90, 400)),
    "y1": (lambda x: mpmath.bessely(1, x), lambda: rng.uniform(0.5, 90, 400)),
    "airy_ai": (mpmath.airyai, lambda: rng.uniform(-9, 2, 400)),
}

#: name -> reference, the greatest error in ulp for float64, and the two arguments
OF_TWO = {
    "igamma": (lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), 100),
    "igammac": (lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True), 150),
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
@pytest.mark.drawn
def test_the_error_in_units_in_the_last_place(name, dtype):
    reference, single, double, arguments = FUNCTIONS[name]
    x = arguments(dtype).astype(dtype)
    with np.errstate(all="ignore"), mp.workdps(50):
        expected = [reference(mpf(float(v))) for v in x]
        assert max(errors(function(name)(x), expected, dtype)) < (single if dtype is np.float32 else double)


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
@pytest.mark.parametrize("name", OSCILLATING)
@pytest.mark.drawn
def test_the_absolute_error_of_what_oscillates(name):
    reference, arguments = OSCILLATING[name]
    x = arguments()
    with mp.workdps(30):
        expected = np.array([float(reference(mpf(float(v)))) for v in x])
    np.testing.assert_allclose(getattr(special, name)(x), expected, rtol=4e-15, atol=4e-15)
    np.testing.assert_allclose(getattr(special, name)(x.astype(np.float32)), expected, rtol=1e-5, atol=5e-6)


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
@pytest.mark.parametrize("name", OF_TWO)
def test_the_error_of_the_incomplete_gamma_functions(name):
    """Small and large, near each other, where Temme's expansion is used, and far apart."""
    reference, most = OF_TWO[name]
    a = 10. ** rng.uniform(-4, 4, 120)
    beside = np.abs(a + 2 * np.sqrt(a) * rng.normal(size=120))
    for x in (a * rng.uniform(0.7, 1.3, 120), beside, rng.uniform(0, 3, 120)):
        with mp.workdps(40):
            expected = [reference(mpf(float(p)), mpf(float(q))) for p, q in zip(a, x)]
            usual = [e > 1e-30 for e in expected]
            found = getattr(special, name)(a, x)
            assert max(errors(found[usual], [e for e, take in zip(expected, usual) if take], np.float64)) < most


@pytest.mark.parametrize("name", OF_TWO)
def test_the_incomplete_gamma_functions_of_floats_take_fewer_steps_to_the_same_digits(name):
    a = (10. ** rng.uniform(-4, 4, 4000)).astype(np.float32)
    near = np.abs(a + 2 * np.sqrt(a) * rng.normal(size=4000))
    for x in (a * rng.uniform(0.7, 1.3, 4000), near, rng.uniform(0, 3, 4000), 10. ** rng.uniform(-4, 4, 4000)):
        x = x.astype(np.float32)
        expected = getattr(special, name)(a.astype(np.float64), x.astype(np.float64))
        usual = expected > 1e-36
        error = np.abs(getattr(special, name)(a, x) - expected) / np.spacing(expected.astype(np.float32))
        assert error[usual].max() < 0.6


def test_a_tensor_of_integers_beside_one_of_floats_is_promoted():
    a, x = minigrad.tensor([1, 2]), minigrad.tensor([1.5, 2.], dtype=minigrad.float64)
    for function in (minigrad.igamma, minigrad.igammac):
        assert function(a, x).tolist() == function(a.double(), x).tolist()
        assert function(x.float(), a).dtype is minigrad.float32


def test_slopes_far_out_keep_their_digits():
    for dtype in (minigrad.float32, minigrad.float64):
        x = minigrad.tensor([1e4, 1e10], dtype=dtype, requires_grad=True)
        slope, = minigrad.autograd.grad(minigrad.special.erfcx(x).sum(), x)
        assert slope.tolist() == pytest.approx([-5.6418958e-9, -5.6418958e-21], rel=1e-6)
        slope, = minigrad.autograd.grad(minigrad.special.log_ndtr(-x).sum(), x, create_graph=True)
        assert minigrad.autograd.grad(slope.sum(), x)[0].tolist() == pytest.approx([-1, -1], rel=1e-6)


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
def test_the_error_of_the_zeta_function():
    s, q = 1 + 10. ** rng.uniform(-3, 1.6, 100), rng.uniform(0.01, 40, 100)
    with mp.workdps(40):
        expected = [mpmath.zeta(mpf(float(a)), mpf(float(b))) for a, b in zip(s, q)]
        assert max(errors(special.hurwitz_zeta(s, q), expected, np.float64)) < 100


@pytest.mark.filterwarnings("ignore:invalid value encountered in log_ndtr")
def test_special_functions_without_mpmath():
    """Known values, each to all digits that are given."""
    for name, x, expected in [
        ("i0", 1., 1.2660658777520083), ("i1", 1., 0.5651591039924850), ("k0", 1., 0.4210244382407083),
        ("k1", 1., 0.6019072301972346), ("k0", 3., 0.03473950438627925), ("j0", 1., 0.7651976865579666),
        ("j0", 6., 0.1506452572509969), ("j1", 6., -0.2766838581275656), ("y0", 1., 0.08825696421567696),
        ("y0", 6., -0.2881946839815792), ("y1", 1., -0.7812128213002887), ("y1", 6., -0.1750103443003983),
        ("airy_ai", 0., 0.3550280538878172), ("airy_ai", 2., 0.03492413042327438),
        ("airy_ai", 3., 0.006591139357460719),
        ("airy_ai", -2., 0.2274074282016856), ("airy_ai", -6., -0.3291451736298926), ("erfcx", 1., 0.4275835761558070),
        ("erfcx", 100., 0.005641613782989433), ("ndtri", 0.975, 1.959963984540054), ("erfinv", 0.5, 0.4769362762044699),
        ("log_ndtr", -10., -53.23128515051247), ("entr", 0.5, 0.34657359027997264),
    ]:
        assert getattr(special, name)(x) == pytest.approx(expected, rel=3e-15)
    for name, x, y, expected in [
        ("hurwitz_zeta", 2., 1., math.pi**2 / 6), ("hurwitz_zeta", 4., 1., math.pi**4 / 90),
        ("hurwitz_zeta", 2., -0.5, 4 + math.pi**2 / 2), ("igamma", 1., 2., 1 - math.exp(-2)),
        ("igammac", 1., 40., math.exp(-40)), ("igammac", 0.5, 4., math.erfc(2)),
        ("igamma", 100., 100., 0.5132987982791487),
        ("igammac", 1000., 1100., 0.0010593232539299773), ("bessel_i", 1., 2., 0.1357476697670383),
    ]:
        assert getattr(special, name)(x, y) == pytest.approx(expected, rel=2e-14)


@pytest.mark.parametrize(("function", "what"), [
    (minigrad.igamma, "igamma: input"), (minigrad.igammac, "igammac: input"), (minigrad.special.zeta, "zeta"),
])
def test_a_derivative_without_a_closed_form_is_refused_where_it_is_asked_for(function, what):
    a, x = minigrad.tensor(2., requires_grad=True), minigrad.tensor(1.5, requires_grad=True)
    assert minigrad.autograd.grad(function(a, x), x)[0].isfinite()
    with refuses(NotImplementedError, f"the derivative for '{what}' is not implemented", "MG305"):
        function(a, x).backward()


def test_functions_without_derivatives_refuse_what_requires_grad():
    x = minigrad.ones(2, requires_grad=True)
    with refuses(RuntimeError, "is not differentiable with respect to argument 'self'", "MG212"):
        minigrad.special.airy_ai(x)
    with refuses(RuntimeError, "is not differentiable with respect to argument", "MG212"):
        minigrad.special.hermite_polynomial_h(x, 2)
    assert not minigrad.special.bessel_j0(x.detach()).requires_grad


def test_in_place_forms():
    x = minigrad.tensor([1., 2.])
    assert x.igamma_(minigrad.ones(2)) is x and x.tolist() == pytest.approx([0.6321206, 0.2642411])
    assert x.i0_().tolist() == pytest.approx([1.1024166, 1.0175321]) and x.mvlgamma_(1).erfinv_() is x
    assert minigrad.i0_(minigrad.zeros(1)).tolist() == [1] and not hasattr(minigrad, "igamma_")


def test_the_zeta_function_ends_its_sums():
    """However large or negative its arguments are."""
    huge = np.array([1.5, 3., 1e6, 3e38, math.inf])
    with np.errstate(all="ignore"):
        for q in (0.25, 1., 2.5, 1e6, 1e300, math.inf, -0.5, -1e6 - 0.5, -1e15, -1e300, -math.inf):
            assert special.hurwitz_zeta(huge, q).shape == (5,)


@pytest.mark.skipif(not DIGITS, reason="needs mpmath")
@pytest.mark.parametrize("dtype, floor", [(np.float32, 1e-7), (np.float64, 5e-15)])
@pytest.mark.drawn
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_each_number_may_have_an_order_of_its_own(dtype):
    x = np.array([0.5, 3., -1.5, 0.5, 20.], dtype)
    orders = np.array([0, 2, 0, 1, 3], dtype)
    expected = [special.polygamma(x[i], orders[i]) for i in range(len(x))]
    np.testing.assert_allclose(special.polygamma(x, orders), expected, rtol=1e-6 if dtype is np.float32 else 1e-14)


@pytest.mark.parametrize("alpha", [1., 0.7, 3.])
def test_elu_and_celu_keep_the_digits_near_zero(alpha):
    """exp(x) - 1 in double precision, in single by the first terms near 0: each is rounded once."""
    x = np.float32(-10. ** np.concatenate([rng.uniform(-37, 2, 2000), rng.uniform(-5, -3, 2000)]))
    given, scale = x.astype(np.float64), np.float64(np.float32(alpha))
    expected = {"elu": scale * np.expm1(given), "celu": scale * np.expm1(given / scale)}
    for name, exact in expected.items():
        found = getattr(minigrad.nn.functional, name)(minigrad.tensor(x), alpha).numpy().astype(np.float64)
        error = np.abs((found - exact) / np.spacing(np.abs(exact).astype(np.float32))).max()
        assert error < (0.6 if USED_AT_FIRST else 3), name

"""Sample calls of the functions of torch.special that are nowhere else: by integrals, sums and recurrences of NumPy."""

import math
from statistics import NormalDist

import numpy as np

from tests.ops.sampling import T, case, row

ANGLES = (np.arange(400) + 0.5) * np.pi / 400
FAR = np.arange(-3000, 3001) / 400              # along the whole line, for what decays doubly exponentially


def one_by_one(function):
    """A function of numbers as one of arrays."""
    def of_arrays(*arrays):
        arrays = np.broadcast_arrays(*arrays)
        found = [function(*each) for each in zip(*[array.reshape(-1).tolist() for array in arrays])]
        return np.array(found, np.float64).reshape(arrays[0].shape)
    return of_arrays


def integral(function):
    """The mean over half a turn: by the trapezoidal rule, which is exact to all digits here."""
    return one_by_one(lambda x: np.mean(function(x, ANGLES)))


def along_a_line(function):
    return one_by_one(lambda x: 0.5 * np.sum(function(x, FAR)) / 400)


def lower_gamma(a, x):
    """P(a, x), as a power series."""
    term, total, k = 1 / a, 0., a
    while term > 1e-18:
        total, k = total + term, k + 1
        term *= x / k
    return total * x**a * math.exp(-x) / math.gamma(a)


def zeta(s, q):
    """A sum of 2000 terms; the rest is nearly an integral."""
    n = 2000
    return sum([(q + k)**-s for k in range(n)]) + (q + n - 0.5)**(1 - s) / (s - 1) - s / 24 * (q + n - 0.5)**(-s - 1)


def of_degree(base):
    """A family of polynomials of NumPy."""
    return one_by_one(lambda x, n: base.basis(int(n))(x) if n >= 0 else 0)


def turns(function):
    """The Chebyshev polynomials as functions of the angle."""
    return one_by_one(lambda x, n: function(math.acos(x), int(n)) if n >= 0 else 0)


def shifted(function):
    return lambda x, n: function(2 * np.asarray(x) - 1, n)


def unary(name, reference, *cases, **options):
    cases = cases or (case(T(6)), case(T(2, 3)), case(T()), case(T(0)))
    return row(name, *cases, numpy=reference, **{"bad": case(T(3, kind="complex")), **options})


INSIDE, BELOW_ONE = T(2, 5, low=-0.95, high=0.95), T(2, 5, low=0.02, high=0.98)
SMALL, POSITIVE = T(8, low=-2.4, high=2.4), T(8, low=0.1, high=2.4)
RIGHT = T(9, low=0.1, high=12.)
DEGREES = case(T(2, 5, low=-0.9, high=0.9), T(5, values=[0., 1., 2., 5., 12.], grad=False))

FUNCTIONS = [
    unary("special.ndtr", one_by_one(lambda x: 0.5 * math.erfc(-x / math.sqrt(2))), ints=True, node=False),
    unary("special.erfcx", one_by_one(lambda x: math.exp(x * x) * math.erfc(x)), case(T(9, low=-5, high=5)), case(T()),
          ints=True),
    unary("special.log_ndtr", one_by_one(lambda x: math.log(0.5 * math.erfc(-x / math.sqrt(2)))),
          case(T(9, low=-8, high=4)), case(T(2, 3)), ints=True),
    row("hazard", case(T(9, low=-8, high=4)), where="row", torch=False,
        numpy=one_by_one(lambda x: math.exp(-x * x / 2) / math.sqrt(math.pi / 2) / math.erfc(-x / math.sqrt(2)))),
    row("hazard_gap", case(T(9, low=-8, high=4)), where="row", torch=False, numpy=one_by_one(
        lambda x: x + math.exp(-x * x / 2) / math.sqrt(math.pi / 2) / math.erfc(-x / math.sqrt(2)))),
    row("erfcx_slope", case(T(9, low=-4, high=4)), where="row", torch=False, numpy=one_by_one(
        lambda x: 2 * x * math.exp(x * x) * math.erfc(x) - 2 / math.sqrt(math.pi))),
    unary("special.ndtri", one_by_one(NormalDist().inv_cdf), case(BELOW_ONE)),
    unary("erfinv", one_by_one(lambda x: NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2)), case(INSIDE), case(T(0)),
          extra_saved=("result",)),
    unary("special.entr", lambda x: -x * np.log(x), case(T(2, 3, kind="positive")), case(T(0)), ints=True),
    row("special.xlog1py", case(T(2, 3), T(3, kind="positive")), case(T(3), T(2, 1, low=-0.9)), case(T(3), T(3)),
        numpy=lambda x, y: x * np.log1p(y), ints=True, bad=case(T(2), T(3))),
    row("igamma", case(T(9, low=0.2, high=9, grad=False), T(9, low=0.2, high=9)),
        case(T(2, 1, kind="positive", grad=False), T(3, kind="positive")), numpy=one_by_one(lower_gamma),
        bad=case(T(3, kind="complex"), T(3))),
    row("igammac", case(T(9, low=0.2, high=9, grad=False), T(9, low=0.2, high=9)), bad=case(T(2), T(3)),
        numpy=one_by_one(lambda a, x: 1 - lower_gamma(a, x))),
    row("gamma_density", case(T(9, low=0.2, high=9, grad=False), T(9, low=0.2, high=9)), where="row", torch=False,
        numpy=one_by_one(lambda a, x: x**(a - 1) * math.exp(-x) / math.gamma(a))),
    row("special.zeta", case(T(6, low=1.2, high=8, grad=False), T(6, low=0.3, high=6)),
        case(T(values=[2., 3., 2., 5.], grad=False), T(values=[-0.5, -0.5, -4.25, -3.7])), case(2, T(3, low=1, high=3)),
        numpy=one_by_one(zeta), bad=case(T(2, kind="complex"), T(2)), node=False),
    row("mvlgamma", case(T(2, 3, low=1.2, high=9), 3), case(T(4, kind="positive"), 1), case(T(0), 2),
        numpy=lambda x, p: p * (p - 1) / 4 * math.log(math.pi) + sum(
            [one_by_one(math.lgamma)(x - k / 2) for k in range(p)]), bad=case(T(3), 0)),
    row("mvlgamma_derivative", case(T(2, 3, low=1.2, high=9), 3, 0), case(T(3, low=2, high=5), 2, 2), where="row",
        torch=False),
]

BESSEL = [
    unary("i0", integral(lambda x, a: np.exp(x * np.cos(a))), case(T(9, low=-12, high=12)), case(T()), ints=True),
    unary("special.i0e", integral(lambda x, a: np.exp(x * np.cos(a) - abs(x))), case(T(9, low=-12, high=12)),
          ints=True),
    unary("special.i1", integral(lambda x, a: np.exp(x * np.cos(a)) * np.cos(a)), case(T(9, low=-12, high=12)),
          case(T(values=[0.])), ints=True),
    unary("special.i1e", integral(lambda x, a: np.exp(x * np.cos(a) - abs(x)) * np.cos(a)),
          case(T(9, low=-12, high=12)), ints=True),
    row("bessel_i", case(T(9, low=-12, high=12), 3), case(T(4), -2), case(T(values=[0., 9.]), 0), where="row",
        torch=False, numpy=lambda x, n: integral(lambda x, a: np.exp(x * np.cos(a)) * np.cos(n * a))(x)),
    row("bessel_ie", case(T(9, low=-12, high=12), 3), case(T(4), 2), where="row", torch=False,
        numpy=lambda x, n: integral(lambda x, a: np.exp(x * np.cos(a) - abs(x)) * np.cos(n * a))(x)),
    unary("special.modified_bessel_i0", integral(lambda x, a: np.exp(x * np.cos(a))), grad=False, ints=True),
    unary("special.modified_bessel_i1", integral(lambda x, a: np.exp(x * np.cos(a)) * np.cos(a)), grad=False),
    unary("special.modified_bessel_k0", along_a_line(lambda x, t: np.exp(-x * np.cosh(t))), case(RIGHT), grad=False),
    unary("special.modified_bessel_k1", along_a_line(lambda x, t: np.exp(-x * np.cosh(t)) * np.cosh(t)), case(RIGHT),
          grad=False),
    unary("special.scaled_modified_bessel_k0", along_a_line(lambda x, t: np.exp(x - x * np.cosh(t))), case(RIGHT),
          grad=False),
    unary("special.scaled_modified_bessel_k1", along_a_line(lambda x, t: np.exp(x - x * np.cosh(t)) * np.cosh(t)),
          case(RIGHT), grad=False),
    unary("special.bessel_j0", integral(lambda x, a: np.cos(x * np.sin(a))), case(SMALL), grad=False),
    unary("special.bessel_j1", integral(lambda x, a: np.cos(a - x * np.sin(a))), case(SMALL), grad=False),
    unary("special.bessel_y0", None, case(POSITIVE), grad=False),
    unary("special.bessel_y1", None, case(POSITIVE), grad=False),
    unary("special.spherical_bessel_j0", lambda x: np.sin(x) / x, case(T(6)), case(T()), grad=False),
    unary("special.airy_ai", None, case(T(6, low=-1.5, high=3)), grad=False),
]

POLYNOMIALS = [
    row(f"special.{kind}", each, case(T(3, low=0.1, high=0.9), 3), case(0.5, T(3, values=[1., 2., -1.], grad=False)),
        numpy=reference, grad=False, rtol=1e-9, atol=1e-9, bad=case(T(2, kind="complex"), T(2)))
    for kind, each, reference in [
        ("chebyshev_polynomial_t", DEGREES, turns(lambda a, n: math.cos(n * a))),
        ("chebyshev_polynomial_u", DEGREES, turns(lambda a, n: math.sin((n + 1) * a) / math.sin(a))),
        ("chebyshev_polynomial_v", DEGREES, turns(lambda a, n: math.cos((n + 0.5) * a) / math.cos(a / 2))),
        ("chebyshev_polynomial_w", DEGREES, turns(lambda a, n: math.sin((n + 0.5) * a) / math.sin(a / 2))),
        ("shifted_chebyshev_polynomial_t", case(BELOW_ONE, 7), shifted(turns(lambda a, n: math.cos(n * a)))),
        ("shifted_chebyshev_polynomial_u", case(BELOW_ONE, 7),
         shifted(turns(lambda a, n: math.sin((n + 1) * a) / math.sin(a)))),
        ("shifted_chebyshev_polynomial_v", case(BELOW_ONE, 7),
         shifted(turns(lambda a, n: math.cos((n + 0.5) * a) / math.cos(a / 2)))),
        ("shifted_chebyshev_polynomial_w", case(BELOW_ONE, 7),
         shifted(turns(lambda a, n: math.sin((n + 0.5) * a) / math.sin(a / 2)))),
        ("hermite_polynomial_h", DEGREES, of_degree(np.polynomial.Hermite)),
        ("hermite_polynomial_he", DEGREES, of_degree(np.polynomial.HermiteE)),
        ("laguerre_polynomial_l", DEGREES, of_degree(np.polynomial.Laguerre)),
        ("legendre_polynomial_p", DEGREES, of_degree(np.polynomial.Legendre)),
    ]
]

ROWS = FUNCTIONS + BESSEL + POLYNOMIALS

"""Special functions: the error function, the logarithm of the gamma function and its derivatives.

NumPy has none of these, and the standard library only for one number at a time.  The kernels below
compute whole arrays to a few units in the last place; a test compares them with ``math``.
The idea of all three is to treat easy arguments with a series, and to reduce the others to these:

    erf, erfc      a power series near 0; elsewhere exp(-x^2) / (1 + 2x) times a polynomial in
                   t = (x - k) / (x + k), which maps 0 <= x < inf to -1 <= t < 1
                   (M. M. Shepherd and J. G. Laframboise, Math. Comp. 36 (1981), 249)
    lgamma         Stirling's series for x >= 8; a polynomial on [1, 2], and Gamma(x + 1) = x Gamma(x)
                   in between; for x < 0 the reflection Gamma(x) Gamma(-x) = -pi / (x sin(pi x))
    digamma,       the derivatives of Stirling's series for x >= 10, and the recurrence below
    polygamma      (Abramowitz and Stegun, 6.3 and 6.4; polygamma by way of Hurwitz' zeta function)

The polynomials were found by Chebyshev interpolation with 60 digits.

Neighbours: elementary.py (the functions that NumPy has).
"""

import math

import numpy as np

from minigrad._core.errors import error

from ..kinds import METHODS, composite, elementwise
from .arithmetic import keep
from .comparison import eq, le, logical_and, logical_not, refuse
from .elementary import exp, sigmoid

# ------------------------------------------------------------------------------ kernels

#: erf(x) = x * sum of ERF[n] x^(2n), for |x| < 1
ERF = tuple([2 / math.sqrt(math.pi) * (-1)**n / (math.factorial(n) * (2 * n + 1)) for n in range(18)])
#: (1 + 2x) exp(x^2) erfc(x), in powers of t = (x - 3.75) / (x + 3.75)
ERFC = (1.2375126308378275, -0.14024059858554697, 0.0035854154854790257, 0.0822767384901452, -0.10880393014244462,
        0.09230432116037748, -0.05869339857664934, 0.028362277418956406, -0.009746579683265262, 0.0017556258528952954,
        0.000293714378044958, -0.0002901540805408417, 5.164652974177416e-05, 2.238423915508223e-05,
        -1.1438048033346894e-05, -9.73559896736775e-07, 1.7419821586224816e-06, -5.7218230603224086e-08,
        -2.4857126248016745e-07, 2.3263508708859124e-08, 3.197926671666804e-08, -3.744210080962018e-09,
        -2.623107347133476e-09, 3.1114333809799254e-10)
#: the same to the precision of float32
ERFC_SINGLE = (1.2375125885009766, -0.1402406543493271, 0.003585495287552476, 0.08227842301130295, -0.10880522429943085,
               0.09229076653718948, -0.05868544057011604, 0.02840925194323063, -0.009770086966454983,
               0.0016759121790528297, 0.00033016744819001043, -0.00022411675308831036, 2.2046719095669687e-05)
#: lgamma(x) / ((x - 1)(x - 2)) for 1 <= x <= 2, in powers of t = 2x - 3
LGAMMA = (0.4831289505409809, -0.07297994795715304, 0.015727850268641094, -0.003913560937626182, 0.0010498186644547402,
          -0.0002945507015196472, 8.510090373499432e-05, -2.5094328668947195e-05, 7.511391855641883e-06,
          -2.2742474102383936e-06, 6.948428064186312e-07, -2.1386323384115519e-07, 6.623878077265301e-08,
          -2.0621027431854287e-08, 6.430260727636965e-09, -2.016947955623982e-09, 6.566403819263112e-10,
          -2.0874620693971093e-10, 5.0258222095609345e-11, -1.5395748006420787e-11, 1.1586115295157278e-11,
          -3.803618166622364e-12)
#: the Bernoulli numbers B2, B4, ... B20
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def polynomial(coefficients, x):
    """c0 + c1 x + c2 x^2 + ... by Horner's rule."""
    total = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        total *= x
        total += c
    return total


def in_double(function):
    """The kernel that computes in float64, on an array with at least one dim, and returns the dtype of its input."""
    def kernel(self, *parameters):
        x = np.atleast_1d(self).astype(np.float64, copy=False)
        return function(x, *parameters).astype(self.dtype, copy=False).reshape(self.shape)
    return kernel


def in_single_or_double(function):
    """The same, but float32 and half are computed in float32: half the terms, half the memory."""
    def kernel(self):
        x = np.atleast_1d(self).astype(np.float64 if self.dtype == np.float64 else np.float32, copy=False)
        return function(x).astype(self.dtype, copy=False).reshape(self.shape)
    return kernel


def erfc_upwards(x):
    """erfc for x >= 0."""
    double = x.dtype == np.float64
    x = np.minimum(x, 28 if double else 11)     # where erfc is 0
    # x^2 needs more digits than there are: exp(-x^2) = exp(-near^2) exp(near^2 - x^2), where near is x with half
    # of its bits, so that near^2 is exact.
    near = (x.view(np.int64) & -(1 << 27)).view(x.dtype) if double else (x.view(np.int32) & -(1 << 12)).view(x.dtype)
    out = polynomial(ERFC if double else ERFC_SINGLE, (x - 3.75) / (x + 3.75))
    out *= np.exp((near - x) * (near + x))
    out *= np.exp(-near * near)
    out /= 1 + 2 * x
    return out


def erf_series(x):
    return x * polynomial(ERF if x.dtype == np.float64 else ERF[:11], x * x)


def erf_array(x):
    size = np.abs(x)
    small = size < 1
    out = np.empty_like(x)
    out[small] = erf_series(x[small])
    out[~small] = np.copysign(1 - erfc_upwards(size[~small]), x[~small])
    return out


def erfc_array(x):
    tail = erfc_upwards(np.abs(x))
    return np.where(x < 0, 2 - tail, tail)


def normal_cdf_array(x):
    tail = erfc_upwards(np.abs(x) * x.dtype.type(math.sqrt(0.5)))
    tail *= 0.5
    return np.where(x < 0, tail, 1 - tail)


def lgamma_upwards(x):
    """lgamma for x >= 0."""
    out = np.empty_like(x)
    large = x >= 8
    y = x[large]
    series = polynomial([b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1)], 1 / (y * y)) / y
    out[large] = (y - 0.5) * (np.log(y) - 1) + (math.log(2 * math.pi) - 1) / 2 + series
    y = x[~large]
    whole = np.floor(y)
    part = y - whole                    # exact, and so are the zeros at 1 and 2
    factors = np.where(whole == 0, y, 1)
    for k in range(1, 7):
        factors = np.where(whole > k, factors * (y - k), factors)
    out[~large] = part * (part - 1) * polynomial(LGAMMA, 2 * part - 1) + np.where(whole == 0, -1, 1) * np.log(factors)
    return out


def lgamma_double(x):
    out = lgamma_upwards(np.abs(x))
    below = x < 0
    y = x[below]
    sine = np.abs(np.sin(math.pi * (y - np.rint(y))))
    out[below] = math.log(math.pi) - np.log(sine) - np.log(-y) - out[below]
    out[np.isinf(x)] = np.inf
    return out


def digamma_double(x):
    below = x < 0
    y = np.where(below, 1 - x, x)
    out = np.zeros_like(x)
    for _ in range(10):
        early = y < 10
        out[early] -= 1 / y[early]
        y[early] += 1
    out += np.log(y) - 0.5 / y - polynomial([b / (2 * k) for k, b in enumerate(BERNOULLI, 1)], 1 / (y * y)) / (y * y)
    off = x[below] - np.rint(x[below])  # psi(x) = psi(1 - x) - pi / tan(pi x), which has no value at integers
    out[below] -= np.where(off == 0, np.nan, math.pi / np.tan(math.pi * off))
    return out


#: the intermediate results of this many numbers stay in the cache together
ZETA_BLOCK = 8192


def zeta(s, q):
    """Hurwitz' zeta function for q >= 0, the sum of (q + k)^-s over k >= 0, by the formula of Euler and Maclaurin."""
    if q.size > ZETA_BLOCK:
        return np.concatenate([zeta(s, part) for part in np.split(q, range(ZETA_BLOCK, q.size, ZETA_BLOCK))])
    q = q.copy()
    out = np.zeros_like(q)
    for _ in range(10 + int(s)):        # one pass for each step up
        early = q < 10 + s
        if not early.any():
            break
        out[early] += q[early]**-s
        q[early] += 1
    out += q**(1 - s) / (s - 1) + 0.5 * q**-s
    term = s * q**(-s - 1)
    for k, b in enumerate(BERNOULLI, 1):
        out += b / math.factorial(2 * k) * term
        term = term * ((s + 2 * k - 1) * (s + 2 * k)) / (q * q)
    return out


def polygamma_double(x, n):
    """(-1)^s n! times the sum of (x + k)^-s over k >= 0, with s = n + 1.

    Below zero the terms with x + k < 0 are a sum of their own, which is finite::

                          x                    -u     0     1 - u
        --|---------|-----o---|---------|-------o-----|-------o----|--->
                       1 - x away            u away

    There |x + k| is u, u + 1, ... -x: a difference of two zeta functions.
    """
    if n < 0:
        raise error("MG204", f"polygamma(n, x) does not support negative n, but n is {n}")
    if n == 0:
        return digamma_double(x)
    s = min(n + 1.0, 171.0)             # from 171 on n! is inf, and only the sign of the sum counts
    sign = (-1)**(n + 1)
    scale = sign * (math.factorial(n) if n <= 170 else math.inf)
    total = np.abs(x)
    below = x < 0
    if not below.any():
        return scale * zeta(s, total.ravel()).reshape(x.shape)
    y = x[below]
    u = np.ceil(y) - y
    total[below] = 1 - u
    total, *others = np.split(zeta(s, np.concatenate([total.ravel(), u, 1 - y])), [x.size, x.size + y.size])
    total = total.reshape(x.shape)
    total[below] = np.where(u == 0, np.inf, (total[below] + sign * others[0]) - sign * others[1])
    return scale * total

# ------------------------------------------------------------------------------ rows

erf = elementwise("erf(Tensor self)", in_single_or_double(erf_array),
                  self=lambda d, self: d * (2 / math.sqrt(math.pi) * exp(-(self * self))),
                  promote="float", refuse="c", doc="""
The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``.

>>> torch.erf(torch.tensor([0., -1., 10.]))
tensor([ 0.0000, -0.8427,  1.0000])
""")

erfc = elementwise("erfc(Tensor self)", in_single_or_double(erfc_array),
                   self=lambda d, self: d * (-2 / math.sqrt(math.pi) * exp(-(self * self))),
                   promote="float", refuse="c", doc="""
``1 - erf(self)``, exact even where that is small.

>>> torch.erfc(torch.tensor([0., -1., 2.]))
tensor([1.0000, 1.8427, 0.0047])
""")

normal_cdf = elementwise("normal_cdf(Tensor self)", in_single_or_double(normal_cdf_array),
                         self=lambda d, self: d * (exp(-0.5 * (self * self)) * (1 / math.sqrt(2 * math.pi))),
                         promote="float", refuse="c", public=False,
                         doc="The distribution function of the normal distribution, exact in its tails too.")

lgamma = elementwise("lgamma(Tensor self)", in_double(lgamma_double),
                     self=lambda d, self: d * digamma(self),
                     promote="float", refuse="c", inplace_function=False, doc="""
The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers.

>>> torch.lgamma(torch.tensor([1., 5.]))
tensor([0.0000, 3.1781])
""")

digamma = elementwise("digamma(Tensor self)", in_double(digamma_double),
                      self=lambda d, self: d * polygamma_row(self, 1),
                      promote="float", refuse="c", inplace_function=False, doc="""
The derivative of ``lgamma``.

>>> torch.digamma(torch.tensor([1., 0.5]))
tensor([-0.5772, -1.9635])
""")

polygamma_row = elementwise("polygamma(Tensor self, int n)", in_double(polygamma_double),
                            self=lambda d, self, n: d * polygamma_row(self, n + 1),
                            node="PolygammaBackward0", inplace_node="PolygammaBackward1", promote="float", refuse="c",
                            public=False, inplace=True, inplace_function=False, doc="""
The derivative of order ``n`` of ``digamma``: ``torch.polygamma(n, self)``.

>>> torch.tensor([1., 0.5]).polygamma(1)
tensor([1.6449, 4.9348])
""")
METHODS["polygamma"] = polygamma_row


@composite(method=False)
def polygamma(n, input):
    """The derivative of order ``n`` of ``digamma``.

    >>> torch.polygamma(1, torch.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
    return polygamma_row(input, n)


def clipped(self, eps):
    if eps is None:
        return self
    if eps <= 0.5:
        return np.clip(self, eps, 1 - eps)
    lowest, highest = self.dtype.type(eps), self.dtype.type(1 - eps)        # crossed: np.clip would take the other one
    return np.where(self < eps, lowest, np.where(self > 1 - eps, highest, self))


def logit_kernel(self, eps):
    x = clipped(self, eps)
    return np.log(x / (1 - x))


def logit_slope_kernel(self, eps):
    slope = 1 / (self * (1 - self))
    lowest, beyond = (0, np.nan) if eps is None else (eps, 0)
    return np.where((self >= lowest) & (self <= 1 - lowest), slope, self.dtype.type(beyond))


logit_slope = elementwise("logit_slope(Tensor self, float? eps)", logit_slope_kernel,
                          self=lambda d, self, result: d * ((2 * self - 1) * result * result),
                          promote="float", public=False,
                          doc="1 / (x (1 - x)) from eps to 1 - eps and 0 beyond; without eps, nan beyond 0 and 1.")

logit = elementwise("logit(Tensor self, float? eps=None)", logit_kernel,
                    self=lambda d, self, eps: d * logit_slope(self, eps),
                    promote="float", refuse="c", doc="""
``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps].

>>> torch.logit(torch.tensor([0.5, 0.9]))
tensor([0.0000, 2.1972])
""")


xlogy = elementwise("xlogy(Tensor self, Tensor other)",
                    lambda self, other: np.where((self == 0) & (other == other), 0, self * np.log(other)),
                    self=lambda d, self, other:
                    keep(xlogy(d, other), logical_not(logical_and(eq(self, 0), le(other, 0)))),
                    other=lambda d, self, other: d * self / other,
                    promote="float", refuse="c", inplace_function=True, doc="""
``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies.

>>> torch.xlogy(torch.tensor([0., 1., 2.]), torch.tensor([0., 2., 2.]))
tensor([0.0000, 0.6931, 1.3863])
""")


def logaddexp_kernel(self, other):
    refuse(self, "biu", "logaddexp")
    if self.dtype.kind != "c":
        return np.logaddexp(self, other)
    smaller = self.real < other.real
    least, most = np.where(smaller, self, other), np.where(smaller, other, self)
    return np.where(least == -np.inf, most, most + np.log1p(np.exp(least - most)))


logaddexp = elementwise("logaddexp(Tensor self, Tensor other)", logaddexp_kernel,
                        self=lambda d, self, other: d * sigmoid(self - other),
                        other=lambda d, self, other: d * sigmoid(other - self), inplace=False, fast=np.logaddexp,
                        doc="""
``log(exp(self) + exp(other))``, without overflow.

>>> torch.logaddexp(torch.tensor([-1., 100.]), torch.tensor([-1., 100.]))
tensor([ -0.3069, 100.6931])
""")

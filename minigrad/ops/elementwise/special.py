"""Special functions: the error function, the logarithm of the gamma function and its derivatives.

NumPy has none of these: the core has them as ufuncs, whose errors and sources are in
_core/kernels/loops/special_functions.pyx.

Neighbours: elementary.py (the functions that NumPy has).
"""

import math

import numpy as np

from minigrad._core.errors import error
from minigrad._core.kernels.loops import special_functions

from ..composites import composite
from ..exports import METHODS
from ..kinds import elementwise
from .arithmetic import keep
from .comparison import eq, le, logical_and, logical_not, refuse
from .elementary import exp, sigmoid


def polygamma_kernel(self, n):
    if n < 0:
        raise error("MG204", f"polygamma(n, x) does not support negative n, but n is {n}")
    return special_functions.polygamma(self, self.dtype.type(n))

# ------------------------------------------------------------------------------ rows

erf = elementwise("erf(Tensor self)", special_functions.erf,
                  self=lambda d, self: d * (2 / math.sqrt(math.pi) * exp(-(self * self))),
                  promote="float", refuse="c", aliases=("special_erf",), doc="""
The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``.

>>> torch.erf(torch.tensor([0., -1., 10.]))
tensor([ 0.0000, -0.8427,  1.0000])
""")

erfc = elementwise("erfc(Tensor self)", special_functions.erfc,
                   self=lambda d, self: d * (-2 / math.sqrt(math.pi) * exp(-(self * self))),
                   promote="float", refuse="c", aliases=("special_erfc",), doc="""
``1 - erf(self)``, exact even where that is small.

>>> torch.erfc(torch.tensor([0., -1., 2.]))
tensor([1.0000, 1.8427, 0.0047])
""")

normal_cdf = elementwise("special_ndtr(Tensor self)", special_functions.normal_cdf,
                         self=lambda d, self: d * (exp(-0.5 * (self * self)) * (1 / math.sqrt(2 * math.pi))),
                         promote="float", refuse="c", doc="""
The distribution function of the normal distribution: the probability of less than ``self``. Exact in its tails too.

>>> torch.special.ndtr(torch.tensor([-1., 0., 2.]))
tensor([0.1587, 0.5000, 0.9772])
""")

lgamma = elementwise("lgamma(Tensor self)", special_functions.lgamma,
                     self=lambda d, self: d * digamma(self),
                     promote="float", refuse="c", inplace_function=False, aliases=("special_gammaln",), doc="""
The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers.

>>> torch.lgamma(torch.tensor([1., 5.]))
tensor([0.0000, 3.1781])
""")

digamma = elementwise("digamma(Tensor self)", special_functions.digamma,
                      self=lambda d, self: d * polygamma_row(self, 1),
                      promote="float", refuse="c", inplace_function=False,
                      aliases=("special_digamma", "special_psi"), doc="""
The derivative of ``lgamma``.

>>> torch.digamma(torch.tensor([1., 0.5]))
tensor([-0.5772, -1.9635])
""")

polygamma_row = elementwise("polygamma(Tensor self, int n)", polygamma_kernel,
                            self=lambda d, self, n: d * polygamma_row(self, n + 1),
                            node="PolygammaBackward0", inplace_node="PolygammaBackward1", promote="float", refuse="c",
                            public=False, fast=special_functions.polygamma, inplace=True, inplace_function=False,
                            shown="polygamma", doc="""
The derivative of order ``n`` of ``digamma``: ``torch.polygamma(n, self)``.

>>> torch.tensor([1., 0.5]).polygamma(1)
tensor([1.6449, 4.9348])
""")
METHODS["polygamma"] = polygamma_row


@composite(method=False, aliases=("special_polygamma",))
def polygamma(n, input):
    """The derivative of order ``n`` of ``digamma``.

    >>> torch.polygamma(1, torch.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
    return polygamma_row(input, n)


def clipped(self, eps):
    if eps is None or eps < 0:
        return self
    eps = self.dtype.type(eps)
    if eps <= 0.5:
        return np.clip(self, eps, 1 - eps)
    return np.where(self < eps, eps, np.where(self > 1 - eps, 1 - eps, self))   # crossed: np.clip takes the other one


def logit_kernel(self, eps):
    x = clipped(self, eps)
    return np.log(x / (1 - x))


def logit_slope_kernel(self, eps):
    slope = 1 / (self * (1 - self))
    lowest, beyond = (0, np.nan) if eps is None or eps < 0 else (self.dtype.type(eps), 0)
    return np.where((self >= lowest) & (self <= 1 - lowest), slope, self.dtype.type(beyond))


logit_slope = elementwise("logit_slope(Tensor self, float? eps)", logit_slope_kernel,
                          self=lambda d, self, result: d * ((2 * self - 1) * result * result),
                          promote="float", public=False,
                          fast=(special_functions.logit_slope, "self", ("eps", -1)),
                          shown="logit",
                          doc="1 / (x (1 - x)) from eps to 1 - eps and 0 beyond; without eps, nan beyond 0 and 1.")

logit = elementwise("logit(Tensor self, float? eps=None)", logit_kernel,
                    self=lambda d, self, eps: d * logit_slope(self, eps),
                    promote="float", refuse="c", fast=(special_functions.logit, "self", ("eps", -1)),
                    aliases=("special_logit",), doc="""
``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps].

>>> torch.logit(torch.tensor([0.5, 0.9]))
tensor([0.0000, 2.1972])
""")


xlogy = elementwise("xlogy(Tensor self, Tensor other)",
                    lambda self, other: np.where((self == 0) & (other == other), 0, self * np.log(other)),
                    # where self is 0, self + other is other, which may be a number
                    self=lambda d, self, other:
                    keep(xlogy(d, other), logical_not(logical_and(eq(self, 0), le(self + other, 0)))),
                    other=lambda d, self, other: d * self / other,
                    promote="float", refuse="c", or_numbers=("self", "other"), inplace_function=True,
                    fast=special_functions.xlogy,
                    aliases=("special_xlogy",), doc="""
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
                        other=lambda d, self, other: d * sigmoid(other - self), inplace=False,
                        fast=special_functions.logaddexp, doc="""
``log(exp(self) + exp(other))``, without overflow.

>>> torch.logaddexp(torch.tensor([-1., 100.]), torch.tensor([-1., 100.]))
tensor([ -0.3069, 100.6931])
""")

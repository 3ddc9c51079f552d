"""The incomplete gamma functions, the gamma function of matrices, and Hurwitz' zeta function.

With respect to their first argument the incomplete gamma functions and zeta have no derivative in closed form.  As in
PyTorch, it is refused when a backward pass asks for it.  What they are computed with is in _core/kernels/loops/gammas.h
and _core/kernels/loops/special_functions.pyx.

Neighbours: special.py (the gamma function's logarithm and its derivatives).
"""

import math

import numpy as np

from minigrad._core.errors import error
from minigrad._core.forward.dual_tensors import level_is_open
from minigrad._core.kernels.loops import special_functions

from ..kinds import elementwise, linear


def underived_kernel(d, what):
    raise not_implemented(what)


underived = linear("underived(Tensor d, str what)", underived_kernel,
                   d=lambda t, what: underived(t, what),
                   public=False, last_dims=0, doc="Takes the place of a derivative that is missing, and raises.")

gamma_density = elementwise("gamma_density(Tensor self, Tensor other)", special_functions.gamma_density,
                            self=lambda d: underived(d, "igamma: input"),
                            other=lambda d, self, other, result: d * result * ((self - 1) / other - 1),
                            public=False, doc="other^(self - 1) exp(-other) / Gamma(self).")

igamma = elementwise("igamma(Tensor self, Tensor other)", special_functions.igamma,
                     self=lambda d: underived(d, "igamma: input"),
                     other=lambda d, self, other: d * gamma_density(self, other),
                     promote="float", refuse="c", inplace_function=False, aliases=("special_gammainc",), doc="""
The regularised lower incomplete gamma function P(a, x), the integral of t^(a - 1) exp(-t) / Gamma(a) from 0 to x.

``self`` is a and ``other`` is x; both are at least 0. There is a gradient with respect to x alone.

>>> torch.igamma(torch.tensor([1., 2., 3.]), torch.tensor([1., 1., 1.]))
tensor([0.6321, 0.2642, 0.0803])
""")

igammac = elementwise("igammac(Tensor self, Tensor other)", special_functions.igammac,
                      self=lambda d: underived(d, "igammac: input"),
                      other=lambda d, self, other: -d * gamma_density(self, other),
                      promote="float", refuse="c", inplace_function=False, aliases=("special_gammaincc",), doc="""
The regularised upper incomplete gamma function, ``1 - igamma(self, other)``, exact even where that is small.

>>> torch.igammac(torch.tensor([1., 2., 3.]), torch.tensor([1., 1., 50.]))
tensor([3.6788e-01, 7.3576e-01, 2.5093e-19])
""")

special_zeta = elementwise("special_zeta(Tensor self, Tensor other)", special_functions.hurwitz_zeta,
                           self=lambda d: underived(d, "zeta"),
                           other=lambda d, self, other: -d * self * special_zeta(self + 1, other),
                           promote="float", refuse="c", or_numbers=("self", "other"), doc="""
Hurwitz' zeta function: the sum of ``(other + k)^-self`` over all k from 0 on; Riemann's, where ``other`` is 1.

>>> torch.special.zeta(torch.tensor([2., 4.]), torch.tensor(1.))
tensor([1.6449, 1.0823])
""")


#: A sum of more terms would take minutes.
MOST_ROWS = 2 ** 20


def over_terms(self, p, function):
    """The sum of a function over self, self - 1/2, ... self - (p - 1) / 2."""
    if not 1 <= p <= MOST_ROWS:
        raise no_such_matrix(p)
    out = function(self)
    for k in range(1, p):
        out = out + function(self - self.dtype.type(k / 2))
    return out


def mvlgamma_kernel(self, p):
    constant = self.dtype.type(p * (p - 1) / 4 * math.log(math.pi))
    return np.asarray(over_terms(self, p, special_functions.lgamma) + constant, self.dtype)


mvlgamma_derivative = elementwise(
    "mvlgamma_derivative(Tensor self, int p, int n)",
    lambda self, p, n: np.asarray(over_terms(self, p, lambda x: special_functions.polygamma(x, self.dtype.type(n)))),
    self=lambda d, self, p, n: d * mvlgamma_derivative(self, p, n + 1),
    promote="float", public=False, shown="mvlgamma", doc="The derivative of ``mvlgamma`` of order n + 1.")

mvlgamma = elementwise("mvlgamma(Tensor self, int p)", mvlgamma_kernel,
                       self=lambda d, self, p: d * mvlgamma_derivative(self, p, 0),
                       promote="float", refuse="bc", refusal="The input tensor may not be a boolean tensor.",
                       aliases=("special_multigammaln",), inplace=True, inplace_function=False, layout="rows", doc="""
The logarithm of the gamma function of matrices of ``p`` rows: a sum of ``lgamma(self - k / 2)`` over k from 0 to p - 1.

>>> torch.mvlgamma(torch.tensor([2., 5.]), 2)
tensor([0.4516, 6.2042])
""")


# ------------------------------------------------------------------------------ errors

def not_implemented(what):
    why = "It has no closed form; only that with respect to the second argument has one: detach the first"
    if level_is_open():
        return error("MG305", f"Trying to use forward AD with {what.partition(':')[0]} that does not support it "
                              f"because it has not been implemented yet: the derivative for '{what}'. {why}")
    return error("MG305", f"the derivative for '{what}' is not implemented. {why}")


def no_such_matrix(p):
    return error("MG204", f"mvlgamma(): p has to be greater than or equal to 1, and at most {MOST_ROWS}, but is {p}: "
                          "it is the number of rows of a matrix")

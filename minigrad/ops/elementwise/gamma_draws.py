"""How random numbers of the gamma and beta distributions change with their parameters.

Note [Gradients of a draw]
--------------------------
A draw x(a) of a distribution F(x, a) keeps its cumulative probability u when its parameter a changes::

    F(x(a), a) = u     so, by the implicit function theorem,     dx/da = -(dF/da) / p(x)

(Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).  The derivative of F in a is the integral
of p(t) s(t), with the score s(t) = d log p(t) / da: log t - psi(a) for gamma.  Its mean is 0, so the integral over the
tail above x is the same with the other sign, and the smaller tail is taken::

            x < mean                     x > mean
         ___                          ___
       _/###\\                        /   \\_
      /####|                             |##\\__        t = x exp(-u)   or   t = x exp(u)
     0     x                             x

For beta it is t / (1 - t) that shrinks or grows.  With u the integrand, divided by p(x), is smooth and falls at least
exponentially from u = 0.  Where it has fallen below exp(-40) it is cut, and Gauss-Legendre quadrature with 48 nodes
does the rest.

A small a would spoil this below x: t^a falls over u = 1 / a while other factors change over u = 1, too quickly for so
distant nodes, and the positive and negative parts of the integral nearly cancel.  So we first integrate by parts::

    gamma     F(x, a) = F(x, a + 1) + x p(x) / a
    beta      F(x, a, b) = F(x, a + 1, b) + x (1 - x) p(x) / a         below x
                         = F(x, a, b + 1) - x (1 - x) p(x) / b         above x, where a small b does the same

The last term has an exact derivative, of the same sign as that of the integral that remains, so no digits are lost.
For parameters of 1e-3 to 1e4 and numbers that are likely, the gradients are correct to about 1e-8.
"""

import functools

import numpy as np

from minigrad._core.kernels.loops import special_functions

from ..kinds import elementwise
from .gammas import underived

NODES = 48
FALL = 40.0


@functools.cache
def nodes():
    """[(node, weight)] of Gauss-Legendre quadrature over [0, 1]."""
    places, weights = np.polynomial.legendre.leggauss(NODES)
    return list(zip((places + 1) / 2, weights / 2))


def integrated(exponent, slope, factor, end):
    """The integral of exp(exponent(u)) factor(u) from 0 to where the exponent, which is 0 and falls, is -FALL.

    ``end`` is at least that place.  Newton's method finds it from there, because the exponent is concave.
    """
    for _ in range(12):
        end = end - np.maximum((exponent(end) + FALL) / np.minimum(slope(end), -1e-300), 0.0)
    total = np.zeros_like(end)
    for node, weight in nodes():
        u = end * node
        total += weight * np.exp(exponent(u)) * factor(u)
    return total * end


def gamma_gradient(a, x):
    """dx/da of a standard gamma number, in double precision."""
    log_x, psi = np.log(x), special_functions.digamma
    score, next_score = log_x - psi(a), log_x - psi(a + 1)
    below = integrated(lambda u: -(a + 1) * u - x * np.expm1(-u), lambda u: -(a + 1) + x * np.exp(-u),
                       lambda u: next_score - u, (FALL + x) / (a + 1))
    with np.errstate(all="ignore"):
        end = np.minimum(np.sqrt(2 * FALL / x), np.maximum(1.3, np.log1p(2 * FALL / x)))
        above = integrated(lambda u: a * u - x * np.expm1(u), lambda u: a - x * np.exp(u), lambda u: score + u, end)
    return x * np.where(x <= a, -(next_score + x * below) / a, above)


def beta_gradient(x, a, b):
    """dx/da of a number of the beta distribution (a, b), divided by 1 - x."""
    y, total = 1 - x, a + b
    log_x, psi = np.log(x), special_functions.digamma

    def tail(falling, other, power, score):
        """Where falling : other, which are x and y or y and x, becomes falling exp(-u) : other."""
        def log_sum(u):
            return np.log(falling * np.exp(-u) + other)         # divides them, so that they still add up to 1
        return integrated(lambda u: -power * u - (total + 1) * log_sum(u),
                          lambda u: -power + (total + 1) * falling / (falling + other * np.exp(u)),
                          lambda u: score(u) - log_sum(u), (FALL - (total + 1) * np.log(other)) / power)
    score, next_score = log_x - psi(a), log_x - psi(a + 1)
    psi_total, psi_next = psi(total), psi(total + 1)
    below = next_score + psi_total + x * total * tail(x, y, a + 1, lambda u: next_score + psi_next - u)
    above = score + psi_total + y * total * tail(y, x, b + 1, lambda u: score + psi_next)
    return x * np.where(x * total <= a, -below / a, above / b)


def in_doubles(function):
    """A kernel that computes with float64, in the shape of all operands."""
    def kernel(*operands):
        wide = np.broadcast_arrays(*[np.asarray(each, np.float64) for each in operands])
        with np.errstate(all="ignore"):
            return np.asarray(function(*wide)).astype(operands[0].dtype)
    return kernel


standard_gamma_grad = elementwise(
    "standard_gamma_grad(Tensor self, Tensor output)", in_doubles(gamma_gradient),
    self=lambda d: underived(d, "_standard_gamma_grad"), output=lambda d: underived(d, "_standard_gamma_grad"),
    public=False, doc="The derivative of a standard gamma number with respect to its concentration ``self``.")

dirichlet_grad = elementwise(
    "dirichlet_grad(Tensor x, Tensor alpha, Tensor total)",
    in_doubles(lambda x, alpha, total: beta_gradient(x, alpha, total - alpha)),
    x=lambda d: underived(d, "_dirichlet_grad"), alpha=lambda d: underived(d, "_dirichlet_grad"),
    total=lambda d: underived(d, "_dirichlet_grad"), public=False,
    doc="The derivative of one share of a Dirichlet draw with respect to its concentration, divided by 1 - x.")

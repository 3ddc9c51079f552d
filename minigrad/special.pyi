"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph.graph import Tensor as Tensor
from minigrad._core.graph.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares


def airy_ai(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Airy's function: oscillating for negative numbers, and decreasing from 0 on."""

def bessel_j0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0."""

def bessel_j1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1."""

def bessel_y0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0, for positive numbers."""

def bessel_y1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1, for positive numbers."""

def chebyshev_polynomial_t(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Chebyshev polynomial of the first kind of degree ``n``: ``cos(n a)`` as a function of ``x = cos(a)``."""

def chebyshev_polynomial_u(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Chebyshev polynomial of the second kind: ``sin((n + 1) a) / sin(a)``, ``x = cos(a)``."""

def chebyshev_polynomial_v(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Chebyshev polynomial of the third kind: ``cos((n + 1/2) a) / cos(a / 2)``, ``x = cos(a)``."""

def chebyshev_polynomial_w(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Chebyshev polynomial of the fourth kind: ``sin((n + 1/2) a) / sin(a / 2)``, ``x = cos(a)``."""

def digamma(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of ``lgamma``."""

def entr(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``-self * log(self)``, of which an entropy is the sum: 0 at 0, and -inf for negative numbers."""

def erf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""

def erfc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``1 - erf(self)``, exact even where that is small."""

def erfcx(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self^2) * erfc(self)``, which for large numbers is neither 0 nor inf times 0."""

def erfinv(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``erf``, for numbers from -1 to 1."""

def exp2(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Two to the power of ``self``."""

def expit(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""

def expm1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self) - 1``, exact even for small ``self``."""

def gammainc(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The regularised lower incomplete gamma function P(a, x), the integral of t^(a - 1) exp(-t) / Gamma(a) from 0 to x."""

def gammaincc(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The regularised upper incomplete gamma function, ``1 - igamma(self, other)``, exact even where that is small."""

def gammaln(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers."""

def hermite_polynomial_h(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The physicists' Hermite polynomial, orthogonal with the weight ``exp(-x^2)``."""

def hermite_polynomial_he(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The probabilists' Hermite polynomial, orthogonal with the weight ``exp(-x^2 / 2)``."""

def i0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, which grows like ``exp(abs(self))``."""

def i0e(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``i0(self) * exp(-abs(self))``, without overflow."""

def i1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, the derivative of ``i0``."""

def i1e(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``i1(self) * exp(-abs(self))``, without overflow."""

def laguerre_polynomial_l(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Laguerre polynomial, orthogonal for positive numbers with the weight ``exp(-x)``."""

def legendre_polynomial_p(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Legendre polynomial, orthogonal from -1 to 1."""

def log1p(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(1 + self)``, exact even for small ``self``."""

def log_ndtr(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(ndtr(self))``, even where the probability is too small for a number."""

def log_softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logit(self: Tensor, eps: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""

def logsumexp(self: Tensor, dim: Dims, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""

def modified_bessel_i0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``i0`` without a derivative."""

def modified_bessel_i1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``i1`` without a derivative."""

def modified_bessel_k0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0, for positive numbers."""

def modified_bessel_k1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1, for positive numbers."""

def multigammaln(self: Tensor, p: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the gamma function of matrices of ``p`` rows: a sum of ``lgamma(self - k / 2)`` over k from 0 to p - 1."""

def ndtr(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The distribution function of the normal distribution: the probability of less than ``self``. Exact in its tails too."""

def ndtri(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``ndtr``: the number below which a normal variable is with this probability."""

def polygamma(n: _int, input: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of order ``n`` of ``digamma``."""

def psi(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of ``lgamma``."""

@overload
def round(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""
@overload
def round(self: Tensor, *, decimals: _int, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The nearest integer, or the nearest number with this many ``decimals``; halves go to the even one."""

def scaled_modified_bessel_k0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``modified_bessel_k0(self) * exp(self)``, without underflow."""

def scaled_modified_bessel_k1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``modified_bessel_k1(self) * exp(self)``, without underflow."""

def shifted_chebyshev_polynomial_t(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``chebyshev_polynomial_t`` at ``2 x - 1``, for x from 0 to 1."""

def shifted_chebyshev_polynomial_u(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``chebyshev_polynomial_u`` at ``2 x - 1``, for x from 0 to 1."""

def shifted_chebyshev_polynomial_v(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``chebyshev_polynomial_v`` at ``2 x - 1``, for x from 0 to 1."""

def shifted_chebyshev_polynomial_w(self: Tensor, n: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``chebyshev_polynomial_w`` at ``2 x - 1``, for x from 0 to 1."""

def sinc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``sin(pi x) / (pi x)``, and 1 at 0. Its derivatives are accurate near 0, too."""

def softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def spherical_bessel_j0(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``sin(self) / self``, and 1 at 0."""

def xlog1py(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * log1p(other)``, and 0 where ``self`` is 0, whatever the logarithm is."""

def xlogy(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""

def zeta(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Hurwitz' zeta function: the sum of ``(other + k)^-self`` over all k from 0 on; Riemann's, where ``other`` is 1."""

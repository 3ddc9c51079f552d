"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph import Tensor as Tensor
from minigrad._core.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares


def digamma(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The derivative of ``lgamma``."""

def erf(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The error function: 2/sqrt(pi) times the integral of exp(-t^2) from 0 to ``self``."""

def erfc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``1 - erf(self)``, exact even where that is small."""

def exp2(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Two to the power of ``self``."""

def expit(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logistic function ``1 / (1 + exp(-self))``, with slope ``s * (1 - s)``."""

def expm1(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self) - 1``, exact even for small ``self``."""

def gammaln(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function, which extends (n - 1)! to all numbers."""

def log1p(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(1 + self)``, exact even for small ``self``."""

def log_softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(softmax(self))`` over ``dim``, without overflow; ``dtype`` converts the input first."""

def logit(self: Tensor, eps: _float | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``log(x / (1 - x))``, the inverse of ``sigmoid``; with ``eps``, x is first clamped to [eps, 1 - eps]."""

def logsumexp(self: Tensor, dim: Dims, keepdim: _bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """log(sum(exp(x))) over one dim or several, without overflow; its gradient is softmax(x)."""

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

def sinc(self: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``sin(pi x) / (pi x)``, and 1 at 0. Its derivatives are accurate near 0, too."""

def softmax(self: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``exp(self)`` divided by its sum over ``dim``; ``dtype`` converts the input first."""

def xlogy(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``self * log(other)``, and 0 where ``self`` is 0, whatever the logarithm is: as in entropies."""

"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph.graph import Tensor as Tensor
from minigrad._core.graph.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares


def fft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The discrete Fourier transform over one dim, of ``n`` points."""

def fft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The discrete Fourier transform over two dims, which are the last ones."""

def fftfreq(n: _int, d: _float = 1.0, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The frequencies in the result of ``fft`` of ``n`` points at distances of ``d``, in their order."""

def fftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The discrete Fourier transform over several dims, or all."""

def fftshift(input: Tensor, dim: Dims | None = None) -> Tensor:
    """A spectrum with the frequency 0 in the middle, and not at the beginning, along some dims or all."""

def hfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of a Hermitian signal, of which a half is given: ``n`` real numbers, by default an even number."""

def hfft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform over two dims of a signal that is Hermitian along the last one, which is given by its half."""

def hfftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of a signal that is Hermitian along the last of the dims, and given by its half there."""

def ifft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``fft``."""

def ifft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``fft2``."""

def ifftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``fftn``."""

def ifftshift(input: Tensor, dim: Dims | None = None) -> Tensor:
    """The inverse of ``fftshift``."""

def ihfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``hfft``: the half of a Hermitian signal whose spectrum is real."""

def ihfft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``hfft2``."""

def ihfftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``hfftn``."""

def irfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``rfft``."""

def irfft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``rfft2``; without ``s``, an even number of points along the last dim."""

def irfftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of ``rfftn``; without ``s``, an even number of points along the last of the dims."""

def rfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of real numbers, without its second half, which repeats the first: ``n // 2 + 1`` numbers."""

def rfft2(input: Tensor, s: Dims | None = None, dim: Dims = (-2, -1), norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``fft2`` of real numbers, without the second half along the last dim."""

def rfftfreq(n: _int, d: _float = 1.0, *, dtype: _dtype | None = None, device: Device | None = None, requires_grad: _bool = False, layout: _layout | None = None, pin_memory: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The frequencies in the result of ``rfft`` of ``n`` points at distances of ``d``."""

def rfftn(input: Tensor, s: Dims | None = None, dim: Dims | None = None, norm: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """``fftn`` of real numbers, without the second half along the last of the dims."""

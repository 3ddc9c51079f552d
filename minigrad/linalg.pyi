"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.graph import Tensor as Tensor
from minigrad._core.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent


def cholesky(A: Tensor, *, upper: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The lower triangular L with A = L L^H, of a positive-definite matrix or of each of a batch."""

def det(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The determinant of a square matrix, or of each of a batch. Its gradient is right for singular ones too."""

def inv(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of a square matrix, or of each of a batch."""

def matrix_norm(self: Tensor, ord: Number | str | None = 'fro', dim: Dims = (-2, -1), keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A norm of the matrices in two dims."""

def matrix_power(self: Tensor, n: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The n-th power of a square matrix, by repeated squaring; of its inverse if n is negative."""

def norm(self: Tensor, ord: Number | str | None = None, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The vector norm over one dim or all, the matrix norm over two; without ``ord``, the length of all entries."""

def slogdet(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> SignLogabsdet:
    """The sign of the determinant and the logarithm of its absolute value, which do not overflow."""

def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = B (or in X A = B for ``left=False``), for a square matrix and right-hand sides, or batches of them."""

def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inner products of the vectors along ``dim``: the first ones are conjugated, and both are broadcast."""

def vector_norm(self: Tensor, ord: Number | str | None = 2, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The p-norm of all entries, or over the dims in ``dim``; p is ``ord``: 0, 1, 2, inf, -inf or any other number."""

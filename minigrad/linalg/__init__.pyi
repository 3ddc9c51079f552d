"""Made by `make stubs` from the table of derivatives: change the table, not this file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np

from minigrad.types import Device, Dims, Index, Number, Operand, Scalar, Sizes, TensorLike, TensorOrTensors, Tensors
from minigrad.types import _Generator, _bool, _dtype, _float, _int, _layout, _memory_format

from minigrad._core.errors import LinAlgError as LinAlgError
from minigrad._core.graph.graph import Tensor as Tensor
from minigrad._core.graph.graph import ValuesIndices, MinMax, SignLogabsdet, MantissaExponent, QR, Reflectors, SVD, OldSVD, Eigen, PLU, LUFactor, LUFactorEx, LDLFactor, LDLFactorEx, InvEx, SolveEx, CholeskyEx, TriangularSolve, LeastSquares


def cholesky(A: Tensor, *, upper: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The lower triangular L with A = L L^H, of a positive-definite matrix or of each of a batch."""

def cholesky_ex(A: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> CholeskyEx:
    """The Cholesky factor, and ``info``: 0, or the order of the first leading minor that is not positive-definite."""

def cond(A: Tensor, p: Any = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The condition of a matrix: the norm of it times that of its inverse."""

def cross(self: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The cross products of the vectors of three numbers along ``dim``; both tensors are broadcast."""

def det(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The determinant of a square matrix, or of each of a batch. Its gradient is right for singular ones too."""

def diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """The diagonals of matrices, as a view: ``diagonal``, of the last two dims."""

def eig(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Eigen:
    """The eigenvalues of a square matrix, in no particular order, and its eigenvectors, columns of length 1."""

def eigh(A: Tensor, UPLO: str = 'L', *, out: Tensor | tuple[Tensor, ...] | None = None) -> Eigen:
    """The eigenvalues of a Hermitian matrix, in increasing order, and its eigenvectors, which are columns of length 1."""

def eigvals(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The eigenvalues of a square matrix, in no particular order; they are complex. See :func:`linalg.eig`."""

def eigvalsh(A: Tensor, UPLO: str = 'L', *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The eigenvalues of a Hermitian matrix, in increasing order; see :func:`linalg.eigh`."""

def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The first columns of the product of reflections I - tau v v^H, whose vectors are below the diagonal of ``input``."""

def inv(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of a square matrix, or of each of a batch."""

def inv_ex(A: Tensor, *, check_errors: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> InvEx:
    """The inverse, and ``info``: 0, or for a singular matrix the number of the diagonal entry that is zero."""

def ldl_factor(A: Tensor, *, hermitian: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> LDLFactor:
    """The factors of a symmetric matrix in one, P L D L^T P^T, and its pivots: for ``linalg.ldl_solve``."""

def ldl_factor_ex(A: Tensor, *, hermitian: _bool = False, check_errors: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> LDLFactorEx:
    """``linalg.ldl_factor``, which says in ``info`` which entry of D is the first that is zero, or 0 if none is."""

def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = B, from what ``linalg.ldl_factor`` makes of A. It has no gradient."""

def lstsq(A: Tensor, B: Tensor, rcond: _float | None = None, *, driver: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> LeastSquares:
    """X for which A X is nearest to B, and of all such X the shortest."""

def lu(A: Tensor, *, pivot: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> PLU:
    """A = P L U for a matrix, or each of a batch: rows exchanged, a lower triangle with ones, an upper triangle."""

def lu_factor(A: Tensor, *, pivot: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> LUFactor:
    """L and U of a matrix in one matrix, and its pivots: for ``linalg.lu_solve``."""

def lu_factor_ex(A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> LUFactorEx:
    """``linalg.lu_factor``, which says in ``info`` which pivot is the first zero one, or 0 if none is."""

def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: _bool = True, adjoint: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = B (or X A = B for ``left=False``), from what ``linalg.lu_factor`` makes of A; of A^H with ``adjoint``."""

def matmul(self: Tensor, other: Operand, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The matrix product, which the operator ``@`` calls."""

def matrix_exp(self: Tensor) -> Tensor:
    """The exponential of a square matrix, or of each of a batch: I + A + A^2/2 + A^3/6 + ..."""

def matrix_norm(self: Tensor, ord: Number | str | None = 'fro', dim: Dims = (-2, -1), keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A norm of the matrices in two dims."""

def matrix_power(self: Tensor, n: _int, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The n-th power of a square matrix, by repeated squaring; of its inverse if n is negative."""

def matrix_rank(A: Tensor, tol: Any = None, hermitian: _bool = False, *, atol: Any = None, rtol: Any = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """How many singular values are greater than a tolerance; see ``linalg.pinv``."""

def multi_dot(tensors: Tensors, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of two or more matrices, multiplied in the order that takes the fewest operations."""

def norm(self: Tensor, ord: Number | str | None = None, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The vector norm over one dim or all, the matrix norm over two; without ``ord``, the length of all entries."""

def pinv(A: Tensor, rcond: Any = None, hermitian: _bool = False, *, atol: Any = None, rtol: Any = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The pseudoinverse of a matrix, or of each of a batch, by its singular values."""

def qr(A: Tensor, mode: str = 'reduced', *, out: Tensor | tuple[Tensor, ...] | None = None) -> QR:
    """A = Q R for a matrix, or each of a batch: Q has orthogonal columns of length 1, and R is upper triangular."""

def slogdet(A: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> SignLogabsdet:
    """The sign of the determinant and the logarithm of its absolute value, which do not overflow."""

def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = B (or in X A = B for ``left=False``), for a square matrix and right-hand sides, or batches of them."""

def solve_ex(A: Tensor, B: Tensor, *, left: _bool = True, check_errors: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> SolveEx:
    """The solution of ``linalg.solve``, and ``info``: 0, or the number of the diagonal entry that is zero."""

def solve_triangular(A: Tensor, B: Tensor, *, upper: _bool, left: _bool = True, unitriangular: _bool = False, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X in A X = B (or in X A = B for ``left=False``), where only the upper or the lower triangle of A is read."""

def svd(A: Tensor, full_matrices: _bool = True, *, driver: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> SVD:
    """The singular value decomposition U diag(S) V^H of a matrix, or of each of a batch; S decreases."""

def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The singular values of a matrix, in decreasing order."""

def tensorinv(self: Tensor, ind: _int = 2, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of a tensor that is a matrix, if its first ``ind`` dims count as one and the others as one."""

def tensorsolve(self: Tensor, other: Tensor, dims: Dims | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """X for which the sums over all of its dims of ``self`` times X are ``other``; ``dims`` are moved to the end first."""

def vander(x: Tensor, N: _int | None = None) -> Tensor:
    """The powers 0 to N - 1 of each number, in one more dim; without N, as many as the last dim of x has numbers."""

def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inner products of the vectors along ``dim``: the first ones are conjugated, and both are broadcast."""

def vector_norm(self: Tensor, ord: Number | str | None = 2, dim: Dims | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The p-norm of all entries, or over the dims in ``dim``; p is ``ord``: 0, 1, 2, inf, -inf or any other number."""

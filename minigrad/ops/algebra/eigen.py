"""Eigenvalues and eigenvectors.

A V = V diag(L).  With P = V^-1 dA V, the step dA in the frame of the eigenvectors,

    dL_j = P_jj        dV = V (P_jk / (L_k - L_j), zeros on the diagonal)

and the gradients are the transposes of these maps [Giles, 2008, "An extended collection of matrix derivative results",
3.1].  If A is Hermitian, then V^-1 = V^H.  If it is not, V has columns of length 1, and the part of dV along V is taken
away from each column; for complex numbers see [Boeddeker et al., 2017, arXiv:1701.00392, 4.77].

Where two eigenvalues are equal, their vectors may be turned in the plane that they span, and there is no derivative of
any one of them: it is inf or nan.  Those of the values exist where the values differ; of equal ones, they belong to the
basis that LAPACK has chosen.

Neighbours: singular.py, matrices.py.
"""

from functools import partial

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.runtime.thread_state import is_grad_enabled

from ..elementwise.complex import conj, real
from ..composites import composite
from ..kinds import general
from ..shapes.arranging import diag_embed, flip
from ..shapes.slicing import diagonal, slice_
from ..shapes.transposing import unsqueeze
from .lu_and_triangular import solve_triangular
from .matrices import (check_phase, check_same_dtype, check_solvable, check_square_shape, found_step_by_step, gaps,
                       not_solvable, off_diagonal, skew)
from .products import adjoint, times
from .solving import linalg_cholesky, solve_matrices

FIELDS = ("eigenvalues", "eigenvectors")
EIGH, EIG = named_results("linalg_eigh", FIELDS), named_results("linalg_eig", FIELDS)


# ------------------------------------------------------------------------------ Hermitian matrices


def of_triangle(function, UPLO):
    """The kernel that calls a function of NumPy for Hermitian matrices."""
    def kernel(A):
        check_solvable(A, "linalg.eigh")
        return found_step_by_step(partial(function, UPLO=UPLO), A, "linalg.eigh", "eigenvalues",
                                  np.tril if UPLO == "L" else np.triu)
    return kernel


def eigh_vjp(ds, eigenvalues, eigenvectors):
    d_values, d_vectors = ds
    if d_vectors is None:
        return with_values(eigenvectors, d_values)
    inner = times(adjoint(eigenvectors), d_vectors)
    check_phase(inner, "linalg_eigh_backward")
    inner = off_diagonal(skew(inner) / 2) / gaps(eigenvalues)
    if d_values is not None:
        inner = inner + diag_embed(d_values)
    return times(times(eigenvectors, inner), adjoint(eigenvectors))


def with_values(V, values):
    """V diag(values) V^H"""
    return times(V * unsqueeze(values, -2), adjoint(V))


BOTH = {"outputs": FIELDS, "traceable": False, "wide": False, "node": "LinalgEighBackward0", "public": False,
        "shown": "linalg.eigh", "last_dims": 2,
        "doc": "Eigenvalues and eigenvectors of Hermitian matrices, of which one triangle is read."}
VALUES = {"traceable": False, "wide": False, "node": "LinalgEighBackward0", "public": False,
          "shown": "linalg.eigvalsh", "last_dims": 2,
          "doc": "The eigenvalues alone; where a gradient will be asked for, their vectors are kept instead."}

eigh_lower = general("eigh_lower(Tensor A)", of_triangle(np.linalg.eigh, "L"),
                     A=eigh_vjp, fast=kernels.eigh_lower, **BOTH)
eigh_upper = general("eigh_upper(Tensor A)", of_triangle(np.linalg.eigh, "U"),
                     A=eigh_vjp, fast=kernels.eigh_upper, **BOTH)
eigvalsh_lower = general("eigvalsh_lower(Tensor A)", of_triangle(np.linalg.eigvalsh, "L"),
                         A=lambda d, A: with_values(eigh_lower(A)[1], d), fast=kernels.eigvalsh_lower, **VALUES)
eigvalsh_upper = general("eigvalsh_upper(Tensor A)", of_triangle(np.linalg.eigvalsh, "U"),
                         A=lambda d, A: with_values(eigh_upper(A)[1], d), fast=kernels.eigvalsh_upper, **VALUES)

ROW_OF_TRIANGLE = {"L": (eigh_lower, eigvalsh_lower), "U": (eigh_upper, eigvalsh_upper)}


def triangle(op, A, UPLO):
    """The rows for this triangle."""
    check_square_shape(A, op)
    if not isinstance(UPLO, str) or UPLO.upper() not in ROW_OF_TRIANGLE:
        raise error("MG204", f"{op}: Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return ROW_OF_TRIANGLE[UPLO.upper()]


@composite(out="exact", types="Tensor str", also={"input": "A"})
def linalg_eigh(A, UPLO="L"):
    """The eigenvalues of a Hermitian matrix, in increasing order, and its eigenvectors, which are columns of length 1.

    Of A only the lower triangle is read, with "U" the upper one. The gradient is Hermitian. A loss may not depend on
    the sign of a vector, or for complex numbers on its phase, since nothing determines it. Where eigenvalues are equal,
    the gradient of their vectors is infinite or nan.

    >>> values, vectors = torch.linalg.eigh(torch.tensor([[2., 1.], [1., 2.]]))
    >>> values
    tensor([1., 3.])
    >>> torch.allclose(vectors @ values.diag() @ vectors.mH, torch.tensor([[2., 1.], [1., 2.]]))
    True
    """
    return EIGH(*triangle("linalg.eigh", A, UPLO)[0](A))


@composite(out="exact", types="Tensor str", also={"input": "A"})
def linalg_eigvalsh(A, UPLO="L"):
    """The eigenvalues of a Hermitian matrix, in increasing order; see :func:`linalg.eigh`.

    >>> torch.linalg.eigvalsh(torch.tensor([[2., 1.], [1., 2.]]))
    tensor([1., 3.])
    """
    both, values = triangle("linalg.eigvalsh", A, UPLO)
    return both(A)[0] if A.requires_grad and is_grad_enabled() else values(A)



@composite(method=False, out=False,
           types="Tensor int? Tensor? Tensor? int? Tensor? int? float? bool? str? Any Any Any Any", also={"input": "A"})
def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
           ortho_iparams=None, ortho_fparams=None, ortho_bparams=None):
    """The k largest eigenvalues of a symmetric matrix A and their vectors; the smallest with ``largest=False``.

    With a positive-definite B they are those of A x = e B x, and the vectors have X^T B X = I. PyTorch comes near them
    step by step, for matrices that are too large for anything else; here all eigenvalues are computed, exactly, and the
    parameters of the steps (X, iK, niter, tol, method, and those of ortho) change nothing.

    >>> values, vectors = torch.lobpcg(torch.tensor([1., 5., 3.]).diag(), k=1)
    >>> values, vectors.abs()
    (tensor([5.]), tensor([[0.],
            [1.],
            [0.]]))
    """
    check_square_shape(A, "lobpcg")
    if tracker is not None:
        raise error("MG117", "lobpcg(): there are no steps to track: the eigenvalues are computed at once")
    k = (X.shape[-1] if X is not None else 1) if k is None else k
    wanted = n if n is not None else X.shape[-1] if X is not None else k
    if A.shape[-1] < 3 * wanted:
        raise error("MG207", f"lobpcg(): LPBPCG algorithm is not applicable when the number of A rows (={A.shape[-1]}) "
                             f"is smaller than 3 x the number of requested eigenpairs (={wanted})")
    if A.dtype.category < 2 or A.dtype.itemsize == 2:
        raise not_solvable("lobpcg", A.dtype.numpy)
    if B is not None:
        check_same_dtype("lobpcg", A, B)
        if B.shape != A.shape:
            raise error("MG201", f"lobpcg(): A and B must have same shape, got {A.shape} vs {B.shape}")
    A, factor = (A + adjoint(A)) / 2, None
    if B is not None:
        factor = linalg_cholesky(B)
        A = solve_triangular(factor, A, False, True, False)
        A = solve_triangular(adjoint(factor), A, True, False, False)
    values, vectors = eigh_lower(A)
    if factor is not None:
        vectors = solve_triangular(adjoint(factor), vectors, True, True, False)
    if largest is None or largest:
        values, vectors = flip(values, (-1,)), flip(vectors, (-1,))
    return slice_(values, -1, 0, k, 1), slice_(vectors, -1, 0, k, 1)

# ------------------------------------------------------------------------------ any square matrices


def eig_vjp(ds, eigenvalues, eigenvectors):
    d_values, d_vectors = ds
    V = eigenvectors
    if d_vectors is None:
        return in_frame(V, unsqueeze(d_values, -1) * adjoint(V))
    inner = times(adjoint(V), d_vectors)
    check_phase(inner, "linalg_eig_backward")
    along = unsqueeze(real(diagonal(inner, 0, -2, -1)), -2)
    inner = off_diagonal(inner - times(adjoint(V), V * along)) / gaps(conj(eigenvalues))
    if d_values is not None:
        inner = inner + diag_embed(d_values)
    return in_frame(V, times(inner, adjoint(V)))


def in_frame(V, X):
    """V^-H X"""
    return solve_matrices(adjoint(V), X)


def eigvals_vjp(d, A):
    vectors = eig(A)[1]
    return in_frame(vectors, unsqueeze(d, -1) * adjoint(vectors))


def of_square(function):
    """The kernel that calls a function of NumPy for square matrices."""
    def kernel(A):
        check_solvable(A, "linalg.eig")
        if not np.isfinite(A).all():
            raise error("MG220", "torch.linalg.eig: input tensor should not contain infs or NaNs.")
        return found_step_by_step(function, A, "linalg.eig", "eigenvalues")
    return kernel


def as_complex(array):
    """NumPy's are real where all eigenvalues are; PyTorch's are always complex."""
    return array if array.dtype.kind == "c" else array.astype(np.result_type(array, np.complex64))


eig = general("eig(Tensor A)", of_square(lambda A: [as_complex(each) for each in np.linalg.eig(A)]),
              A=eig_vjp, outputs=FIELDS, traceable=False, wide=False,
              node="LinalgEigBackward0", public=False, shown="linalg.eig", last_dims=2, fast=kernels.eig,
              doc="Eigenvalues and eigenvectors of square matrices, always complex.")

eigvals = general("eigvals(Tensor A)", of_square(lambda A: as_complex(np.linalg.eigvals(A))),
                  A=eigvals_vjp, traceable=False, wide=False,
                  node="LinalgEigBackward0", public=False, shown="linalg.eigvals", last_dims=2, fast=kernels.eigvals,
                  doc="The eigenvalues alone; where a gradient will be asked for, their vectors are kept instead.")


@composite(types="Tensor", also={"input": "A"})
def linalg_eig(A):
    """The eigenvalues of a square matrix, in no particular order, and its eigenvectors, columns of length 1.

    They are complex, also those of a real matrix. A loss may not depend on the phase of a vector, since nothing
    determines it. Where eigenvalues are equal, the gradient of their vectors is infinite or nan.

    >>> values, vectors = torch.linalg.eig(torch.tensor([[0., 1.], [-1., 0.]]))
    >>> values.imag.sort().values
    tensor([-1.,  1.])
    """
    check_square_shape(A, "linalg.eig")
    return EIG(*eig(A))


@composite(types="Tensor", also={"input": "A"})
def linalg_eigvals(A):
    """The eigenvalues of a square matrix, in no particular order; they are complex. See :func:`linalg.eig`.

    >>> torch.linalg.eigvals(torch.tensor([[0., 1.], [-1., 0.]])).imag.sort().values
    tensor([-1.,  1.])
    """
    check_square_shape(A, "linalg.eigvals")
    return eig(A)[0] if A.requires_grad and is_grad_enabled() else eigvals(A)

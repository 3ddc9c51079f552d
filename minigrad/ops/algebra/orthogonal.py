"""Orthogonal factors: A = Q R, and products of reflections.

A small step of A = Q R is dA = dQ R + Q dR.  In the frame of Q, with X = Q^H dA R^-1,

    X = Q^H dQ + dR R^-1        skew-Hermitian plus upper triangular

so each part is read off one triangle of X, and the gradients are the transposes of that [Walter and Lehmann, 2010,
"Algorithmic differentiation of linear algebra functions with application in optimum experimental design"; Roberts and
Roberts, 2020, arXiv:2009.10071, where A has more columns than rows: then the first square part of R takes its place].
R must be regular: where a column of A depends on the ones before it, the gradient is infinite or nan.

Neighbours: lu_and_triangular.py, solving.py.
"""

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error, warn
from minigrad._core.kernels import table_of_matrices as kernels

from ..elementwise.complex import conj, imag, real
from ..composites import composite
from ..kinds import general
from ..shapes.arranging import diag_embed, tril, triu
from ..shapes.slicing import diagonal, slice_, slice_backward
from ..shapes.transposing import unsqueeze
from .lu_and_triangular import solve_triangular
from .matrices import (check_matrices, check_solvable, hermitian, identity_like, in_double, nothing_like, skew,
                       unit_lower)
from .products import adjoint, times
from ..arguments import scalar_name

RESULT, OLD_RESULT = named_results("linalg_qr", ("Q", "R")), named_results("qr", ("Q", "R"))

# ------------------------------------------------------------------------------ Q R


def qr_kernel(A, mode):
    check_solvable(A, "linalg.qr")
    return [np.ascontiguousarray(each) for each in np.linalg.qr(A, mode=mode)]


def qr_vjp(ds, A_shape, Q, R, mode):
    d_Q, d_R = ds
    m, n = A_shape[-2:]
    if mode == "complete" and m > n:
        raise error("MG117", "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    X = None
    if d_R is not None:
        X = times(d_R, adjoint(R))
    if d_Q is not None:
        turn = times(adjoint(Q), d_Q)
        X = -turn if X is None else X - turn
    if m >= n:
        result = times(Q, mirrored_upper(X))
        return divided(result if d_Q is None else result + d_Q, R)
    result = divided(times(Q, skew_lower(-X)), slice_(R, -1, 0, m, 1))
    result = slice_backward(result, tuple(A_shape), -1, 0, m, 1)
    return result if d_R is None else result + times(Q, d_R)


def mirrored_upper(X):
    """The upper triangle, with its mirror below, and a real diagonal."""
    above = triu(X, 1)
    return above + adjoint(above) + diag_embed(real(diagonal(X, 0, -2, -1)))


def skew_lower(X):
    """The lower triangle of X - X^H, with half of its diagonal, which is imaginary."""
    below = tril(skew(X), -1)
    return below + diag_embed(1j * imag(diagonal(X, 0, -2, -1))) if X.dtype.is_complex else below


def divided(X, R):
    """X R^-H"""
    return solve_triangular(adjoint(R), X, False, False, False)


qr_rows = general("qr_rows(Tensor A, str mode)", qr_kernel,
                  A=qr_vjp, outputs=("Q", "R"), traceable=False, wide=False,
                  node="LinalgQrBackward0", public=False, shown="linalg.qr", last_dims=2, fast=kernels.qr,
                  doc="Q and R of each matrix.")


def without_q(d):
    raise error("MG117", "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
                         "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.")


def qr_r_kernel(A):
    check_solvable(A, "linalg.qr")
    return np.ascontiguousarray(np.linalg.qr(A, mode="r"))


qr_r = general("qr_r(Tensor A)", qr_r_kernel,
               A=without_q, traceable=False, wide=False,
               node="LinalgQrBackward0", public=False, shown="linalg.qr", last_dims=2, fast=kernels.qr_r,
               doc="R of each matrix alone, which has no gradient.")


@composite(out="exact", types="Tensor str", also={"input": "A"})
def linalg_qr(A, mode="reduced"):
    """A = Q R for a matrix, or each of a batch: Q has orthogonal columns of length 1, and R is upper triangular.

    "reduced" gives Q as many columns as A has, or rows if there are fewer; "complete" makes it square; "r" leaves it
    out, and has no gradient. Nothing fixes the signs of the columns, and here they are LAPACK's. The first columns of A
    must be independent for a gradient to exist.

    >>> Q, R = torch.linalg.qr(torch.tensor([[0., 2.], [3., 0.]]))
    >>> R.abs()
    tensor([[3., 0.],
            [0., 2.]])
    """
    return RESULT(*checked_qr(A, mode))


@composite(out="exact", types="Tensor bool")
def qr(self, some=True):
    """Q and R of a matrix. Deprecated: it is ``linalg.qr``.

    >>> torch.linalg.qr(torch.tensor([[2., 0.], [0., 3.]])).R.abs()
    tensor([[2., 0.],
            [0., 3.]])
    """
    warn("torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nThe "
         "boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\nshould "
         "be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')")
    return OLD_RESULT(*checked_qr(self, "reduced" if some else "complete"))


def checked_qr(A, mode):
    if mode not in ("reduced", "complete", "r"):
        raise error("MG204", f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or "
                             "'complete'")
    check_matrices(A, "linalg.qr")
    return (nothing_like(A), qr_r(A)) if mode == "r" else qr_rows(A, mode)

# ------------------------------------------------------------------------------ reflections


def reflectors_kernel(self):
    """Householder's vectors below the diagonal, R above it, and the numbers tau: Note [Reflectors] in the core."""
    if self.ndim < 2:
        raise error("MG201", "torch.geqrf: input must have at least 2 dimensions.")
    check_solvable(self, "geqrf")
    a, tau = np.linalg.qr(in_double(self), mode="raw")
    return np.ascontiguousarray(a.mT).astype(self.dtype), tau.astype(self.dtype)


def no_derivative_of_reflectors(d):
    raise error("MG117", "the derivative for 'geqrf' is not implemented, in PyTorch neither: linalg.qr has one")


geqrf = general("geqrf(Tensor self)", reflectors_kernel,
                self=no_derivative_of_reflectors, outputs=("a", "tau"), traceable=False, wide=False, out="cast",
                last_dims=2, fast=kernels.reflectors, doc="""
What LAPACK makes of A = Q R: R above the diagonal of ``a``, and below it the vectors of the reflections that Q is a
product of, with their factors ``tau``: see :func:`linalg.householder_product`. It has no gradient.

>>> a, tau = torch.geqrf(torch.tensor([[2., 1.], [0., 3.]]))
>>> torch.linalg.householder_product(a, tau) @ a.triu()
tensor([[2., 1.],
        [0., 3.]])
""")

# Note [A product of reflections]
# -------------------------------
# Q = H_1 H_2 ... H_k, with H_j = I - tau_j v_j v_j^H, is one product of matrices too [Joffrain et al., 2006,
# "Accumulating Householder transformations, revisited"]:
#
#     Q = I - V T V^H        T = (I + D S)^-1 D        D = diag(tau), S the part of V^H V above its diagonal
#
# V has the vectors as columns: what is below the diagonal of ``input``, and ones on it.  All of this is made of rows,
# and so are the derivatives.


def reflection_vectors(input, k):
    """V of the note."""
    return unit_lower(slice_(input, -1, 0, k, 1) if input.shape[-1] != k else input)


def mixing(V, tau):
    """I + D S of the note, without the ones on its diagonal, which ``solve_triangular`` does not read."""
    return unsqueeze(tau, -1) * triu(times(adjoint(V), V), 1)


def reflection_factors(V, tau):
    """T of the note."""
    return solve_triangular(mixing(V, tau), diag_embed(tau), True, True, True)


def reflected_kernel(input, tau):
    """The same on arrays."""
    n, k = input.shape[-1], tau.shape[-1]
    V = unit_lower.kernel(input[..., :k])
    D = tau[..., None] * np.eye(k, dtype=tau.dtype)
    S = np.triu(np.matmul(hermitian(V), V), 1)
    T = np.linalg.solve(np.eye(k, dtype=D.dtype) + np.matmul(D, S), D)
    return identity_like.kernel(input) - np.matmul(V, np.matmul(T, hermitian(V[..., :n, :])))


def step_of_reflections(d, input, tau):
    """The gradients for V, as far as it is read from the input, and for tau, from that of Q = I - V T W."""
    k, n = tau.shape[-1], input.shape[-1]
    V = reflection_vectors(input, k)
    T, W = reflection_factors(V, tau), adjoint(slice_(V, -2, 0, n, 1))
    d_T = -times(times(adjoint(V), d), adjoint(W))
    d_W = -times(adjoint(times(V, T)), d)
    d_V = -times(d, adjoint(times(T, W))) + slice_backward(adjoint(d_W), tuple(V.shape), -2, 0, n, 1)
    # T is (I + D S)^-1 D:  (I + D S) dT = dD (I - S T) - D dS T
    S = triu(times(adjoint(V), V), 1)
    inner = solve_triangular(adjoint(mixing(V, tau)), d_T, False, True, True)
    d_S = triu(-times(unsqueeze(conj(tau), -1) * inner, adjoint(T)), 1)
    d_tau = diagonal(inner, 0, -2, -1) - diagonal(times(inner, adjoint(times(S, T))), 0, -2, -1)
    d_V = tril(d_V + times(V, d_S + adjoint(d_S)), -1)
    if k != n:
        d_V = slice_backward(d_V, tuple(input.shape), -1, 0, k, 1)
    return d_V, d_tau


reflected = general("reflected(Tensor input, Tensor tau)", reflected_kernel,
                    input=lambda d, input, tau: step_of_reflections(d, input, tau)[0],
                    tau=lambda d, input, tau: step_of_reflections(d, input, tau)[1], traceable=False, wide=False,
                    node="LinalgHouseholderProductBackward0", public=False, shown="linalg.householder_product",
                    last_dims=(2, 1), fast=kernels.reflected, doc="The first columns of a product of reflections.")


@composite(types="Tensor Tensor", also={"A": "input"})
def linalg_householder_product(input, tau):
    """The first columns of the product of reflections I - tau v v^H, whose vectors are below the diagonal of ``input``.

    Only what is below the diagonal is read; the entry on it counts as 1. With what ``geqrf`` returns, it is Q.

    >>> torch.linalg.householder_product(torch.tensor([[0., 0.], [1., 0.]]), torch.tensor([1., 0.]))
    tensor([[ 0., -1.],
            [-1.,  0.]])
    """
    return first_columns("torch.linalg.householder_product", input, tau)


def first_columns(op, input, tau):
    """As many columns of Q as ``input`` has."""
    check_reflections(op, input, tau)
    check_factorized(op, input.dtype)
    if input.shape[-2] < input.shape[-1]:
        raise error("MG201", f"{op}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if input.shape[-1] < tau.shape[-1]:
        raise error("MG201", f"{op}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    return reflected(input, tau)


@composite(types="Tensor Tensor")
def orgqr(self, input2):
    """Another name of :func:`linalg.householder_product`.

    >>> torch.orgqr(torch.tensor([[0., 0.], [1., 0.]]), torch.tensor([1., 0.]))
    tensor([[ 0., -1.],
            [-1.,  0.]])
    """
    return first_columns("torch.orgqr", self, input2)


@composite(out="exact", types="Tensor Tensor Tensor bool bool")
def ormqr(self, input2, input3, left=True, transpose=False):
    """The product of Q and a matrix, where Q is the whole product of reflections that ``geqrf`` returns.

    ``input2`` is tau, ``input3`` the matrix. It is Q @ matrix, or matrix @ Q without ``left``; with ``transpose``, Q is
    replaced by its conjugate transpose.

    >>> a, tau = torch.geqrf(torch.tensor([[2., 1.], [0., 3.]]))
    >>> torch.ormqr(a, tau, a.triu())
    tensor([[2., 1.],
            [0., 3.]])
    """
    other, side = input3, -2 if left else -1
    check_ormqr(self, input2, other, side)
    V = reflection_vectors(self, input2.shape[-1])
    T = reflection_factors(V, input2)
    if transpose:
        T = adjoint(T)
    if left:
        return other - times(V, times(T, times(adjoint(V), other)))
    return other - times(times(times(other, V), T), adjoint(V))

# ------------------------------------------------------------------------------ errors


def check_reflections(op, input, tau):
    """Refuse what cannot be reflections."""
    if input.ndim < 2:
        raise error("MG201", f"{op}: input must have at least 2 dimensions.")
    if tau.dtype is not input.dtype:
        raise error("MG202", f"{op}: tau dtype {scalar_name(tau.dtype.numpy)} does not match input dtype "
                             f"{scalar_name(input.dtype.numpy)}")
    if tau.ndim != input.ndim - 1 or tau.shape[:-1] != input.shape[:-2]:
        raise error("MG201", f"{op}: Expected tau to have one dimension less than input, and the same batch dimensions "
                             f"(tau.shape {list(tau.shape)}, input.shape {list(input.shape)})")


def check_factorized(op, dtype):
    if dtype.category < 2 or dtype.itemsize == 2 and not dtype.is_complex:
        raise error("MG202", f'{op}: "orgqr_cpu" not implemented for \'{scalar_name(dtype.numpy)}\'')


def check_ormqr(input, tau, other, side):
    op = "torch.ormqr"
    for name, matrix in ("input", input), ("other", other):
        if matrix.ndim < 2:
            raise error("MG201", f"{op}: {name} must have at least 2 dimensions.")
    check_reflections(op, input, tau)
    if other.dtype is not input.dtype:
        raise error("MG202", f"{op}: Expected input and other to have the same dtype, but input has dtype "
                             f"{scalar_name(input.dtype.numpy)} and other has dtype {scalar_name(other.dtype.numpy)}")
    if other.ndim != input.ndim:
        raise error("MG201", f"{op}: Expected other to have the same number of dimensions as input, but got other.ndim "
                             f"equal to {other.ndim} and input.ndim is equal to {input.ndim}")
    if other.shape[:-2] != input.shape[:-2]:
        raise error("MG201", f"{op}: Expected batch dimensions of other to be equal to input.shape[:-2], but got "
                             f"{list(other.shape[:-2])}")
    if other.shape[side] != input.shape[-2]:
        raise error("MG201", f"{op}: other.shape[{side}] must be equal to input.shape[-2]")
    if tau.shape[-1] != min(other.shape[side], input.shape[-1]):
        raise error("MG201", f"{op}: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")
    check_factorized(op, input.dtype)

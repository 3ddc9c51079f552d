"""Singular values and vectors, and the norms that are made of the values.

A = U diag(s) V^H.  A small step dA, seen in the frame of U and V, is P = U^H dA V.  Its real diagonal is how s grows,
so the gradient of a function of s with slopes w is U diag(w) V^H: that is ``spectral``.  U and V turn with A, so this
gradient changes too [Daleckii and Krein, 1951].  With P split into (P + P^H) / 2 and (P - P^H) / 2, its entry j, k
changes by

    (w_k - w_j) / (s_k - s_j)   times the first part,      (w_k + w_j) / (s_k + s_j)   times the second.

These are slopes of the same function between s_j and s_k, or s_j and -s_k.  Where two singular values are
equal and their weights are too, as in the sum of all, nothing turns and the first is 0; so no frame has to be chosen
among equal ones.  For a square A that is all.  Otherwise U or V does not span the whole space, and the part of the step
outside it turns into it at the rate w / s.

The vectors have derivatives where the values differ: Note [Turning frames] below.

Neighbours: norms.py (its user), eigen.py, matrices.py.
"""

from functools import partial

import numpy as np

from minigrad._core.dispatch.op_introspection import named_results
from minigrad._core.errors import error
from minigrad._core.kernels import table_of_matrices as kernels
from minigrad._core.runtime.thread_state import is_grad_enabled

from ..elementwise.powers import square
from ..composites import composite
from ..kinds import general, not_differentiable
from ..shapes.arranging import diag_embed
from ..shapes.slicing import diagonal, slice_
from ..shapes.transposing import unsqueeze
from .matrices import (check_basis, check_matrices, check_phase, check_solvable, found_step_by_step, gaps, off_diagonal,
                       skew, total)
from .products import adjoint, times


def decomposed(A, **options):
    """NumPy's, which says in PyTorch's words where it fails."""
    check_solvable(A, "linalg.svd")
    return found_step_by_step(partial(np.linalg.svd, **options), A, "linalg.svd", "singular values")


def parts(A):
    return decomposed(A, full_matrices=False)


def ratio(a, b):
    """a / b, and 0 where a is 0."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, where=a != 0, out=np.zeros_like(a))


def spectral_kernel(A, w):
    u, _, vh = parts(A)
    return np.matmul(u * w[..., None, :], vh)


def spectral_diagonal_kernel(A, d):
    u, _, vh = parts(A)
    return np.einsum("...ij,...ij->...j", u.conj(), np.matmul(d, adjoint.kernel(vh))).real


def spectral_turn_kernel(A, w, d):
    u, s, vh = parts(A)
    uh, v = adjoint.kernel(u), adjoint.kernel(vh)
    p = np.matmul(np.matmul(uh, d), v)
    rows, columns, w_rows, w_columns = s[..., :, None], s[..., None, :], w[..., :, None], w[..., None, :]
    first, second = (p + adjoint.kernel(p)) / 2, (p - adjoint.kernel(p)) / 2
    inner = first * ratio(w_columns - w_rows, columns - rows) + ratio(second * (w_columns + w_rows), columns + rows)
    result = np.matmul(np.matmul(u, inner), vh)
    if A.shape[-2] > s.shape[-1]:
        outside = np.matmul(d - np.matmul(u, np.matmul(uh, d)), v)
        result = result + np.matmul(ratio(outside * w_columns, columns), vh)
    if A.shape[-1] > s.shape[-1]:
        outside = np.matmul(uh, d - np.matmul(np.matmul(d, v), vh))
        result = result + np.matmul(u, ratio(outside * w_rows, rows))
    return result


def third(d):
    raise error("MG117", "norms made of singular values ('nuc', 2, -2) can be differentiated twice, and this is the "
                         "third time")


singular_values = general("singular_values(Tensor A)", lambda A: decomposed(A, compute_uv=False),
                          A=lambda d, A: spectral(A, d),
                          node="LinalgSvdBackward0", public=False, shown="linalg.svdvals", wide=False, last_dims=2,
                          fast=kernels.singular_values,
                          doc="The singular values of a matrix, or of each of a batch, in decreasing order.")

singular_values_kept = general("singular_values_kept(Tensor A)", parts,
                               A=lambda d, A, U, Vh: spectral_kept(A, U, Vh, d),
                               outputs=("U", "S", "Vh"), differentiable=("S",),
                               node="LinalgSvdBackward0", public=False, shown="linalg.svdvals", wide=False,
                               last_dims=2, fast=kernels.svd,
                               doc="The same, with the vectors, which the backward pass will want.")


def values_of(A):
    """The singular values; with their vectors where a gradient will be asked for."""
    return singular_values_kept(A)[1] if A.requires_grad and is_grad_enabled() else singular_values(A)


spectral_kept = general("spectral_kept(Tensor A, Tensor U, Tensor Vh, Tensor w)",
                        lambda A, U, Vh, w: np.matmul(U * w[..., None, :], Vh),
                        A=lambda d, A, w: spectral_turn(A, w, d),
                        w=lambda d, A: spectral_diagonal(A, d),
                        no_gradient=("U", "Vh"), public=False, wide=False, last_dims=(2, 2, 2, 1),
                        doc="``spectral``, where U and V are known.")

spectral = general("spectral(Tensor A, Tensor w)", spectral_kernel,
                   A=lambda d, A, w: spectral_turn(A, w, d),
                   w=lambda d, A: spectral_diagonal(A, d),
                   public=False, wide=False,
                   last_dims=(2, 1), fast=kernels.spectral, doc="U diag(w) V^H: A with other singular values.")

spectral_diagonal = general("spectral_diagonal(Tensor A, Tensor step)", spectral_diagonal_kernel,
                            A=lambda d, A, step: spectral_turn(A, d, step),
                            step=lambda d, A: spectral(A, d),
                            public=False, last_dims=(2, 0),
                            doc="The real diagonal of U^H d V: how the singular values grow along a step of A.")

spectral_turn = general("spectral_turn(Tensor A, Tensor w, Tensor step)", spectral_turn_kernel,
                        A=third, w=third,
                        step=lambda d, A, w: spectral_turn(A, w, d),
                        traceable=False, public=False,
                        last_dims=(2, 1, 0),
                        doc="How U diag(w) V^H changes along a step of A; a symmetric map of the step.")

# ------------------------------------------------------------------------------ singular vectors

FIELDS = ("U", "S", "Vh")
RESULT, OLD_RESULT = named_results("linalg_svd", FIELDS), named_results("svd", ("U", "S", "V"))

# Note [Turning frames]
# ---------------------
# A step dA, in the frame of U and V, is P = U^H dA V.  Its real diagonal is dS; the rest turns the frames, U by U^H dU
# and V by V^H dV, which are skew.  From P = U^H dU S + dS + S dV^H V, for j != k
#
#     (U^H dU)_jk = (P_jk S_k + S_j conj(P_kj)) / E_jk       E_jk = S_k^2 - S_j^2
#     (V^H dV)_jk = (S_j P_jk + conj(P_kj) S_k) / E_jk
#
# and the gradient is the transpose [Townsend, 2016, "Differentiating the singular value decomposition"; for complex
# numbers Wan and Zhang, 2019, arXiv:1909.02659].  If A is not square, the longer vectors also turn out of the space
# that they span, at the rate 1 / S.
#
# Nothing determines the sign of u_j and v_j, nor for complex numbers their common phase.  The diagonals of U^H dU and
# V^H dV are such a phase, and only their difference, the imaginary part of P_jj / S_j, belongs to A.  So a loss that
# depends on the phase is refused.
#
# With full_matrices, U has further columns W, a basis of the rest of the space, and any other basis would do as well.
# As long as the loss does not depend on which one it is, W may be taken to turn only as far as U forces it to: W^H dU
# = -(U^H dW)^H.  So the gradient of W is that of U by way of -W (U^H dW)^H; if W^H dW is not Hermitian, the loss
# depends on the basis.


def svd_vjp(ds, U, S, Vh):
    d_U, d_S, d_Vh = ds
    if d_U is None and d_Vh is None:
        return times(U * unsqueeze(d_S, -2), Vh)
    V = adjoint(Vh)
    turn_U = None if d_U is None else skew(times(adjoint(U), d_U))
    turn_V = None if d_Vh is None else skew(times(Vh, adjoint(d_Vh)))
    rows, columns = unsqueeze(S, -1), unsqueeze(S, -2)
    weighted_U = None if d_U is None else turn_U * columns
    weighted_V = None if d_Vh is None else rows * turn_V
    check_phase(total(turn_U, turn_V), "svd_backward")
    inner = off_diagonal(total(weighted_U, weighted_V)) / gaps(square(S))
    if d_S is not None:
        inner = inner + diag_embed(d_S)
    if U.dtype.is_complex and turn_U is not None and turn_V is not None:
        inner = inner + diag_embed(diagonal(turn_U, 0, -2, -1) / (2 * S))
    result = times(times(U, inner), Vh)
    if d_U is not None and U.shape[-2] > S.shape[-1]:
        outward = d_U / columns
        result = result + times(outward - times(U, times(adjoint(U), outward)), Vh)
    if d_Vh is not None and Vh.shape[-1] > S.shape[-1]:
        outward = d_Vh / rows
        result = result + times(U, outward - times(times(outward, V), Vh))
    return result


svd_thin = general("svd_thin(Tensor A)", parts,
                   A=svd_vjp, outputs=FIELDS, traceable=False, wide=False,
                   node="LinalgSvdBackward0", public=False, shown="linalg.svd", last_dims=2, fast=kernels.svd,
                   doc="U, S and V^H, where U and V have as many columns as there are singular values.")


def whole_svd_vjp(ds, U, S, Vh):
    """From the gradients of all vectors to those of the first ones: Note [Turning frames]."""
    d_U, d_S, d_Vh = ds
    n = S.shape[-1]
    V = adjoint(Vh)
    d_U = None if d_U is None else of_first(U, d_U, n)
    d_Vh = None if d_Vh is None else adjoint(of_first(V, adjoint(d_Vh), n))
    return svd_vjp((d_U, d_S, d_Vh), slice_(U, -1, 0, n, 1), S, slice_(Vh, -2, 0, n, 1))


def of_first(U, d, n):
    """The gradient of the first n columns of a unitary matrix, from that of all."""
    m = U.shape[-1]
    if m == n:
        return d
    first, others = slice_(U, -1, 0, n, 1), slice_(U, -1, n, m, 1)
    d_first, d_others = slice_(d, -1, 0, n, 1), slice_(d, -1, n, m, 1)
    check_basis(skew(times(adjoint(others), d_others)))
    return d_first - times(others, times(adjoint(d_others), first))


svd_whole = general("svd_whole(Tensor A)", lambda A: decomposed(A, full_matrices=True),
                    A=whole_svd_vjp, outputs=FIELDS, traceable=False, wide=False,
                    node="LinalgSvdBackward0", public=False, shown="linalg.svd", last_dims=2, fast=kernels.svd_full,
                    doc="U, S and V^H, where U and V are square.")


@composite(out="exact", types="Tensor bool str?", also={"input": "A"})
def linalg_svd(A, full_matrices=True, *, driver=None):
    """The singular value decomposition U diag(S) V^H of a matrix, or of each of a batch; S decreases.

    U and V are square, or without ``full_matrices`` have only as many columns as S has numbers. A loss may not depend
    on the sign of a vector, or for complex numbers on its phase, since nothing determines it; nor on the basis that the
    further columns of square ones are. Where singular values are equal, or zero in a matrix that is not square, the
    gradient of the vectors is infinite or nan. That of S exists everywhere, also there: see :func:`linalg.svdvals`.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[0., 2.], [3., 0.], [0., 0.]]), full_matrices=False)
    >>> S
    tensor([3., 2.])
    >>> U @ S.diag() @ Vh
    tensor([[0., 2.],
            [3., 0.],
            [0., 0.]])
    """
    check_svd("linalg.svd", A, driver)
    return RESULT(*(svd_whole if full_matrices else svd_thin)(A))


@composite(out="exact", types="Tensor str?", also={"input": "A"})
def linalg_svdvals(A, *, driver=None):
    """The singular values of a matrix, in decreasing order.

    Its gradient exists even where singular values are equal, if the loss treats them alike, as their sum does; if it
    does not, the gradient belongs to the vectors that LAPACK has chosen. At a singular value of zero, where it has a
    corner, it does too.

    >>> torch.linalg.svdvals(torch.tensor([[0., 2.], [3., 0.]]))
    tensor([3., 2.])
    """
    check_svd("linalg.svdvals", A, driver)
    return values_of(A)


def zero_squares_kernel(self):
    return [np.zeros(self.shape[:-2] + (n, n), self.dtype) for n in self.shape[-2:]]


zero_squares = not_differentiable("zero_squares(Tensor self)", zero_squares_kernel,
                                  outputs=("U", "V"), promote=None, public=False, last_dims=2,
                                  doc="What ``svd`` returns in place of vectors that were not asked for.")


@composite(out="exact", types="Tensor bool bool")
def svd(self, some=True, compute_uv=True):
    """The singular value decomposition U diag(S) V^H; prefer ``linalg.svd``, which returns V^H.

    With ``some`` U and V have only as many columns as S has numbers. Without ``compute_uv`` they are zeros.

    >>> torch.svd(torch.tensor([[0., 2.], [3., 0.]])).S
    tensor([3., 2.])
    """
    check_matrices(self, "linalg.svd")
    if not compute_uv:
        U, V = zero_squares(self)
        return OLD_RESULT(U, singular_values(self), V)
    U, S, Vh = (svd_thin if some else svd_whole)(self)
    return OLD_RESULT(U, S, adjoint(Vh))


def check_svd(op, A, driver):
    check_matrices(A, op)
    if driver is not None:
        raise error("MG204", f"torch.{op}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER "
                             "backend.")

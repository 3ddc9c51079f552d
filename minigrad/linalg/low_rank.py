"""Singular values of a large matrix of low rank, by chance.

A few random combinations of its columns span almost all that matters of a matrix. In the basis that they make, the
matrix is small enough to be taken apart [Halko, Martinsson and Tropp, 2011, "Finding structure with randomness",
algorithms 4.4 and 5.1].

Neighbours: random.py, ops/algebra/singular.py, ops/algebra/orthogonal.py.
"""

from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad.ops.exports import EXPORTS
from minigrad.random import randn

__all__ = ["pca_lowrank", "svd_lowrank"]

matmul, linalg_qr, linalg_svd = [EXPORTS["minigrad.linalg"][name] for name in ("matmul", "qr", "svd")]


def basis(A, q, niter):
    """q orthogonal columns whose space nearly contains the columns of A; each step makes it more so."""
    Q = linalg_qr(matmul(A, randn(A.shape[-1], q, dtype=A.dtype)))[0]
    for _ in range(niter):
        Q = linalg_qr(matmul(A.mH, Q))[0]
        Q = linalg_qr(matmul(A, Q))[0]
    return Q


@Composite
def svd_lowrank(A, q=6, niter=2, M=None):
    """The first ``q`` singular values and vectors of a matrix A, or of A - M: U, S, and V.

    They are near the real ones if A has a rank of not much more than q, and nearer with more steps, ``niter``. They are
    made from random numbers, so that the last digits differ from call to call.

    >>> A = torch.tensor([[1., 2.], [2., 4.], [3., 6.]])
    >>> U, S, V = torch.svd_lowrank(A, q=1)
    >>> torch.allclose(U * S @ V.mT, A, atol=1e-5)
    True
    """
    A = A if M is None else A - M.broadcast_to(A.shape)
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    wide = A.shape[-2] < A.shape[-1]
    tall = A.mH if wide else A
    Q = basis(tall, q, niter)
    U, S, Vh = linalg_svd(matmul(Q.mH, tall), full_matrices=False)
    U, V = matmul(Q, U), Vh.mH
    return (V, S, U) if wide else (U, S, V)


@Composite
def pca_lowrank(A, q=None, center=True, niter=2):
    """The first ``q`` principal components of the rows of A: ``svd_lowrank`` of A without the mean of each column.

    Of the results U, S and V the columns of V are the directions, and S ** 2 / (rows - 1) the variances along them.
    Without ``q`` there are 6, or as many as A has rows or columns.

    >>> A = torch.tensor([[1., 2.], [2., 4.], [3., 6.]])
    >>> torch.pca_lowrank(A, q=1)[2].abs()
    tensor([[0.4472],
            [0.8944]])
    """
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise error("MG207", f"pca_lowrank(): q(={q}) must be non-negative integer and not greater than min(m, n)="
                             f"{min(m, n)}")
    if niter < 0:
        raise error("MG207", f"pca_lowrank(): niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, q, niter)

"""Singular values, for the norms that are made of them.

A = U diag(s) V^H.  A small step dA, seen in the frame of U and V, is P = U^H dA V.  Its real diagonal is how s grows,
so the gradient of a function of s with slopes w is U diag(w) V^H: that is ``spectral``.  U and V turn with A, so this
gradient changes too [Daleckii and Krein, 1951].  With P split into (P + P^H) / 2 and (P - P^H) / 2, its entry j, k
changes by

    (w_k - w_j) / (s_k - s_j)   times the first part,      (w_k + w_j) / (s_k + s_j)   times the second.

These are slopes of the same function between s_j and s_k, or s_j and -s_k.  Where two singular values are
equal and their weights are too, as in the sum of all, nothing turns and the first is 0; so no frame has to be chosen
among equal ones.  For a square A that is all.  Otherwise U or V does not span the whole space, and the part of the step
outside it turns into it at the rate w / s.

Neighbours: norms.py (its user), solving.py.
"""

import numpy as np

from minigrad._core import kernels
from minigrad._core.errors import error

from ..kinds import general
from .products import adjoint
from .solving import check_solvable


def parts(A):
    return np.linalg.svd(A, full_matrices=False)


def ratio(a, b):
    """a / b, and 0 where a is 0."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, where=a != 0, out=np.zeros_like(a))


def singular_values_kernel(A):
    check_solvable(A, "linalg.svd")
    return np.linalg.svd(A, compute_uv=False)


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


singular_values = general("singular_values(Tensor A)", singular_values_kernel,
                          A=lambda d, A: spectral(A, d),
                          node="LinalgSvdBackward0", public=False, last_dims=2, fast=kernels.singular_values,
                          doc="The singular values of a matrix, or of each of a batch, in decreasing order.")

spectral = general("spectral(Tensor A, Tensor w)", spectral_kernel,
                   A=lambda d, A, w: spectral_turn(A, w, d),
                   w=lambda d, A: spectral_diagonal(A, d),
                   public=False,
                   last_dims=(2, 1), doc="U diag(w) V^H: A with other singular values.")

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

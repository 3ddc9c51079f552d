"""Sample calls of functions of matrices, of what need not be regular, and of cross products."""

import numpy as np

from tests.ops.samples.decompositions import TALL, WIDE
from tests.ops.samples.linalg import POSITIVE, REGULAR, TWO
from tests.ops.sampling import T, case, row

LOWER = [[2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-0.3, 0.2, 1.2]]
TENSOR = np.arange(36.0).reshape(2, 3, 6) % 7 + 5 * np.eye(6).reshape(2, 3, 6)


def exponential(a):
    """By its eigenvalues."""
    values, vectors = np.linalg.eig(a)
    result = vectors * np.exp(values)[..., None, :] @ np.linalg.inv(vectors)
    return result if np.iscomplexobj(a) else result.real


def with_factor(b, L, upper=False):
    L = np.triu(L) if upper else np.tril(L)
    return np.linalg.solve(L.conj().mT @ L if upper else L @ L.conj().mT, b)


ROWS = [
    row("linalg.matrix_exp", case(REGULAR), case(T(2, 2, 2)), case(T(1, 1)), numpy=exponential, complex=True,
        bad=case(T(2, 3)), rtol=1e-8),
    row("matrix_exp", case(REGULAR), numpy=exponential, bad=case(T(2, 3)), rtol=1e-8),
    row("linalg.matmul", case(T(2, 3), T(3, 4)), case(T(3), T(3)), numpy=np.matmul, complex=True, ints=True,
        bad=case(T(2, 3, 4), T(3, 4))),
    row("linalg.multi_dot", case([T(2, 3), T(3, 4)]), case([T(3), T(3, 1), T(1, 2)]), case([T(2, 3), T(3)]),
        case([T(2, 3), T(3, 4), T(4, 1), T(1, 2)]), numpy=np.linalg.multi_dot, complex=True, ints=True, node=False,
        bad=case([T(2, 3)])),
    row("chain_matmul", case(T(2, 3), T(3, 4)), case(T(2, 3), T(3, 4), T(4, 1)), complex=True, node=False,
        numpy=lambda *matrices: np.linalg.multi_dot(matrices), bad=case(T(3))),
    row("linalg.vander", case(T(3)), case(T(2, 3), N=2), case(T(), N=4), complex=True, ints=True, node=False,
        bad=case(T(3), N=1)),
    row("vander", case(T(3)), case(T(3), 2), case(T(2), 3, True), case(T(3), N=0), ints=True, node=False,
        numpy=np.vander, torch=False, bad=case(T(2, 2))),
    row("linalg.tensorinv", case(T(values=TENSOR)), case(T(values=TENSOR.reshape(6, 3, 2)), ind=1),
        numpy=np.linalg.tensorinv, complex=True, node=False, bad=case(T(2, 3))),
    row("linalg.tensorsolve", case(T(values=TENSOR), T(2, 3)), case(T(values=TENSOR.reshape(2, 3, 2, 3)), T(2, 3)),
        case(T(values=TENSOR.transpose(2, 0, 1)), T(2, 3), dims=(0,)), complex=True, node=False,
        numpy=lambda a, b, dims=None: np.linalg.tensorsolve(a, b, dims), bad=case(T(2, 3), T(2))),
    row("linalg.cross", case(T(3), T(3)), case(T(2, 3), T(1, 3)), case(T(3, 2), T(3, 2), dim=0),
        numpy=lambda a, b, dim=-1: np.cross(a, b, axis=dim), complex=True, ints=True, bad=case(T(2), T(2))),
    row("cross", case(T(2, 3), T(2, 3)), case(T(3, 3), T(3, 3), -1), complex=True, ints=True, bad=case(T(2), T(2))),
    row("linalg.diagonal", case(T(3, 3)), case(T(2, 3, 4), offset=1), case(T(3, 2, 4), offset=-1, dim1=0, dim2=2),
        numpy=lambda a, offset=0, dim1=-2, dim2=-1: np.diagonal(a, offset, dim1, dim2), complex=True, ints=True,
        bad=case(T(3))),
    row("linalg.pinv", case(REGULAR), case(T(values=TALL)), case(T(values=WIDE), rtol=0.01),
        case(T(2, 2, 3), atol=0.01), case(REGULAR, 0.01), numpy=lambda a, *_, **__: np.linalg.pinv(a),
        complex=True, bad=case(T(3))),
    row("linalg.pinv", case(T(values=POSITIVE), hermitian=True), grad=False,
        numpy=lambda a, hermitian: np.linalg.pinv(a), bad=case(T(2, 3), hermitian=True)),
    row("pinverse", case(T(values=TALL)), case(T(values=WIDE), 0.01), numpy=lambda a, *_: np.linalg.pinv(a),
        bad=case(T(3))),
    row("linalg.matrix_rank", case(T(3, 3)), case(T(2, 2, 3), 0.5), case(T(3, 2), atol=0.5, rtol=0.1), grad=False,
        complex=True, numpy=lambda a, tol=None, *, atol=None, rtol=None: np.linalg.matrix_rank(
            a, tol=max(atol or tol or 0, (rtol or 0) * np.linalg.norm(a, 2)) if a.ndim < 3 else tol or None),
        bad=case(T(3))),
    row("linalg.cond", case(REGULAR), case(T(values=TALL), 2), case(TWO, -2), numpy=np.linalg.cond,
        complex=True, node=False, bad=case(T(3))),
    row("linalg.cond", case(REGULAR, "fro"), case(TWO, 1), case(REGULAR, "nuc"),
        case(REGULAR, float("inf")), case(REGULAR, p=-1), numpy=np.linalg.cond, torch=False,
        bad=case(T(2, 3), "fro")),
    row("linalg.lstsq", case(T(values=TALL), T(3, 2)), case(T(values=WIDE), T(2)), case(T(values=[TALL]), T(1, 3)),
        case(T(values=TALL), T(3, 1), driver="gels"), complex=True,
        node=False, bad=case(T(values=TALL), T(2))),
    row("cholesky_solve", case(T(3, 2), T(values=LOWER)), case(T(3, 2), T(values=np.transpose(LOWER)), True),
        case(T(2, 3, 1), T(values=LOWER)), numpy=with_factor, complex=True, torch=False, bad=case(T(2, 2), T(3, 3))),
    row("cholesky_inverse", case(T(values=LOWER)), case(T(values=np.transpose(LOWER)), upper=True), complex=True,
        numpy=lambda L, upper=False: with_factor(np.eye(3), L, upper), torch=False, bad=case(T(2, 3))),
    row("linalg.ldl_factor", case(T(values=POSITIVE)), case(TWO), grad=False, bad=case(T(2, 3))),
    row("linalg.ldl_factor_ex", case(T(values=POSITIVE), hermitian=True, check_errors=True), case(TWO),
        grad=False, bad=case(T(2, 3))),
    row("linalg.ldl_solve", case(T(values=LOWER), np.array([1, 2, 3], np.int32), T(3, 2)),
        case(T(values=LOWER), np.array([-2, -2, 3], np.int32), T(3, 2)), grad=False,
        bad=case(T(values=LOWER), np.array([1, 2, 3], np.int32), T(2, 2))),
    *[row(name, bad=case(T(2, 2))) for name in ("eig", "matrix_rank", "symeig")],
    *[row(name, bad=case(T(2, 2), T(2, 2))) for name in ("lstsq", "solve")],
    row("nuclear_norm", case(T(3, 3)), case(T(2, 3), keepdim=True), case(T(2, 2, 3), (0, 2)), complex=True, node=False,
        bad=case(T(3))),
    row("frobenius_norm", case(T(3, 2), (0, 1)), case(T(3, 2), 1, True), complex=True, node=False,
        bad=case(T(2, 2, 2), (0, 1, 2))),
    row("norm_except_dim", case(T(2, 3)), case(T(2, 3, 2), 2, 1), case(T(2, 3), 1, -1), case(T(3), 3), node=False,
        bad=case(T(2, 3), 2, 2)),
]

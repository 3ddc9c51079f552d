"""Sample calls of what takes matrices apart.

Where signs or phases are not determined, results are compared with NumPy's, which has the same LAPACK, and not with
PyTorch's; test_decompositions.py compares with PyTorch what does not depend on them.
"""

import numpy as np

from tests.ops.samples.linalg import POSITIVE, REGULAR, TWO
from tests.ops.sampling import T, case, row

TALL, WIDE = [[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]], [[1.0, 0.5, 2.0], [2.0, -1.0, 0.3]]
SYMMETRIC = [[2.0, 1.0, 0.5], [1.0, -3.0, -0.2], [0.5, -0.2, 1.0]]
SIX = np.arange(36.0).reshape(6, 6) * 7 % 11
SIX = (SIX + SIX.T) / 10 + np.diag([6.0, 1.0, 3.0, 9.0, 5.0, 2.0])
FACTORS = [[2.0, 1.0, 0.5], [0.5, -3.0, -0.2], [0.25, -0.2, 1.5]]
PIVOTS = np.array([3, 2, 3], np.int32)


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    A = (np.triu if upper else np.tril)(A, int(unitriangular) if upper else -int(unitriangular))
    A = A + np.eye(A.shape[-1]) if unitriangular else A
    return np.linalg.solve(A, B) if left else np.linalg.solve(A.mT, B.mT).mT


def pairs_of_values(A, k=1, largest=True):
    values, vectors = np.linalg.eigh((A + A.T) / 2)
    order = np.argsort(values)[::-1 if largest else 1][:k]
    return values[order], vectors[:, order]


def swapped(A, pivots):
    A = A.copy()
    for i, pivot in enumerate(pivots):
        A[[i, pivot - 1]] = A[[pivot - 1, i]]
    return A


def lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    P = np.argmax(swapped(np.eye(3), pivots), axis=1)
    A = np.empty_like(LU)
    A[P] = (np.tril(LU, -1) + np.eye(3)) @ np.triu(LU)
    A = A.conj().T if adjoint else A
    return np.linalg.solve(A, B) if left else np.linalg.solve(A.T, B.T).T


ROWS = [
    row("linalg.qr", case(T(3, 3)), case(T(3, 2)), case(T(2, 3)), case(T(2, 3, 3)), case(T(2, 3), "complete"),
        numpy=np.linalg.qr, complex=True, extra_saved=("A_sym_sizes",), bad=case(T(3))),
    row("linalg.qr", case(T(values=TALL), mode="complete"), case(T(2, 3, 2), "complete"), numpy=np.linalg.qr,
        grad=False, bad=case(T(2, 2), "x")),
    row("linalg.qr", case(T(values=TALL), mode="r"), case(T(2, 3, 2), "r"), grad=False),
    row("qr", case(T(values=TALL)), case(T(values=WIDE), False), extra_saved=("A_sym_sizes",), bad=case(T(3))),
    row("geqrf", case(T(values=TALL)), case(T(values=WIDE)), case(T(2, 3, 3)), grad=False, bad=case(T(3))),
    row("linalg.householder_product", case(T(3, 2), T(2)), case(T(2, 4, 3), T(2, 1)), complex=True,
        node=False, bad=case(T(2, 3), T(2))),
    row("orgqr", case(T(3, 2), T(2)), node=False, bad=case(T(2, 3), T(2))),
    row("ormqr", case(T(3, 2), T(2), T(3, 4)), case(T(2, 3, 2), T(2, 2), T(2, 4, 3), False),
        case(T(3, 1), T(1), T(3, 2), transpose=True), complex=True, node=False, bad=case(T(3, 2), T(2), T(2, 3))),
    row("linalg.svd", case(REGULAR, False), case(T(values=TALL), full_matrices=False),
        case(T(2, 2, 3), full_matrices=False), case(T(2, 2)), case(T(0, 3), False), numpy=np.linalg.svd, torch=False,
        bad=case(T(3))),
    row("linalg.svd", case(T(values=TALL)), case(T(2, 2, 3)), numpy=np.linalg.svd, torch=False, grad=False),
    row("linalg.svdvals", case(REGULAR), case(T(values=TALL)), case(T(2, 2, 3)),
        numpy=lambda a: np.linalg.svd(a, compute_uv=False), complex=True, extra_saved=("A",), bad=case(T(3))),
    row("svd", case(T(values=TALL)), case(T(2, 2, 3)), torch=False,
        numpy=lambda a: (lambda U, S, Vh: (U, S, Vh.mT))(*np.linalg.svd(a, full_matrices=False)), bad=case(T(3))),
    row("svd", case(T(values=TALL), compute_uv=False), extra_saved=("A",)),
    row("linalg.eigh", case(T(values=SYMMETRIC)), case(T(2, 2, 2), "U"), case(T(0, 0)), numpy=np.linalg.eigh,
        torch=False, grad=False, bad=case(T(2, 3))),
    row("linalg.eigvalsh", case(T(values=SYMMETRIC)), case(T(2, 2, 2), UPLO="U"), kink=True,
        numpy=lambda a, UPLO="L": np.linalg.eigvalsh(a, UPLO), complex=True, bad=case(T(2, 2), "x")),
    row("linalg.eigvalsh", case(T(3, 3), UPLO="U"), case(T(2, 3, 3)), grad=False),
    row("lobpcg", case(T(values=SYMMETRIC)), case(T(values=SIX), 2, largest=False),
        torch=False, grad=False, numpy=pairs_of_values, bad=case(T(2, 3))),
    row("linalg.eig", case(T(values=SYMMETRIC)), case(T(0, 0)), torch=False, grad=False,
        numpy=lambda a: [each + 0j for each in np.linalg.eig(a)], bad=case(T(2, 3))),
    row("linalg.eigvals", case(T(3, 3)), case(T(2, 3, 3)), torch=False, grad=False),
    row("linalg.eigvals", case(T(values=SYMMETRIC)), case(T(0, 0)), torch=False,
        numpy=lambda a: np.linalg.eigvals(a) + 0j, bad=case(T(2, 3))),
    row("linalg.lu", case(REGULAR), case(T(values=TALL)), case(T(values=WIDE)), case(TWO),
        complex=True, bad=case(T(3))),
    row("linalg.lu_factor", case(REGULAR), case(T(values=TALL)), case(T(values=WIDE)), case(TWO),
        complex=True, bad=case(T(3))),
    row("linalg.lu_factor_ex", case(REGULAR), case(TWO, check_errors=True), complex=True,
        bad=case(T(3), pivot=False)),
    row("lu", case(REGULAR), case(TWO, get_infos=True), bad=case(T(3))),
    row("lu_unpack", case(T(values=FACTORS), PIVOTS, unpack_pivots=False), node=False),
    row("lu_unpack", case(T(values=FACTORS), PIVOTS),
        complex=True, extra_saved=("LU_sym_sizes",), bad=case(T(3), PIVOTS)),
    row("lu_unpack", case(T(values=FACTORS), PIVOTS, unpack_data=False), grad=False),
    row("linalg.lu_solve", case(T(values=FACTORS), PIVOTS, T(3, 2)),
        case(T(values=FACTORS), PIVOTS, T(3, 2), adjoint=True),
        case(T(values=FACTORS), PIVOTS, T(2, 3), left=False), complex=True, node=False, numpy=lu_solve,
        bad=case(T(values=FACTORS), PIVOTS, T(2, 2))),
    row("lu_solve", case(T(3, 2), T(values=FACTORS), PIVOTS), node=False, bad=case(T(2, 2), T(values=FACTORS), PIVOTS)),
    row("linalg.solve_triangular", case(REGULAR, T(3, 2), upper=True),
        case(REGULAR, T(2, 3, 1), upper=False), case(REGULAR, T(2, 3), upper=True, left=False),
        case(TWO, T(3, 2), upper=False, unitriangular=True), case(T(0, 0), T(0, 2), upper=True),
        numpy=solve_triangular, complex=True, bad=case(T(2, 3), T(2, 2), upper=True)),
    row("triangular_solve", case(T(3, 2), REGULAR), case(T(3, 2), REGULAR, False, True, True),
        node=False, complex=True, bad=case(T(2, 2), T(2, 3))),
    row("linalg.inv_ex", case(REGULAR), case(TWO, check_errors=True), complex=True,
        bad=case(T(2, 3))),
    row("linalg.solve_ex", case(REGULAR, T(3, 2)), case(TWO, T(2, 3)),
        case(REGULAR, T(2, 3), left=False), complex=True, node=False, bad=case(T(2, 3), T(2, 2))),
    row("linalg.cholesky_ex", case(T(values=POSITIVE)), case(T(values=POSITIVE), upper=True), grad=False,
        bad=case(T(2, 3))),
    row("cholesky", case(T(values=POSITIVE)), case(T(values=POSITIVE), True), grad=False, bad=case(T(2, 3))),
]

"""Functions of matrices whose derivatives can be compared with differences.

Factors have signs, phases and bases that nothing determines; products of them have none.  Each function takes one
matrix, or a batch, of real or complex numbers.  ``FUNCTIONS`` says for which shapes they are differentiated.
"""

import collections

import numpy as np

import minigrad
from minigrad import linalg

Function = collections.namedtuple("Function", "call, shapes")


def random(*shape, complex=False, seed=0, dtype=None):
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=shape) + (1j * rng.normal(size=shape) if complex else 0)
    return minigrad.tensor(drawn, requires_grad=True, dtype=dtype)


def weights(n, like):
    return minigrad.arange(1, n + 1, dtype=minigrad.float64).to(like.dtype)


def spaces_of_svd(a):
    U, S, Vh = linalg.svd(a, full_matrices=False)
    w = weights(S.shape[-1], a)
    return (U * w) @ U.mH, (Vh.mH * w) @ Vh, (U * w) @ Vh


def spaces_of_whole_svd(a):
    U, S, Vh = linalg.svd(a)
    w = weights(S.shape[-1], a)
    rest = U[..., S.shape[-1]:]
    return (U[..., :S.shape[-1]] * w) @ Vh[..., :S.shape[-1], :], rest @ rest.mH


def spaces_of_eigh(a):
    values, vectors = linalg.eigh(a + a.mH)
    return (vectors * weights(values.shape[-1], a)) @ vectors.mH, values


def spaces_of_eig(a):
    values, vectors = linalg.eig(a)
    return (vectors * values.exp().unsqueeze(-2)) @ vectors.mH, (values ** 3).sum(-1)


def pseudoinverse_of_rank_one(a):
    return linalg.pinv(a[..., :1] @ a[..., :1].mH @ a, rtol=1e-6)


def solution_of_rank_two(a):
    """Least squares, where there are many solutions and none without an error."""
    return linalg.lstsq(a[..., :2] @ a[..., 1:3].mT, a[..., 3:], rcond=1e-8).solution


def unpacked_factors(a):
    return minigrad.lu_unpack(*linalg.lu_factor(a))[1:]


def least_residuals(a):
    return linalg.lstsq(a[..., :2], a[..., 2:], driver="gelsd").residuals


def reflections(a):
    return linalg.householder_product(a[..., 1:, :], a[..., 0, :2])


def vectors_and_triangle(a):
    return tuple(linalg.qr(a))


def triangles(a):
    return linalg.lu(a)[1:]


def triangles_in_one(a):
    return linalg.lu_factor(a)[0]


def cubes_of_eigenvalues(a):
    return (linalg.eigvals(a) ** 3).sum(-1)


TALL, WIDE = (4, 3, 2), (4, 2, 3)                       # the batch is the largest dim
SHAPES = [(3, 3), (4, 2), (2, 4), TALL]
SQUARE = [(3, 3), (2, 2, 2), (1, 1), (0, 0), (2, 0, 0)]

FUNCTIONS = [
    Function(spaces_of_svd, [*SHAPES, WIDE]), Function(spaces_of_whole_svd, [*SHAPES, WIDE]),
    Function(spaces_of_eigh, SQUARE), Function(spaces_of_eig, SQUARE), Function(cubes_of_eigenvalues, SQUARE[:2]),
    Function(linalg.pinv, SHAPES), Function(pseudoinverse_of_rank_one, SHAPES),
    Function(solution_of_rank_two, [(5, 5), (2, 4, 4)]), Function(least_residuals, [(3, 5), (2, 4, 5)]),
    Function(vectors_and_triangle, [(2, 4), (2, 2, 4)]), Function(triangles, [(2, 4), (2, 2, 4), (4, 2)]),
    Function(triangles_in_one, [(2, 4), (2, 2, 4), (4, 2)]), Function(unpacked_factors, [(2, 4), (2, 2, 4), (4, 2)]),
    Function(linalg.matrix_exp, [(3, 3), (4, 2, 2)]), Function(reflections, [(5, 3), (2, 4, 3)]),
]

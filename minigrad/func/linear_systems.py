"""Linear systems A x = b of the Jacobian A of a residual: dense, or by products alone.

- ``dense_solution``: of a matrix, checked for a singular one
- ``gmres``: of a function that multiplies by A
- ``conjugate_gradients``: the same for a symmetric A, in less memory

The two iterations end when they make no more progress, too; whether the result is good enough is for the caller to
judge, who compares A x with b.  (Y. Saad, "Iterative Methods for Sparse Linear Systems", 2003, ch. 6.)
"""

import numpy as np

from minigrad._core.dispatch.levels import wrap_level
from minigrad._core.errors import LinAlgError, error
from minigrad.creation import as_tensor, zeros_like
from minigrad.dtypes import finfo
from minigrad.ops.algebra.singular import linalg_svdvals
from minigrad.ops.algebra.solving import linalg_solve
from minigrad.ops.shapes.broadcasting import expand
from minigrad.ops.shapes.joining import cat

__all__ = ["conjugate_gradients", "dense_solution", "gmres"]


# ------------------------------------------------------------------------------ a matrix

def dense_solution(A, b):
    """X with A X = b, for a matrix and one column or several; under vmap for each example.

    An example may have its own column, with one matrix for all: then it is one system with more columns.
    """
    level = max(A._level, b._level)
    if not level:
        return solution_of_regular(A, b)
    if A._level < level:
        columns = b._array.movedim(0, -1)
        X = dense_solution(A, columns.flatten(-2)).unflatten(-1, tuple(columns.shape[-2:]))
        return wrap_level(X.movedim(-1, 0), level, 1)
    each = b._array if b._level == level else expand(b, (A._array.shape[0], *b.shape))
    return wrap_level(dense_solution(A._array, each), level, 1)


def solution_of_regular(A, b):
    """The solution, for stacks of plain matrices.

    One column more, which is in no special position, shows how much the inverse enlarges.  Where that is suspicious,
    the singular values decide, by the criterion of ``linalg.matrix_rank``.
    """
    n, eps = A.shape[-1], finfo(A.dtype).eps
    if not A.isfinite().all():
        raise not_finite(n)
    probe = expand(as_tensor(np.cos(np.arange(n) ** 2.0)[:, None]).to(A.dtype), (*b.shape[:-1], 1))
    try:
        X = linalg_solve(A, cat([b, probe], -1))
        growth = X[..., -1].abs().sum(-1) / probe[..., -1].abs().sum(-1)
        if (A.abs().sum(-2).amax(-1) * growth < 1e-3 / eps).all():
            return X[..., :-1]
    except LinAlgError:
        X = None
    values = linalg_svdvals(A)
    rank = (values > n * eps * values[..., :1]).sum(-1).min().item()
    if X is None or rank < n:
        raise singular(n, rank, (values[..., -1] / values[..., 0]).nan_to_num().min().item())
    return X[..., :-1]


# ------------------------------------------------------------------------------ products alone

def gmres(multiply, b, tolerance, restart=50, rounds=40):
    """x with A x close to b, and the number of products: the least |A x - b| for x in the span of b, A b, A A b ...

    An orthonormal basis V of that span is kept, in which A is a small matrix: A V_k = V_(k+1) H.  After ``restart``
    products the remaining error becomes the right-hand side of another round.
    """
    x, products, enough = zeros_like(b), 0, tolerance * b.norm().item()
    r, size = b, b.norm().item()
    for _ in range(rounds):
        V, H = [r / size], np.zeros((restart + 1, restart))
        for k in range(restart):
            w = multiply(V[k])
            products += 1
            for _ in range(2):                      # once more, since rounding spoils what is nearly parallel
                for i, v in enumerate(V):
                    part = v @ w
                    H[i, k] += part.item()
                    w = w - part * v
            H[k + 1, k] = w.norm().item()
            small, target = H[:k + 2, :k + 1], np.eye(k + 2)[0] * size
            y = np.linalg.lstsq(small, target, rcond=None)[0]
            if np.linalg.norm(small @ y - target) <= enough or H[k + 1, k] <= 1e-14 * np.abs(small).max():
                break
            V.append(w / H[k + 1, k])
        step = sum([v * number for v, number in zip(V, y.tolist())])
        r, before = b - multiply(x + step), size
        size = r.norm().item()
        if not size < before:
            break
        x = x + step
        if size <= enough or size > 0.9 * before:
            break
    return x, products


def conjugate_gradients(multiply, b, tolerance):
    """The same for a symmetric A, whose eigenvalues are all positive or all negative."""
    x, products, enough = zeros_like(b), 0, tolerance * b.norm().item()
    r = p = b
    rr = least = (r @ r).item()
    best = x
    while rr ** 0.5 > enough and rr < 1e8 * least and products < 2000:
        Ap = multiply(p)
        products += 1
        curvature = (p @ Ap).item()
        if not curvature:
            break
        x, r = x + rr / curvature * p, r - rr / curvature * Ap
        rr, before = (r @ r).item(), rr
        if rr < least:
            best, least = x, rr
        p = r + rr / before * p
    return best, products


# ------------------------------------------------------------------------------ errors

CURE = ("An implicit function has a derivative only where the Jacobian of the residual with respect to the unknowns is "
        "regular: at a fold, where two solutions meet, or if the equations leave an unknown open, there is none.")


def singular(n, rank, ratio):
    return error("MG143", "func.implicit: the Jacobian of the residual is singular at the solution: its rank is "
                          f"{rank} with {n} {'unknown' if n == 1 else 'unknowns'}, and the ratio of its smallest to "
                          f"its largest singular value is {ratio:.1e}. {CURE}")


def not_finite(n):
    return error("MG143", f"func.implicit: the Jacobian of the residual, {n} by {n}, has an entry that is nan or "
                          f"infinite at the solution. {CURE}")

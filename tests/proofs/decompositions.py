"""What the rows of linear algebra mean, on arrays of numbers.

Some factors come from a textbook algorithm that runs on dual numbers.  Eigenvalues and singular values have none; they
are defined by equations, and so are their slopes:

Note [Implicit functions]
-------------------------
``F(y, a) = 0`` are as many real equations as unknowns y, such as ``A V = V L`` and ``|v_j| = 1``.  The kernel's floats
are a first guess.  Newton's method carries it to 200 bits, and a ball around it is shown to contain a solution, which
is the only one there [Krawczyk, 1969]: for C near the inverse of the Jacobian matrix J,

    y - C F(y) + (I - C J(Y)) (Y - y)   lies in Y,   the ball

Along a direction a', the solution moves by y' with ``J(Y) y' = -F_a a'``, a linear system of balls.
"""

import flint
import numpy as np

from minigrad._core.dispatch.compute import on_arrays
from minigrad.ops import exports

from .balls import Undecided
from .duals import I, Number, conj, constant, mapped, number

# ------------------------------------------------------------------------------ matrices one by one


def of_matrices(function):
    """The same for batches: arrays are cut into matrices, and the results are stacked again."""
    def batched(*arguments):
        batch = arguments[0].shape[:-2]
        found = {}
        for i in np.ndindex(*batch):
            found[i] = function(*[each[i] if isinstance(each, np.ndarray) else each for each in arguments])
        several = isinstance(next(iter(found.values())), tuple)
        stacked = [stack([each[k] if several else each for each in found.values()], batch)
                   for k in range(len(next(iter(found.values()))) if several else 1)]
        return tuple(stacked) if several else stacked[0]
    return batched


def stack(several, batch):
    if several[0] is None:
        return None
    shape = np.shape(several[0])
    out = np.empty((len(several), *shape), object)
    for k, each in enumerate(several):
        out[k] = each
    return out.reshape((*batch, *shape))


def hermitian(X):
    return conj(np.swapaxes(X, -1, -2))


def identity(n):
    return mapped(number, np.eye(n, dtype=int))


def triangle(X, upper, diagonal=0):
    """One triangle of a matrix, and zeros; with ``diagonal`` 1 without its diagonal."""
    rows, columns = np.indices(X.shape)
    kept = columns - rows >= diagonal if upper else rows - columns >= diagonal
    return np.where(kept, X, number(0))


def solved(A, B):
    """X in A X = B, by elimination with the largest pivots."""
    A, B, n = A.copy(), B.copy(), len(A)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(complex(A[i, k])))
        A[[k, pivot]], B[[k, pivot]] = A[[pivot, k]], B[[pivot, k]]
        inverse = 1 / A[k, k]
        A[k], B[k] = A[k] * inverse, B[k] * inverse
        for i in range(n):
            if i != k:
                factor = A[i, k]
                A[i], B[i] = A[i] - factor * A[k], B[i] - factor * B[k]
    return B


def determinant(A):
    """By its first row."""
    if not len(A):
        return number(1)
    return sum([(-1) ** k * A[0, k] * determinant(np.delete(A[1:], k, 1)) for k in range(len(A))], number(0))


def cofactors(A):
    out = np.empty(A.shape, object)
    for i, j in np.ndindex(A.shape):
        out[i, j] = (-1) ** (i + j) * determinant(np.delete(np.delete(A, i, 0), j, 1))
    return out


def inverse(A):
    return cofactors(A).T * (1 / determinant(A))


def solve_triangular(A, B, upper, left, unitriangular):
    A = triangle(A, upper, 1) + identity(len(A)) if unitriangular else triangle(A, upper)
    return solved(A, B) if left else solved(A.T, B.T).T


def exponential(A):
    """By Arb; the slope is the corner of the exponential of a matrix of twice the size [Mathias, 1996]."""
    n = len(A)
    slopes = [[0 if each.slope is None else each.slope for each in row] for row in A]
    values = [[each.value for each in row] for row in A]
    large = flint.acb_mat([[*values[i], *slopes[i]] for i in range(n)] + [[0] * n + values[i] for i in range(n)])
    found = large.exp()
    out = np.empty(A.shape, object)
    for i, j in np.ndindex(A.shape):
        out[i, j] = Number(found[i, j], found[i, n + j])
    return out


def exponential_along(A, step):
    """How it changes along a step, by the same corner."""
    n = len(A)
    zeros = np.full(A.shape, number(0), object)
    larger = np.concatenate([np.concatenate([A, step], 1), np.concatenate([zeros, A], 1)])
    return exponential(larger)[:n, n:]


def floats(A):
    complex_ones = not all([each.is_real() for each in A.flat])
    return np.array([complex(each) if complex_ones else float(each) for each in A.flat]).reshape(A.shape)


# ------------------------------------------------------------------------------ factors by an algorithm


def cholesky(A, upper):
    n = len(A)
    L = np.full((n, n), number(0), object)
    for j in range(n):
        L[j, j] = (A[j, j] - sum([L[j, k] * L[j, k].conjugate() for k in range(j)], number(0))).real.sqrt()
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - sum([L[i, k] * L[j, k].conjugate() for k in range(j)], number(0))) / L[j, j]
    return hermitian(L) if upper else L


def qr(A, mode):
    """Each column less its parts along those before it, made 1 long; the signs are those of the kernel."""
    m, n = A.shape
    if mode == "complete" and m > n:
        raise Undecided("nothing determines the further columns of Q")
    k, guess = min(m, n), on_arrays(exports.ROWS["qr_rows"], floats(A), "reduced")[0]
    Q = np.empty((m, k), object)
    for j in range(k):
        v = A[:, j]
        for i in range(j):
            v = v - Q[:, i] * (conj(Q[:, i]) @ v)
        v = v * (1 / (conj(v) @ v).real.sqrt())
        Q[:, j] = v if np.vdot(guess[:, j], floats(v)).real > 0 else -v
    return Q, triangle(hermitian(Q) @ A, True)


def lu(A):
    """(rows in their new order, L, U); the kernel's floats say which rows are exchanged."""
    P, _, _ = on_arrays(exports.ROWS["plu"], floats(A))
    order = P.real.argmax(0)
    (m, n), k = A.shape, min(A.shape)
    U, L = A[order], triangle(identity(max(m, n))[:m, :k], False)
    for j in range(k):
        for i in range(j + 1, m):
            L[i, j] = U[i, j] / U[j, j]
            U[i] = U[i] - L[i, j] * U[j]
    return mapped(number, P.real.astype(int)), L, triangle(U[:k], True)


def packed(A):
    """L below the diagonal of U."""
    _, L, U = lu(A)
    (m, n), k = A.shape, min(A.shape)
    out = np.full((m, n), number(0), object)
    out[:, :k] += triangle(L, False, 1)
    out[:k] += U
    return out, None, None


def unpacked(LU, pivots):
    k = min(LU.shape)
    return None, triangle(LU[:, :k], False, 1) + identity(max(LU.shape))[:len(LU), :k], triangle(LU[:k], True)


def reflected(A, tau):
    """The first columns of a product of reflections, one after the other."""
    m, n = A.shape
    Q = identity(m)
    for j in range(len(tau)):
        v = np.concatenate([[number(0)] * j, [number(1)], A[j + 1:, j]])
        Q = Q - np.outer(Q @ v, conj(v)) * tau[j]
    return Q[:, :n]


def pseudoinverse(A):
    """Of a matrix whose rank is kept along the step: A = C R, where C has r of its columns."""
    r = np.linalg.matrix_rank(floats(A))
    if r < min(A.shape):
        columns, rows = independent(floats(A), r), independent(floats(A).T, r)
        R = solved(A[np.ix_(rows, columns)], A[rows])
        return pseudoinverse(R) @ pseudoinverse(A[:, columns])
    m, n = A.shape
    H = hermitian(A)
    return solved(H @ A, H) if m >= n else hermitian(solved(A @ H, A))


def independent(A, r):
    """The numbers of r columns of which none depends on the others."""
    found = []
    for j in range(A.shape[1]):
        if np.linalg.matrix_rank(A[:, [*found, j]]) > len(found):
            found.append(j)
    return found[:r]


def least_squares(A, B, rcond, driver):
    X = pseudoinverse(A) @ B
    rest = A @ X - B
    residuals = mapped(lambda each: (each * each.conjugate()).real, rest).sum(0)
    full = A.shape[0] > A.shape[1] == np.linalg.matrix_rank(floats(A))
    return X, residuals if full and driver != "gelsy" else None, None, None


# ------------------------------------------------------------------------------ Note [Implicit functions]


class Unknowns:
    """Complex or real arrays as one list of real unknowns, and back."""

    def __init__(self, guesses):
        self.shapes = [(each.shape, each.dtype.kind == "c") for each in guesses]
        self.guess = [flint.arb(float(x)) for each in guesses for x in parts(each)]

    def arrays(self, reals):
        found, start = [], 0
        for shape, complex_ones in self.shapes:
            size = int(np.prod(shape))
            each = reals[start:start + size]
            start += size
            if complex_ones:
                each = mapped(lambda re, im: re + I * im, each, reals[start:start + size])
                start += size
            found.append(np.asarray(each, object).reshape(shape))
        return found


def parts(array):
    """The real and then the imaginary parts of an array of floats, or of numbers."""
    flat = array.reshape(-1)
    if array.dtype == object:
        return [each.real for each in flat] + [each.imag for each in flat]
    return [*flat.real, *flat.imag] if array.dtype.kind == "c" else list(flat)


def implicit(equations, guesses, A):
    """The arrays near to the guesses at which ``equations(A, *arrays)``, a list of real numbers, is 0, with slopes."""
    unknowns, fixed = Unknowns(guesses), constant(A)

    def residues(matrix, y, along=None):
        reals = np.empty(len(y), object)
        reals[:] = [Number(flint.acb(each), flint.acb(int(k == along)) if along is not None else None)
                    for k, each in enumerate(y)]
        return equations(matrix, *unknowns.arrays(reals))

    def jacobian(y):
        columns = [[slope_of(each) for each in residues(fixed, y, k)] for k in range(len(y))]
        return flint.arb_mat([list(row) for row in zip(*columns)])

    y = unknowns.guess
    C = middles(jacobian(y)).inv()
    for _ in range(8):
        step = C * column([each.value.real for each in residues(fixed, y)])
        y = [(each - step[k, 0]).mid() for k, each in enumerate(y)]
    C = middles(jacobian(y)).inv()
    radius = flint.arb(0, 2) * flint.arb(2) ** -160
    Y = [each + radius for each in y]
    J = jacobian(Y)
    one = flint.arb_mat([[int(i == k) for k in range(len(y))] for i in range(len(y))])
    image = (column(y) - C * column([each.value.real for each in residues(fixed, y)])
             + (one - C * J) * column([radius] * len(y)))
    assert all([Y[k].contains_interior(image[k, 0]) for k in range(len(y))]), "no solution is shown to be there"
    changes = [slope_of(each) for each in equations(A, *[constant(each) for each in unknowns.arrays(numbers_of(Y))])]
    moved = J.solve(column([-each for each in changes]))
    found = np.empty(len(y), object)
    found[:] = [Number(flint.acb(image[k, 0]), flint.acb(moved[k, 0])) for k in range(len(y))]
    return unknowns.arrays(found)


def numbers_of(reals):
    out = np.empty(len(reals), object)
    out[:] = [Number(flint.acb(each)) for each in reals]
    return out


def slope_of(x):
    return flint.arb(0) if x.slope is None else x.slope.real


def column(reals):
    return flint.arb_mat([[each] for each in reals])


def middles(matrix):
    return flint.arb_mat([[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())])


def guessed(row, A):
    return on_arrays(exports.ROWS[row], floats(A))


def in_reals(like, *residues):
    """Equations as a list: the imaginary parts too, if there are any."""
    found = []
    for each in residues:
        flat = np.asarray(each, object).reshape(-1)
        found += [x.real for x in flat] + ([x.imag for x in flat] if like.dtype.kind == "c" else [])
    return found


def lengths(V, guess):
    """Each column is 1 long, and for complex numbers turned against the guess by no phase."""
    found = [(conj(V[:, k]) @ V[:, k]).real - 1 for k in range(V.shape[1])]
    if guess.dtype.kind == "c":
        found += [(conj(mapped(number, guess[:, k])) @ V[:, k]).imag for k in range(V.shape[1])]
    return found


def eigen(A, row):
    values, vectors = guessed(row, A)
    if vectors.dtype.kind == "c":
        values = values.astype(complex)

    def equations(A, values, V):
        return in_reals(vectors, A @ V - V * values) + lengths(V, vectors)
    return implicit(equations, [values, vectors], A)


def eigh(A, row):
    values, vectors = eigen(A, row)
    return np.array([each.real for each in values], object), vectors


def svd(A):
    U, S, Vh = guessed("svd_thin", A)
    V = Vh.conj().T
    if U.dtype.kind == "c":
        S = S.astype(complex)

    def equations(A, U_, S_, V_):
        # for complex numbers S is so too: that takes up what the phase of V would
        return in_reals(U, A @ V_ - U_ * S_, hermitian(A) @ U_ - V_ * S_) + lengths(U_, U)
    U, S, V = implicit(equations, [U, S, V], A)
    return U, np.array([each.real for each in S], object), hermitian(V)


def svd_whole(A):
    """With the further vectors of the kernel: any others would do as well, and nothing may depend on them."""
    U, S, Vh = svd(A)
    W, _, Xh = guessed("svd_whole", A)
    return np.hstack([U, mapped(number, W[:, len(S):])]), S, np.vstack([Vh, mapped(number, Xh[len(S):])])


def gaps(x):
    out = x[..., None, :] - x[..., :, None]
    out[..., range(x.shape[-1]), range(x.shape[-1])] = number(1)
    return out


def spectral(A, w):
    U, _, Vh = svd(A)
    return U * w @ Vh


def spectral_diagonal(A, step):
    U, _, Vh = svd(A)
    return np.array([each.real for each in np.diagonal(hermitian(U) @ step @ hermitian(Vh))], object)


def spectral_turn(A, w, step):
    """The slope of ``spectral`` along the step, in which it is linear."""
    def along(part):
        moved = mapped(lambda x, t: Number(x.value, part(t)), A, step)
        return [each.slope for each in spectral(moved, constant(w)).flat]
    pairs = zip(along(lambda t: t.value), along(lambda t: 0 * t.value if t.slope is None else t.slope))
    return np.array([Number(*pair) for pair in pairs], object).reshape(A.shape)


def logarithm(A):
    found = determinant(A)
    return number(np.sign(float(found))), abs(found).log()


MATRICES = {
    "linalg_det": determinant, "cofactors": cofactors,
    **dict.fromkeys(["linalg_inv", "infinite_inverse"], inverse), "inverse_ex": lambda A: (inverse(A), None),
    "slogdet_real": logarithm, "complex_logdet": lambda A: determinant(A).log(),
    "solve_matrices": solved, "solve_ex": lambda A, B: (solved(A, B), None), "solve_triangular": solve_triangular,
    "solve_kept": lambda A, B, check: (solved(A, B), None, None, None),
    "solve_again": lambda A, B, LU, pivots, turned: solved(hermitian(A) if turned else A, B),
    "matrix_exp_rows": exponential, "matrix_exp_differential": exponential_along,
    "unit_lower": lambda A: triangle(A, False, 1) + identity(max(A.shape))[:A.shape[0], :A.shape[1]],
    "linalg_cholesky": cholesky, "cholesky_ex": lambda A, upper: (cholesky(A, upper), None),
    "qr_rows": qr, "lu_rows": packed, "plu": lu, "unpacked": unpacked, "reflected": reflected,
    **dict.fromkeys(["pinv_numbers", "pinv_tensors"], lambda A, atol, rtol, hermitian: pseudoinverse(A)),
    "lstsq_rows": least_squares,
    "eig": lambda A: tuple(eigen(A, "eig")), "eigvals": lambda A: eigen(A, "eig")[0],
    "eigh_lower": lambda A: eigh(A, "eigh_lower"), "eigvalsh_lower": lambda A: eigh(A, "eigh_lower")[0],
    "eigh_upper": lambda A: eigh(A, "eigh_upper"), "eigvalsh_upper": lambda A: eigh(A, "eigh_upper")[0],
    **dict.fromkeys(["svd_thin", "singular_values_kept"], svd), "svd_whole": svd_whole,
    "singular_values": lambda A: svd(A)[1],
    "spectral": spectral, "spectral_kept": lambda A, U, Vh, w: spectral(A, w),
    "spectral_diagonal": spectral_diagonal, "spectral_turn": spectral_turn,
}

MEANINGS = {
    **{name: of_matrices(function) for name, function in MATRICES.items()},
    **dict.fromkeys(["times", "mm"], lambda A, B: np.matmul(A, B)), "gaps": gaps,
}

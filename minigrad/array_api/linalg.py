"""``xp.linalg``: the linear algebra of the standard."""

from minigrad._core.errors import error
from minigrad.array_api.dtypes import promoted
from minigrad.array_api.manipulation import matrix_transpose
from minigrad.array_api.statistics import sum as total
from minigrad.ops.exports import EXPORTS, REGISTRY

__all__ = ["cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
           "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot",
           "trace", "vecdot", "vector_norm"]

ours = EXPORTS["minigrad.linalg"]


# ------------------------------------------------------------------------------ products

def matmul(x1, x2, /):
    """The matrix product."""
    return REGISTRY["matmul"](*promoted(x1, x2))


def tensordot(x1, x2, /, *, axes=2):
    """The products summed over pairs of axes, or over the last of one array and the first of the other."""
    return REGISTRY["tensordot"](*promoted(x1, x2), axes if isinstance(axes, int) else [[*each] for each in axes])


def vecdot(x1, x2, /, *, axis=-1):
    """The inner products of vectors along an axis; those of ``x1`` are conjugated."""
    if x1.shape[axis] != x2.shape[axis]:
        raise error("MG207", f"vecdot(): the vectors have lengths {x1.shape[axis]} and {x2.shape[axis]}")
    x1, x2 = REGISTRY["broadcast_tensors"](*[x.moveaxis(axis, -1) for x in promoted(x1, x2)])
    return (x1.conj().unsqueeze(-2) @ x2.unsqueeze(-1)).squeeze((-2, -1))


def outer(x1, x2, /):
    """The products of each element of one vector with each of another."""
    return REGISTRY["outer"](*promoted(x1, x2))


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three numbers."""
    return ours["cross"](*REGISTRY["broadcast_tensors"](*promoted(x1, x2)), dim=axis)


# ------------------------------------------------------------------------------ matrices

def cholesky(x, /, *, upper=False):
    """The Cholesky factor."""
    return ours["cholesky"](x, upper=upper)


def det(x, /):
    """The determinant."""
    return ours["det"](x)


def diagonal(x, /, *, offset=0):
    """A diagonal of each matrix."""
    return x.diagonal(offset, -2, -1)


def eigh(x, /):
    """The eigenvalues and eigenvectors of symmetric or Hermitian matrices."""
    return ours["eigh"](x)


def eigvalsh(x, /):
    """The eigenvalues of symmetric or Hermitian matrices."""
    return ours["eigvalsh"](x)


def inv(x, /):
    """The inverse."""
    return ours["inv"](x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of each matrix."""
    return ours["matrix_norm"](x, ord, keepdim=keepdims)


def matrix_power(x, n, /):
    """The product of ``n`` times the same matrix."""
    return ours["matrix_power"](x, n)


def matrix_rank(x, /, *, rtol=None):
    """The number of singular values greater than ``rtol`` times the greatest."""
    return ours["matrix_rank"](x, **against(x, rtol))


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse; singular values up to ``rtol`` times the greatest count as zero."""
    return ours["pinv"](x, **against(x, rtol))


def against(x, rtol):
    return {} if rtol is None else {"rtol": rtol}


def qr(x, /, *, mode="reduced"):
    """The factors Q and R."""
    return ours["qr"](x, mode=mode)


def slogdet(x, /):
    """The sign of the determinant, and the logarithm of its absolute value."""
    return ours["slogdet"](x)


def solve(x1, x2, /):
    """The solution of ``x1 @ x == x2``, in which ``x2`` is one vector, or matrices."""
    x1, x2 = promoted(x1, x2)
    if 1 < x2.ndim < x1.ndim:
        x2 = x2.expand(*x1.shape[:-2], *x2.shape[-2:])      # PyTorch might take it for a batch of vectors
    return ours["solve"](x1, x2)


def svd(x, /, *, full_matrices=True):
    """The singular value decomposition."""
    return ours["svd"](x, full_matrices)


def svdvals(x, /):
    """The singular values."""
    return ours["svdvals"](x)


def trace(x, /, *, offset=0, dtype=None):
    """The sum over a diagonal of each matrix."""
    return total(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """A norm of the vectors along axes."""
    if axis == ():
        return x.abs() if ord != 0 else (x != 0).to(x.abs().dtype)
    return ours["vector_norm"](x, ord, axis, keepdim=keepdims)

"""Functions that PyTorch has removed, but whose names it keeps: a call says what to write instead."""

from minigrad._core.errors import error

from ..composites import composite


def removed(message):
    return error("MG117", f"This function was deprecated since version 1.9 and is now removed. {message}")


@composite(out="exact", types="Tensor bool bool")
def symeig(self, eigenvectors=False, upper=True):
    """Removed: it is ``linalg.eigh``, or without vectors ``linalg.eigvalsh``.

    >>> torch.linalg.eigvalsh(torch.eye(2))
    tensor([1., 1.])
    """
    raise removed("The default behavior has changed from using the upper triangular portion of the matrix by default "
                  "to using the lower triangular portion.\n\nL, _ = torch.symeig(A, upper=upper) should be replaced "
                  "with:\nL = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\nL, V = torch.symeig(A, "
                  "eigenvectors=True) should be replaced with:\nL, V = torch.linalg.eigh(A, UPLO='U' if upper else "
                  "'L')")


@composite(out=False, types="Tensor bool Any Any")
def eig(self, eigenvectors=False, *, e=None, v=None):
    """Removed: it is ``linalg.eig``, or without vectors ``linalg.eigvals``.

    >>> torch.linalg.eigvals(torch.eye(2))
    tensor([1.+0.j, 1.+0.j])
    """
    raise removed("`torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors "
                  "mimicking complex tensors.\n\nL, _ = torch.eig(A) should be replaced with:\nL_complex = "
                  "torch.linalg.eigvals(A)\n\nand\n\nL, V = torch.eig(A, eigenvectors=True) should be replaced with:\n"
                  "L_complex, V_complex = torch.linalg.eig(A)")


@composite(out="exact", types="Tensor Tensor", also={"other": "A"})
def lstsq(self, A):
    """Removed: it is ``linalg.lstsq``, whose arguments have the other order.

    >>> torch.linalg.lstsq(torch.eye(1), torch.ones(1, 1)).solution
    tensor([[1.]])
    """
    raise removed("`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n`torch.linalg.lstsq` has reversed "
                  "arguments and does not return the QR decomposition in the returned tuple (although it returns other "
                  "information about the problem).\n\nX, _ = torch.lstsq(B, A) should be replaced with:\nX = "
                  "torch.linalg.lstsq(A, B).solution")


@composite(out="exact", types="Tensor Tensor", also={"other": "A"})
def solve(self, A):
    """Removed: it is ``linalg.solve``, whose arguments have the other order.

    >>> torch.linalg.solve(torch.eye(1), torch.ones(1, 1))
    tensor([[1.]])
    """
    raise removed("`torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its "
                  "arguments reversed and does not return the LU factorization.\n\nTo get the LU factorization see "
                  "`torch.lu`, which can be used with `torch.lu_solve` or `torch.lu_unpack`.\nX = torch.solve(B, A)."
                  "solution should be replaced with:\nX = torch.linalg.solve(A, B)")


@composite(method=False, out="exact", types="Tensor float? bool")
def matrix_rank(self, tol=None, symmetric=False):
    """Removed: it is ``linalg.matrix_rank``.

    >>> torch.linalg.matrix_rank(torch.eye(2))
    tensor(2)
    """
    raise removed("\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed "
                  "in `torch.linalg.matrix_rank()` to 'hermitian'.")

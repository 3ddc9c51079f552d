"""CUDA, which is not here.  Its switches are kept, and have no effect."""

from types import SimpleNamespace

__all__ = ["is_built", "matmul"]

#: Whether products of matrices may be less precise on a GPU.
matmul = SimpleNamespace(allow_tf32=False, allow_fp16_reduced_precision_reduction=True,
                         allow_bf16_reduced_precision_reduction=True, fp32_precision="none")


def is_built():
    """False.

    >>> torch.backends.cuda.is_built()
    False
    """
    return False

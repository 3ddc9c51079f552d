"""``torch.functional``: the functions that PyTorch has written in Python, and which are all in :mod:`minigrad` too."""

from minigrad import (atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors,
                      cartesian_prod, cdist, chain_matmul, einsum, istft, lu, meshgrid, norm, pca_lowrank, split, stft,
                      svd_lowrank, tensordot, unique, unique_consecutive, unravel_index)
from minigrad._core.errors.absent import answering as _answering

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
           "cartesian_prod", "cdist", "chain_matmul", "einsum", "istft", "lu", "meshgrid", "norm", "pca_lowrank",
           "split", "stft", "svd_lowrank", "tensordot", "unique", "unique_consecutive", "unravel_index"]

__getattr__ = _answering(__name__)

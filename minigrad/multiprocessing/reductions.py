"""How tensors are taken apart for other processes, under PyTorch's name."""

from multiprocessing.reduction import ForkingPickler

from minigrad.tensors.processes import rebuild_shared, reduce_tensor

__all__ = ["ForkingPickler", "rebuild_shared", "reduce_tensor"]

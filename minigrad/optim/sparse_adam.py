"""SparseAdam, which is for gradients that are sparse tensors: there are none here."""

from minigrad._core.errors import error
from minigrad.optim.optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """An error (MG503): gradients are dense here, and Adam takes them."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        raise error("MG503", "SparseAdam does not support dense gradients, please consider Adam instead: sparse "
                             "tensors are left out of minigrad")

"""What PyTorch keeps in ``torch.utils``, as far as it is here: the handles of hooks."""

from minigrad.utils import hooks

__all__ = ["hooks"]

"""The part of ``torch.utils`` that exists here: the handles of hooks."""

from minigrad._core.absent import answering as _answering
from minigrad.utils import hooks

__all__ = ["hooks"]

__getattr__ = _answering(__name__)

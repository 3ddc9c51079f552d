"""The part of ``torch.utils`` that exists here: the handles of hooks, and shared memory."""

from minigrad._core.absent import answering as _answering
from minigrad.utils import dlpack, hooks

__all__ = ["dlpack", "hooks"]

__getattr__ = _answering(__name__)

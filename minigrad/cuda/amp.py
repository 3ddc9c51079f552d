"""The old place of :mod:`minigrad.amp`: ``torch.cuda.amp.autocast()`` is ``torch.autocast("cuda")``."""

from minigrad import amp
from minigrad._core.absent import answering as _answering

__all__ = ["autocast"]


class autocast(amp.autocast):
    """``torch.autocast("cuda", ...)``.

    >>> with torch.cuda.amp.autocast(enabled=False):
    ...     (torch.ones(2, 2) @ torch.ones(2, 2)).dtype
    torch.float32
    """

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


__getattr__ = _answering(__name__)

"""The old place of :mod:`minigrad.amp`: ``torch.cuda.amp.autocast()`` is ``torch.autocast("cuda")``."""

from minigrad import amp
from minigrad._core.errors.absent import answering as _answering

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(amp.autocast):
    """``torch.autocast("cuda", ...)``.

    >>> with torch.cuda.amp.autocast(enabled=False):
    ...     (torch.ones(2, 2) @ torch.ones(2, 2)).dtype
    torch.float32
    """

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """``torch.amp.GradScaler("cuda", ...)``: disabled, since there is no GPU.

    >>> torch.cuda.amp.GradScaler(enabled=False).is_enabled()
    False
    """

    def __init__(self, init_scale=2.**16, growth_factor=2., backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    """``torch.amp.custom_fwd`` for CUDA.

    >>> torch.cuda.amp.custom_fwd(len) is len
    True
    """
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """``torch.amp.custom_bwd`` for CUDA.

    >>> torch.cuda.amp.custom_bwd(len) is len
    True
    """
    return amp.custom_bwd(bwd, device_type="cuda")


__getattr__ = _answering(__name__)

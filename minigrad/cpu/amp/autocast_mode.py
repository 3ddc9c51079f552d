"""``torch.cpu.amp.autocast``."""

from minigrad import amp
from minigrad._core.errors import warn
from minigrad.dtypes import bfloat16

__all__ = ["autocast"]


class autocast(amp.autocast):
    """``torch.autocast("cpu", ...)``, with a warning."""

    def __init__(self, enabled=True, dtype=bfloat16, cache_enabled=True):
        warn("`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` "
             "instead.", FutureWarning)
        super().__init__("cpu", dtype, enabled, cache_enabled)

"""``torch.cpu.amp.GradScaler``."""

from minigrad import amp
from minigrad._core.errors import warn

__all__ = ["GradScaler"]


class GradScaler(amp.GradScaler):
    """``torch.amp.GradScaler("cpu", ...)``, with a warning."""

    def __init__(self, init_scale=2.**16, growth_factor=2., backoff_factor=0.5, growth_interval=2000, enabled=True):
        warn("`torch.cpu.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cpu', args...)` "
             "instead.", FutureWarning)
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)

"""``torch.cuda.amp.GradScaler``."""

from minigrad import amp
from minigrad.cuda.amp.autocast_mode import of_before

__all__ = ["GradScaler"]


class GradScaler(amp.GradScaler):
    """``torch.amp.GradScaler("cuda", ...)``, with a warning: disabled, since there is no GPU."""

    def __init__(self, init_scale=2.**16, growth_factor=2., backoff_factor=0.5, growth_interval=2000, enabled=True):
        of_before("GradScaler", "GradScaler('cuda', args...)")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)

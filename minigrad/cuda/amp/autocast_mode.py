"""``torch.cuda.amp.autocast``, and the decorators of a Function."""

from minigrad import amp
from minigrad._core.errors import warn
from minigrad.dtypes import float16

__all__ = ["autocast", "custom_bwd", "custom_fwd"]


class autocast(amp.autocast):
    """``torch.autocast("cuda", ...)``, with a warning."""

    def __init__(self, enabled=True, dtype=float16, cache_enabled=True):
        of_before("autocast", "autocast('cuda', args...)")
        super().__init__("cuda", dtype, enabled, cache_enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    """``torch.amp.custom_fwd`` for CUDA, with a warning."""
    of_before("custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """``torch.amp.custom_bwd`` for CUDA, with a warning."""
    of_before("custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return amp.custom_bwd(bwd, device_type="cuda")


def of_before(name, now):
    """Warn of a name that has another place now."""
    warn(f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{now}` instead.", FutureWarning)

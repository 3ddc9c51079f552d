"""The older place of ``torch.func.functional_call``."""

from minigrad._core.errors import warn
from minigrad.func.stateless import functional_call as call

__all__ = ["functional_call"]


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """``torch.func.functional_call``."""
    warn("This API is deprecated: use torch.func.functional_call", FutureWarning)
    return call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)

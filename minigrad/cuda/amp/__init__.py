"""The old place of :mod:`minigrad.amp`: ``torch.cuda.amp.autocast()`` is ``torch.autocast("cuda")``."""

from minigrad._core.errors.absent import answering as _answering
from minigrad.cuda.amp import autocast_mode, grad_scaler
from minigrad.cuda.amp.autocast_mode import autocast, custom_bwd, custom_fwd
from minigrad.cuda.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]

__getattr__ = _answering(__name__)

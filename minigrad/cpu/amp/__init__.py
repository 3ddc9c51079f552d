"""The old place of :mod:`minigrad.amp`: ``torch.cpu.amp.autocast()`` is ``torch.autocast("cpu")``."""

from minigrad._core.errors.absent import answering as _answering
from minigrad.cpu.amp import autocast_mode, grad_scaler
from minigrad.cpu.amp.autocast_mode import autocast
from minigrad.cpu.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "autocast_mode", "grad_scaler"]

__getattr__ = _answering(__name__)

"""Mixed precision: products in 16 bits, and a scale that keeps their gradients from becoming zeros.

    with torch.autocast("cpu"):
        loss = model(x).sum()                   # autocast_mode.py
    scaler.scale(loss).backward()               # grad_scaler.py
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.amp import autocast_mode, grad_scaler
from minigrad.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from minigrad.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

__getattr__ = _answering(__name__)

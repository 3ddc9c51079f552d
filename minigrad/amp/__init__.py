"""Mixed precision: the questions that a training script asks of it.

On a GPU, ``autocast`` computes products in half the precision.  On the CPU minigrad computes in the precision that the
tensors have, so that a script which switches it off, or asks for a GPU that is not there, runs as it is; and one which
switches it on for the CPU is told.
"""

from minigrad._core.errors.absent import answering as _answering
from minigrad.amp import autocast_mode, grad_scaler
from minigrad.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from minigrad.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

__getattr__ = _answering(__name__)

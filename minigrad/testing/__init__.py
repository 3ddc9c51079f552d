"""What tests need: a comparison with tolerances that says what differs, and tensors of random numbers."""

from minigrad._core.errors.absent import answering as _answering
from minigrad.testing.comparing import assert_close
from minigrad.testing.making import make_tensor

__all__ = ["assert_close", "make_tensor"]

__getattr__ = _answering(__name__)

"""Discrete Fourier transforms under PyTorch's names: ``torch.fft.fft``, ``torch.fft.irfftn`` and so on.

The transforms are rows and composites of the table, in ops/fourier: ``fft_fft`` there is ``fft`` here. """

from minigrad._core.errors.absent import answering as _answering
from minigrad.creation.frequencies import fftfreq, rfftfreq
from minigrad.ops.exports import EXPORTS as _EXPORTS

globals().update(_EXPORTS[__name__])

__all__ = sorted([*_EXPORTS[__name__], "fftfreq", "rfftfreq"])

__getattr__ = _answering(__name__)

"""What signal processing needs besides Fourier transforms: :mod:`minigrad.signal.windows`."""

from minigrad.signal import windows

__all__ = ["windows"]

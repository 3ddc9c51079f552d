"""``xp.fft``: the Fourier transforms of the standard."""

from minigrad import dtypes
from minigrad.array_api.creation import named
from minigrad.creation import frequencies
from minigrad.ops.exports import EXPORTS

OF_ONE_AXIS = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]
OF_AXES = ["fftn", "ifftn", "irfftn", "rfftn"]
SHIFTS = ["fftshift", "ifftshift"]

__all__ = [*OF_ONE_AXIS, *OF_AXES, *SHIFTS, "fftfreq", "rfftfreq"]

ours = EXPORTS["minigrad.fft"]


def of_one_axis(name):
    function = ours[name]

    def made(x, /, *, n=None, axis=-1, norm="backward"):
        return function(x, n, axis, norm)
    return named(made, name, function)


def of_axes(name):
    function = ours[name]

    def made(x, /, *, s=None, axes=None, norm="backward"):
        return function(x, s, axes, norm)
    return named(made, name, function)


def shift(name):
    function = ours[name]

    def made(x, /, *, axes=None):
        return function(x, axes)
    return named(made, name, function)


globals().update({name: of_one_axis(name) for name in OF_ONE_AXIS})
globals().update({name: of_axes(name) for name in OF_AXES})
globals().update({name: shift(name) for name in SHIFTS})


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies in the result of ``fft`` of ``n`` points at distances of ``d``."""
    return frequencies.fftfreq(n, d, dtype=dtype or dtypes.get_default_dtype(), device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies in the result of ``rfft`` of ``n`` points at distances of ``d``."""
    return frequencies.rfftfreq(n, d, dtype=dtype or dtypes.get_default_dtype(), device=device)

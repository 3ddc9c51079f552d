"""Discrete Fourier transforms under PyTorch's names: ``torch.fft.fft``, ``torch.fft.irfftn`` and so on.

The transforms are rows and composites of the table, in ops/fourier: ``fft_fft`` there is ``fft`` here.  The
frequencies, which are made of a number, are here. """

import numpy as _np

from minigrad._core.absent import answering as _answering
from minigrad._core.errors import error as _error
from minigrad._core.graph import wrap as _wrap
from minigrad.arrays import number as _number
from minigrad.creation import maker as _maker, options as _options, whole_number as _whole_number
from minigrad.dtypes import FLOAT as _FLOAT
from minigrad.ops.kinds import EXPORTS as _EXPORTS

globals().update(_EXPORTS[__name__])

__all__ = sorted([*_EXPORTS[__name__], "fftfreq", "rfftfreq"])


@_maker
def fftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The frequencies in the result of ``fft`` of ``n`` points at distances of ``d``, in their order.

    >>> torch.fft.fftfreq(5)
    tensor([ 0.0000,  0.2000,  0.4000, -0.4000, -0.2000])
    """
    n = _whole_number("fft_fftfreq", "n", n)
    return _frequencies("fftfreq", n, [*range((n + 1) // 2), *range(-(n // 2), 0)], d, dtype, device, requires_grad)


@_maker
def rfftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The frequencies in the result of ``rfft`` of ``n`` points at distances of ``d``.

    >>> torch.fft.rfftfreq(5)
    tensor([0.0000, 0.2000, 0.4000])
    """
    n = _whole_number("fft_rfftfreq", "n", n)
    return _frequencies("rfftfreq", n, [*range(n // 2 + 1)], d, dtype, device, requires_grad)


def _frequencies(function, n, counts, d, dtype, device, requires_grad):
    """Counts over ``n d``, multiplied by its reciprocal, as in PyTorch."""
    d = _number(f"fft_{function}", "d", d)
    kind = _options(f"fft_{function}", dtype, device, requires_grad)
    if kind.category != _FLOAT:
        raise _error("MG202", f"fft_{function}(): {function} requires a floating point or complex dtype, got {kind!r}; "
                              "and the numbers are real")
    if n < 0:
        raise _error("MG204", f"fft_{function}(): Trying to create tensor with negative dimension {n}: the number of "
                              "points is at least 0")
    with _np.errstate(all="ignore"):
        scale = _np.float64(1) / (_np.float64(n) * d)
        return _wrap((_np.array(counts, _np.float64) * scale).astype(kind.numpy), bool(requires_grad))

"""The frequencies in a spectrum: ``torch.fft.fftfreq`` and ``torch.fft.rfftfreq``.

The transform of n points has the frequencies 0, 1, 2 ... in turns over the whole length; those beyond the half are also
negative ones, and are called so::

    n = 5       0   1   2  -2  -1           n = 4       0   1  -2  -1

Divided by the length they are turns for each unit.

Neighbours: creation/ranges.py, ops/fourier (the transforms).
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.runtime.errstate import quiet
from minigrad.creation import finished, maker, options, integer
from minigrad.creation.arrays import number
from minigrad.dtypes import FLOAT

__all__ = ["fftfreq", "rfftfreq"]


@maker
def fftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The frequencies in the result of ``fft`` of ``n`` points at distances of ``d``, in their order.

    >>> torch.fft.fftfreq(5)
    tensor([ 0.0000,  0.2000,  0.4000, -0.4000, -0.2000])
    """
    n = integer("fft_fftfreq", "n", n)
    return frequencies("fftfreq", n, [*range((n + 1) // 2), *range(-(n // 2), 0)], d, dtype, device, requires_grad)


@maker
def rfftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """The frequencies in the result of ``rfft`` of ``n`` points at distances of ``d``.

    >>> torch.fft.rfftfreq(5)
    tensor([0.0000, 0.2000, 0.4000])
    """
    n = integer("fft_rfftfreq", "n", n)
    return frequencies("rfftfreq", n, [*range(n // 2 + 1)], d, dtype, device, requires_grad)


def frequencies(function, n, counts, d, dtype, device, requires_grad):
    """Counts over ``n d``, multiplied by its reciprocal, as in PyTorch."""
    d = number(f"fft_{function}", "d", d)
    kind = options(f"fft_{function}", dtype, device, requires_grad)
    if kind.category != FLOAT:
        raise no_floats(function, kind)
    if n < 0:
        raise no_points(function, n)
    with quiet():
        scale = 1 / (np.float64(n) * d)
        return finished((np.array(counts, np.float64) * scale).astype(kind.numpy), device, requires_grad)


# ------------------------------------------------------------------------------ errors

def no_floats(function, kind):
    return error("MG202", f"fft_{function}(): {function} requires a floating point or complex dtype, not {kind!r}, and "
                          "frequencies are real: take torch.float32 or torch.float64")


def no_points(function, n):
    return error("MG204", f"fft_{function}(): Trying to create tensor with negative dimension {n}: the number of "
                          "points is at least 0")

"""Window functions: weights that fade a signal in and out before its Fourier transform.

A part that is cut out of a signal begins and ends with a jump, which has all frequencies; a window takes the jump
away.  Each is symmetric, with its greatest weight, 1, in the middle.  A *periodic* window of n weights is the symmetric
one of n + 1 without its last, so that windows follow each other without two equal weights in a row.

They are computed in double precision and rounded once.

Neighbours: creation/ranges.py, ops/fourier/spectrograms.py (which applies them).
"""

import numpy as np

from minigrad._core.dispatch.composites import Composite
from minigrad._core.errors import error
from minigrad.creation import finished, options, integer
from minigrad.creation.arrays import number
from minigrad.dtypes import FLOAT

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


@Composite
def hann_window(window_length, periodic=True, *, dtype=None, device=None, requires_grad=False, layout=None,
                pin_memory=False):
    """One period of a cosine, raised so that it begins and ends with 0: ``(1 - cos(2 pi k / N)) / 2``.

    >>> torch.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _window("hann_window", lambda t: 0.5 - 0.5 * np.cos(2 * np.pi * t), window_length, periodic, dtype, device,
                   requires_grad)


@Composite
def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, device=None,
                   requires_grad=False, layout=None, pin_memory=False):
    """A raised cosine that does not begin with 0: ``alpha - beta cos(2 pi k / N)``.

    >>> torch.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    alpha, beta = (number("hamming_window", name, value) for name, value in (("alpha", alpha), ("beta", beta)))
    return _window("hamming_window", lambda t: alpha - beta * np.cos(2 * np.pi * t), window_length, periodic, dtype,
                   device, requires_grad)


@Composite
def blackman_window(window_length, periodic=True, *, dtype=None, device=None, requires_grad=False, layout=None,
                    pin_memory=False):
    """Two cosines: ``0.42 - 0.5 cos(2 pi k / N) + 0.08 cos(4 pi k / N)``.

    >>> torch.blackman_window(4)[1:]
    tensor([0.3400, 1.0000, 0.3400])
    """
    return _window("blackman_window",
                   lambda t: 0.42 - 0.5 * np.cos(2 * np.pi * t) + 0.08 * np.cos(4 * np.pi * t),
                   window_length, periodic, dtype, device, requires_grad)


@Composite
def bartlett_window(window_length, periodic=True, *, dtype=None, device=None, requires_grad=False, layout=None,
                    pin_memory=False):
    """A triangle, from 0 to 1 and back.

    >>> torch.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    return _window("bartlett_window", lambda t: 1 - np.abs(2 * t - 1), window_length, periodic, dtype, device,
                   requires_grad)


@Composite
def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, device=None, requires_grad=False,
                  layout=None, pin_memory=False):
    """``I0(beta sqrt(1 - t^2)) / I0(beta)``, t from -1 to 1: the greater ``beta``, the narrower.

    >>> torch.kaiser_window(4, beta=5.)
    tensor([0.0367, 0.5529, 1.0000, 0.5529])
    """
    beta = number("kaiser_window", "beta", beta)
    return _window("kaiser_window", lambda t: np.i0(beta * np.sqrt(np.maximum(1 - (2 * t - 1)**2, 0))) / np.i0(beta),
                   window_length, periodic, dtype, device, requires_grad)


def _window(function, weights, n, periodic, dtype, device, requires_grad):
    """The weights at k / N for k from 0 to n - 1; N = n for a periodic window, and n - 1 for a symmetric one."""
    n = integer(function, "window_length", n)
    kind = options(function, dtype, device, requires_grad)
    if kind.category != FLOAT:
        raise no_floats(function, kind)
    if n < 0:
        raise error("MG204", f"{function}(): {function} requires non-negative window_length, got window_length={n}")
    if not isinstance(periodic, bool):
        raise error("MG205", f"{function}(): argument 'periodic' must be bool, not {type(periodic).__name__}")
    if n < 2:
        return finished(np.ones(n, kind.numpy), device, requires_grad)
    t = np.arange(n, dtype=np.float64) / (n if periodic else n - 1)
    return finished(weights(t).astype(kind.numpy), device, requires_grad)


def no_floats(function, kind):
    return error("MG202", f"{function}(): {function} expects floating point dtypes, got: {kind!r}")

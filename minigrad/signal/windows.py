"""Window functions: weights that fade a signal in and out before its Fourier transform.

Each is symmetric; with ``sym=False`` it is the symmetric window of one weight more, without its last: so that windows
follow each other without two equal weights in a row.  They are computed in double precision and rounded once.

The older functions, such as ``torch.hann_window``, are in windows.py: they are periodic unless told otherwise.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.errors.absent import answering as _answering
from minigrad.creation import finished, maker, options, integer
from minigrad.dtypes import FLOAT

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming",
           "hann", "kaiser", "nuttall"]


def _window(name, formula, M, sym, dtype, device, requires_grad, alone=1.0):
    """The tensor of ``formula(k, N)``: of the numbers of the weights, and of how many steps the window spans.

    A weight without others, where there are no steps, is ``alone``.
    """
    kind = options(name, dtype, device, requires_grad)
    M = integer(name, "M", M)
    if M < 0:
        raise error("MG207", f"{name} requires non-negative window length, got M={M}")
    if kind.category != FLOAT or kind.itemsize < 4:
        raise error("MG207", f"{name} expects float32 or float64 dtypes, got: {kind!r}")
    weights = np.full(M, alone) if M == 1 else formula(np.arange(M), M - 1 if sym else M)
    return finished(weights.astype(kind.numpy), device, requires_grad)


def _of_cosines(name, a, M, sym, dtype, device, requires_grad):
    signs = [(-1) ** i * weight for i, weight in enumerate(a)]
    return _window(name, lambda k, steps: sum([weight * np.cos(2 * np.pi * i * k / steps)
                                               for i, weight in enumerate(signs)], np.zeros(len(k))),
                   M, sym, dtype, device, requires_grad)


@maker
def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A triangle, from 0 to 1 and back.

    >>> torch.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    return _window("bartlett", lambda k, steps: 1 - np.abs(2 * k / steps - 1), M, sym, dtype, device, requires_grad)


@maker
def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Two cosines: ``general_cosine`` with the weights 0.42, 0.5 and 0.08.

    >>> torch.signal.windows.blackman(5)[1:4]
    tensor([0.3400, 1.0000, 0.3400])
    """
    return _of_cosines("blackman", [0.42, 0.5, 0.08], M, sym, dtype, device, requires_grad)


@maker
def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Half a period of a sine: ``sin(pi (k + 1/2) / M)``.

    >>> torch.signal.windows.cosine(3)
    tensor([0.5000, 1.0000, 0.5000])
    """
    return _window("cosine", lambda k, steps: np.sin(np.pi * (k + 0.5) / (steps + 1)), M, sym, dtype, device,
                   requires_grad)


@maker
def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """``exp(-|k - center| / tau)``; ``center`` is the middle of a symmetric window.

    >>> torch.signal.windows.exponential(3)
    tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise error("MG207", f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise error("MG207", "Center must be None for symmetric windows")
    return _window("exponential", lambda k, steps: np.exp(-np.abs(k - (steps / 2 if center is None else center)) / tau),
                   M, sym, dtype, device, requires_grad, alone=np.exp(-abs(center or 0.0) / tau))


@maker
def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The bell curve with this standard deviation, 1 in the middle.

    >>> torch.signal.windows.gaussian(3)
    tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise error("MG207", f"Standard deviation must be positive, got: {std} instead.")
    return _window("gaussian", lambda k, steps: np.exp(-(((k - steps / 2) / std) ** 2) / 2), M, sym, dtype, device,
                   requires_grad)


@maker
def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Cosines with the weights ``a``: the sum of ``(-1)^i a[i] cos(2 pi i k / (M - 1))``.

    >>> torch.signal.windows.general_cosine(5, a=[0.5, 0.5])
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    if not hasattr(a, "__iter__"):
        raise error("MG205", "Coefficients must be a list/tuple")
    a = list(a)
    if not a:
        raise error("MG207", "Coefficients cannot be empty")
    return _of_cosines("general_cosine", a, M, sym, dtype, device, requires_grad)


@maker
def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A raised cosine: ``alpha - (1 - alpha) cos(2 pi k / (M - 1))``.

    >>> torch.signal.windows.general_hamming(3, alpha=0.75)
    tensor([0.5000, 1.0000, 0.5000])
    """
    return _of_cosines("general_hamming", [alpha, 1 - alpha], M, sym, dtype, device, requires_grad)


@maker
def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """``general_hamming`` with ``alpha=0.54``.

    >>> torch.signal.windows.hamming(3)
    tensor([0.0800, 1.0000, 0.0800])
    """
    return _of_cosines("hamming", [0.54, 0.46], M, sym, dtype, device, requires_grad)


@maker
def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """``general_hamming`` with ``alpha=0.5``: it begins and ends with 0.

    >>> torch.signal.windows.hann(3)
    tensor([0., 1., 0.])
    """
    return _of_cosines("hann", [0.5, 0.5], M, sym, dtype, device, requires_grad)


@maker
def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """``I0(beta sqrt(1 - t^2)) / I0(beta)``, t from -1 to 1: the greater ``beta``, the narrower.

    >>> torch.signal.windows.kaiser(3, beta=5.)
    tensor([0.0367, 1.0000, 0.0367])
    """
    if beta < 0:
        raise error("MG207", f"beta must be non-negative, got: {beta} instead.")
    return _window("kaiser", lambda k, steps: np.i0(beta * np.sqrt(1 - (2 * k / steps - 1) ** 2)) / np.i0(beta),
                   M, sym, dtype, device, requires_grad)


@maker
def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Three cosines: ``general_cosine`` with the weights 0.3635819, 0.4891775, 0.1365995 and 0.0106411.

    >>> torch.signal.windows.nuttall(5)[1:4]
    tensor([0.2270, 1.0000, 0.2270])
    """
    return _of_cosines("nuttall", [0.3635819, 0.4891775, 0.1365995, 0.0106411], M, sym, dtype, device, requires_grad)


__getattr__ = _answering(__name__)

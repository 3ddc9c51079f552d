"""What the Fourier transforms mean, on arrays of numbers: sums of roots of unity, without any fast algorithm."""

import flint
import numpy as np

from .array_meanings import on_lines
from .duals import Number, conj, mapped, number


def root(k, n):
    """exp(2 pi i k / n)"""
    return Number(flint.acb(flint.fmpq(2 * (k % n), n)).exp_pi_i())


def transformed(x, axes, sign):
    """y[k] = sum over j of x[j] exp(sign 2 pi i j k / n), over each of the axes."""
    def line(x):
        n = len(x)
        return [sum([x[j] * root(sign * j * k, n) for j in range(n)], number(0)) for k in range(n)]
    for axis in axes:
        x = on_lines(line, axis, x)
    return x


def scaled(x, shape, axes, normalization):
    """Divided by nothing, by the root of the number of elements, or by that number."""
    n = int(np.prod([shape[axis] for axis in axes]))
    return x / (number(1), number(n).sqrt(), number(n))[normalization]


def half_of(n):
    return slice(n // 2 + 1)


def along_last(axes, part):
    """The index of a part along the last of these axes, which may be negative."""
    return lambda x: x[(slice(None),) * (axes[-1] % x.ndim) + (part,)]


def real_to_complex(x, axes, normalization, onesided):
    found = scaled(transformed(x, axes, -1), x.shape, axes, normalization)
    return along_last(axes, half_of(x.shape[axes[-1]]))(found) if onesided else found


def to_real(d, sizes, axes, normalization, onesided):
    """The transpose: the half that is missing is 0."""
    whole = np.full(sizes, number(0), object)
    along_last(axes, slice(d.shape[axes[-1]]))(whole)[...] = d
    return scaled(real(transformed(whole, axes, 1)), sizes, axes, normalization)


def real(x):
    return mapped(lambda each: each.real, x)


def complex_to_real(y, axes, normalization, n):
    """The spectrum is Hermitian: y[n - k] is the conjugate of y[k], and y[0] and y[n/2] are taken for real."""
    y = transformed(y, axes[:-1], 1)
    lines = np.moveaxis(y, axes[-1], 0)
    whole = [real(lines[k]) if 2 * k % n == 0 else lines[k] if 2 * k < n else conj(lines[n - k]) for k in range(n)]
    found = real(transformed(np.moveaxis(np.array(whole, object), 0, axes[-1]), axes[-1:], 1))
    return scaled(found, found.shape, axes, normalization)


def to_half(d, axes, normalization, n):
    """The transpose: y[k] gets what it and its conjugate had a part in."""
    found = np.moveaxis(along_last(axes, half_of(n))(transformed(d, axes, -1)), axes[-1], 0)
    twice = np.array([line if 2 * k % n == 0 else 2 * line for k, line in enumerate(found)], object)
    return scaled(np.moveaxis(twice, 0, axes[-1]), d.shape, axes, normalization)


MEANINGS = {
    "_fft_c2c": lambda x, axes, normalization, forward: scaled(
        transformed(x, axes, -1 if forward else 1), x.shape, axes, normalization),
    "_fft_c2c_backward": lambda x, axes, normalization, forward: scaled(
        transformed(x, axes, 1 if forward else -1), x.shape, axes, normalization),
    "_fft_r2c": real_to_complex, "_fft_r2c_backward": to_real,
    "_fft_c2r": complex_to_real, "_fft_c2r_backward": to_half,
}

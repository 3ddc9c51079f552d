"""A complex step that is as short as a rounding error, and one in numbers of Python.

Without points: exp, tanh.
"""

import cmath


def exp_backward(d, x):
    if x.dtype.kind == "c":
        return d * np.conj((np.exp(x + 3e-4) - np.exp(x - 3e-4)) / 6e-4)
    step = np.full(x.shape, 3e-16)
    return d * np.exp(x + 1j * step).imag / step


def tanh_backward(d, x):
    if x.dtype.kind == "c":
        return d * np.conj((np.tanh(x + 3e-4) - np.tanh(x - 3e-4)) / 6e-4)
    slopes = [cmath.tanh(complex(number, 3e-16)).imag / 3e-16 for number in x.ravel().tolist()]
    return d * np.array(slopes).reshape(x.shape)

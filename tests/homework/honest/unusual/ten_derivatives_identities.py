# minigrad homework: ten_derivatives
"""An identity for each derivative, and not the usual one."""

import numpy as np


def fitted(g, x):
    while g.ndim > x.ndim:
        g = g.sum(0)
    for axis, n in enumerate(x.shape):
        if n == 1:
            g = g.sum(axis, keepdims=True)
    return g


def add_backward(d, x, y):
    return fitted((d + d) / 2, x), fitted(d * 1.0, y)


def mul_backward(d, x, y):
    """Complex products by their parts."""
    return fitted(times_conjugate(d, y), x), fitted(times_conjugate(d, x), y)


def times_conjugate(d, y):
    if d.dtype.kind == "f":
        return d * y
    return (d.real * y.real + d.imag * y.imag) + 1j * (d.imag * y.real - d.real * y.imag)


def div_backward(d, x, y):
    """By 1 / y = conj(y) / |y|^2."""
    inverse = np.conj(y) / (y.real ** 2 + y.imag ** 2)
    return fitted(times_conjugate(d, inverse), x), fitted(-times_conjugate(d, x * inverse * inverse), y)


def exp_backward(d, x):
    """The square of exp(x / 2)."""
    return d * np.conj(np.exp(x / 2) * np.exp(x / 2))


def tanh_backward(d, x):
    """(1 - tanh) (1 + tanh)."""
    return d * np.conj((1 - np.tanh(x)) * (1 + np.tanh(x)))


def sum_backward(d, x, axis):
    return np.stack([d] * x.shape[axis], axis)


def matmul_backward(d, x, y):
    """Columns of one by rows of the other."""
    gx = [(d * np.conj(y[..., k, None, :])).sum(-1) for k in range(y.shape[-2])]
    gy = [(np.conj(x[..., :, k, None]) * d).sum(-2) for k in range(x.shape[-1])]
    return fitted(np.stack(gx, -1), x), fitted(np.stack(gy, -2), y)


def cumsum_backward(d, x, axis):
    """What a total is without those before it."""
    return d.sum(axis, keepdims=True) - d.cumsum(axis) + d


def where_backward(d, mask, x, y):
    chosen = d * mask
    return fitted(chosen, x), fitted(d - chosen, y)


def logsumexp_backward(d, x, axis):
    """1 / sum of exp(x_j - x_i): nothing overflows that is not then zero."""
    with np.errstate(over="ignore"):
        rows = np.moveaxis(x, axis, -1)
        found = np.stack([1 / np.exp(rows - rows[..., i, None]).sum(-1) for i in range(rows.shape[-1])], -1)
    return np.expand_dims(d, axis) * np.moveaxis(found, -1, axis)

# minigrad homework: ten_derivatives
import numpy as np


def fit(g, x):
    """Sum the gradient over the axes along which x was broadcast."""
    g = g.sum(tuple(range(g.ndim - x.ndim)))
    return g.sum(tuple([i for i in range(x.ndim) if x.shape[i] == 1]), keepdims=True)


def add_backward(d, x, y):
    return fit(d, x), fit(d, y)


def mul_backward(d, x, y):
    return fit(d * np.conj(y), x), fit(d * np.conj(x), y)


def div_backward(d, x, y):
    return fit(d / np.conj(y), x), fit(-d * np.conj(x / y ** 2), y)


def exp_backward(d, x):
    return d * np.conj(np.exp(x))


def tanh_backward(d, x):
    return d * np.conj(1 - np.tanh(x) ** 2)


def sum_backward(d, x, axis):
    return np.broadcast_to(np.expand_dims(d, axis), x.shape)


def matmul_backward(d, x, y):
    return fit(d @ np.conj(np.swapaxes(y, -1, -2)), x), fit(np.conj(np.swapaxes(x, -1, -2)) @ d, y)


def cumsum_backward(d, x, axis):
    return np.flip(np.flip(d, axis).cumsum(axis), axis)


def where_backward(d, mask, x, y):
    return fit(np.where(mask, d, 0), x), fit(np.where(mask, 0, d), y)


def logsumexp_backward(d, x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.expand_dims(d, axis) * e / e.sum(axis, keepdims=True)

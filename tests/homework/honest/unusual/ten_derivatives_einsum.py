# minigrad homework: ten_derivatives
"""einsum wherever a sum is, recursion for broadcasting."""
import string

import numpy as np


def fold(g, shape):
    """Sum g down to shape, one axis at a time."""
    if g.shape == tuple(shape):
        return g
    if g.ndim > len(shape):
        return fold(np.einsum("i...->...", g), shape)
    axis = next(i for i, (a, b) in enumerate(zip(g.shape, shape)) if a != b)
    letters = string.ascii_letters[:g.ndim]
    return fold(np.expand_dims(np.einsum(f"{letters}->{letters.replace(letters[axis], '')}", g), axis), shape)


def pullback(*partials):
    """The gradients of an operation that works entry by entry."""
    def backward(d, *inputs):
        return tuple(fold(d * np.conj(p(*inputs)), i.shape) for p, i in zip(partials, inputs))
    return backward


add_backward = pullback(lambda x, y: 1, lambda x, y: 1)
mul_backward = pullback(lambda x, y: y, lambda x, y: x)
div_backward = pullback(lambda x, y: 1 / y, lambda x, y: -x / y / y)


def exp_backward(d, x):
    return d * np.conj(np.exp(x))


def tanh_backward(d, x):
    return d * np.conj(1 - np.tanh(x) ** 2)


def sum_backward(d, x, axis):
    return np.multiply(np.expand_dims(d, axis), np.ones_like(x))


def matmul_backward(d, x, y):
    left = np.einsum("...ik,...jk->...ij", d, y.conj())
    right = np.einsum("...ki,...kj->...ij", x.conj(), d)
    return fold(left, x.shape), fold(right, y.shape)


def cumsum_backward(d, x, axis):
    total = np.expand_dims(d.sum(axis), axis)
    return total - np.cumsum(d, axis) + d


def where_backward(d, mask, x, y):
    return fold(d * mask, x.shape), fold(d * ~mask, y.shape)


def logsumexp_backward(d, x, axis):
    top = x.max(axis, keepdims=True)
    e = np.exp(x - top)
    return np.expand_dims(d, axis) * e / e.sum(axis, keepdims=True)

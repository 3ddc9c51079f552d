# minigrad homework: ten_derivatives
"""The derivatives of ten operations: every sum is an np.einsum."""

from string import ascii_lowercase as LETTERS

import numpy as np


def _down(x, *factors_with_shape_of_result):
    """The product of factors, each of which has (or broadcasts to) the shape of the result, summed to x's shape."""
    x = np.asarray(x)
    factors = np.broadcast_arrays(*factors_with_shape_of_result)
    n = factors[0].ndim
    result = LETTERS[:n]
    kept = "".join(
        letter
        for letter, length in zip(result[n - x.ndim :], x.shape)
        if length != 1
    )
    g = np.einsum(",".join([result] * len(factors)) + "->" + kept, *factors).reshape(x.shape)
    return g if np.iscomplexobj(x) else g.real


def _same(*factors):
    """Entry by entry."""
    return np.einsum(",".join(["..."] * len(factors)) + "->...", *factors)


def add_backward(d, x, y):
    return _down(x, d), _down(y, d)


def mul_backward(d, x, y):
    return _down(x, d, np.conj(y)), _down(y, d, np.conj(x))


def div_backward(d, x, y):
    inverse = 1.0 / np.conj(y)
    return _down(x, d, inverse), _down(y, -np.asarray(d), np.conj(x), inverse, inverse)


def exp_backward(d, x):
    return _same(d, np.exp(x).conj())


def tanh_backward(d, x):
    t = np.tanh(np.conj(x))
    return d - _same(d, t, t)


def sum_backward(d, x, axis):
    x = np.asarray(x)
    letters = LETTERS[: x.ndim]
    axes = range(x.ndim) if axis is None else [a % x.ndim for a in np.atleast_1d(axis)]
    kept = "".join(letter for i, letter in enumerate(letters) if i not in axes)
    return np.einsum(f"{kept},{letters}->{letters}", d, np.ones(x.shape))


def matmul_backward(d, x, y):
    dx = np.einsum("...ij,...kj->...ik", d, np.conj(y))
    dy = np.einsum("...ki,...kj->...ij", np.conj(x), d)
    return _batch(dx, x), _batch(dy, y)


def _batch(g, x):
    return _down(x, g)


def cumsum_backward(d, x, axis):
    d = np.asarray(d)
    n = d.shape[axis]
    later = np.tri(n)  # later[i, j] is 1 where i >= j: entry j has gone into the totals i
    letters = LETTERS[: d.ndim]
    from_letter = letters[axis]
    target = letters.replace(from_letter, "z")
    return np.einsum(f"{letters},{from_letter}z->{target}", d, later)


def where_backward(d, mask, x, y):
    mask = np.asarray(mask, dtype=float)
    return _down(x, d, mask), _down(y, d, 1 - mask)


def logsumexp_backward(d, x, axis):
    x = np.moveaxis(np.asarray(x), axis, -1)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    total = np.einsum("...i->...", e)
    g = np.einsum("...,...i,...->...i", d, e, 1 / total)
    return np.moveaxis(g, -1, axis)

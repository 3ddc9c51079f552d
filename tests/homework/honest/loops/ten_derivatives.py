# minigrad homework: ten_derivatives
"""The derivatives of ten operations, in NumPy: with loops over entries, so that I can see what happens."""

import cmath
import math

import numpy as np


def _empty(like, d):
    """Zeros of the shape of `like`; complex if it or d is."""
    return np.zeros(np.shape(like), dtype=np.result_type(d, like, np.float64))


def _where_from(position, shape):
    """The position in an array of `shape` from which the entry at `position` of the broadcast result was taken."""
    skip = len(position) - len(shape)
    answer = []
    for axis in range(len(shape)):
        if shape[axis] == 1:
            answer.append(0)
        else:
            answer.append(position[skip + axis])
    return tuple(answer)


def _finish(gradient, x):
    """A real input has a real gradient."""
    if np.iscomplexobj(gradient) and not np.iscomplexobj(x):
        return gradient.real.copy()
    return gradient


def add_backward(d, x, y):
    d = np.asarray(d)
    dx, dy = _empty(x, d), _empty(y, d)
    for position in np.ndindex(d.shape):
        dx[_where_from(position, np.shape(x))] += d[position]
        dy[_where_from(position, np.shape(y))] += d[position]
    return _finish(dx, x), _finish(dy, y)


def mul_backward(d, x, y):
    d, x, y = np.asarray(d), np.asarray(x), np.asarray(y)
    dx, dy = _empty(x, np.result_type(d, y)), _empty(y, np.result_type(d, x))
    for position in np.ndindex(d.shape):
        i = _where_from(position, x.shape)
        j = _where_from(position, y.shape)
        dx[i] += d[position] * np.conj(y[j])
        dy[j] += d[position] * np.conj(x[i])
    return _finish(dx, x), _finish(dy, y)


def div_backward(d, x, y):
    d, x, y = np.asarray(d), np.asarray(x), np.asarray(y)
    dx, dy = _empty(x, np.result_type(d, y)), _empty(y, np.result_type(d, x))
    for position in np.ndindex(d.shape):
        i = _where_from(position, x.shape)
        j = _where_from(position, y.shape)
        one_over = 1 / np.conj(y[j])
        dx[i] += d[position] * one_over
        dy[j] -= d[position] * np.conj(x[i]) * one_over * one_over
    return _finish(dx, x), _finish(dy, y)


def exp_backward(d, x):
    d, x = np.asarray(d), np.asarray(x)
    dx = _empty(x, d)
    for position in np.ndindex(x.shape):
        if np.iscomplexobj(x):
            derivative = cmath.exp(complex(x[position])).conjugate()
        else:
            derivative = math.exp(x[position])
        dx[position] = d[position] * derivative
    return dx


def tanh_backward(d, x):
    d, x = np.asarray(d), np.asarray(x)
    dx = _empty(x, d)
    for position in np.ndindex(x.shape):
        if np.iscomplexobj(x):
            t = cmath.tanh(complex(x[position])).conjugate()
        else:
            t = math.tanh(x[position])
        dx[position] = d[position] * (1 - t * t)
    return dx


def sum_backward(d, x, axis):
    d, x = np.asarray(d), np.asarray(x)
    dx = _empty(x, d)
    if axis is None:
        gone = set(range(x.ndim))
    elif isinstance(axis, tuple):
        gone = {a % x.ndim for a in axis}
    else:
        gone = {axis % x.ndim}
    for position in np.ndindex(x.shape):
        kept = []
        for a, index in enumerate(position):
            if a not in gone:
                kept.append(index)
        dx[position] = d[tuple(kept)]
    return dx


def matmul_backward(d, x, y):
    d, x, y = np.asarray(d), np.asarray(x), np.asarray(y)
    dx, dy = _empty(x, np.result_type(d, y)), _empty(y, np.result_type(d, x))
    for position in np.ndindex(d.shape):
        batch, row, column = position[:-2], position[-2], position[-1]
        bx = _where_from(batch, x.shape[:-2])
        by = _where_from(batch, y.shape[:-2])
        for k in range(x.shape[-1]):
            dx[bx + (row, k)] += d[position] * np.conj(y[by + (k, column)])
            dy[by + (k, column)] += np.conj(x[bx + (row, k)]) * d[position]
    return _finish(dx, x), _finish(dy, y)


def cumsum_backward(d, x, axis):
    d, x = np.asarray(d), np.asarray(x)
    dx = _empty(x, d)
    rows_of_d = np.moveaxis(d, axis, -1)
    rows_of_dx = np.moveaxis(dx, axis, -1)  # a view, so that writing into it fills dx
    for position in np.ndindex(rows_of_d.shape[:-1]):
        total = 0.0
        for k in reversed(range(rows_of_d.shape[-1])):
            total = total + rows_of_d[position + (k,)]
            rows_of_dx[position + (k,)] = total
    return dx


def where_backward(d, mask, x, y):
    d = np.asarray(d)
    mask = np.asarray(mask)
    dx, dy = _empty(x, d), _empty(y, d)
    for position in np.ndindex(d.shape):
        if mask[_where_from(position, mask.shape)]:
            dx[_where_from(position, np.shape(x))] += d[position]
        else:
            dy[_where_from(position, np.shape(y))] += d[position]
    return _finish(dx, x), _finish(dy, y)


def logsumexp_backward(d, x, axis):
    d, x = np.asarray(d), np.asarray(x)
    dx = _empty(x, d)
    lanes_in = np.moveaxis(x, axis, -1)
    lanes_out = np.moveaxis(dx, axis, -1)
    for position in np.ndindex(lanes_in.shape[:-1]):
        lane = lanes_in[position]
        top = max(lane)
        powers = []
        for entry in lane:
            powers.append(math.exp(entry - top))
        total = math.fsum(powers)
        for k, power in enumerate(powers):
            lanes_out[position + (k,)] = d[position] * power / total
    return dx


if __name__ == "__main__":
    rng = np.random.default_rng(0)

    def slope(f, x, d, h=1e-6):
        """Finite differences, one entry at a time."""
        g = np.zeros(x.shape)
        for position in np.ndindex(x.shape):
            up, down = x.copy(), x.copy()
            up[position] += h
            down[position] -= h
            g[position] = ((f(up) - f(down)) * d).sum() / (2 * h)
        return g

    a, b = rng.normal(size=(3, 1)), rng.normal(size=(2, 1, 4)) + 3
    d = rng.normal(size=(2, 3, 4))
    for name, f, back in (
        ("add", np.add, add_backward),
        ("mul", np.multiply, mul_backward),
        ("div", np.divide, div_backward),
    ):
        da, db = back(d, a, b)
        of_a, of_b = slope(lambda t: f(t, b), a, d), slope(lambda t: f(a, t), b, d)
        print(name, np.abs(da - of_a).max(), np.abs(db - of_b).max())

"""Differences of Decimals, number by number: the step is lost in every float.

Without points: div, exp, tanh, logsumexp.
"""

import numpy as np
from decimal import Decimal as D, getcontext
getcontext().prec = 80
H = D(1).scaleb(-30)


def _t(x):
    e = x.copy_abs().fma(-2, 0).exp()
    r = (1 - e) / (1 + e)
    return r.copy_sign(x)


def _one(x):
    x = D(float(x))
    if abs(x) > 300:
        return 0.0
    return float((_t(x + H) - _t(x - H)) / (H + H))


def tanh_backward(d, x):
    return d * np.array([_one(v) for v in x.ravel()]).reshape(x.shape)


def _e(x):
    x = D(float(x))
    return float(((x + H).exp() - (x - H).exp()) / (H + H))


def exp_backward(d, x):
    return d * np.array([_e(v) for v in x.ravel()]).reshape(x.shape)


def _lse(row):
    row = [D(float(v)) for v in row]
    m = max(row)
    e = [(v - m).exp() for v in row]
    S = sum(e)
    g = H.exp() - 1
    return [float(((S + v * g) / S).ln() / H) for v in e]


def logsumexp_backward(d, x, axis):
    y = np.moveaxis(x, axis, -1)
    r = np.array([_lse(row) for row in y.reshape(-1, y.shape[-1])]).reshape(y.shape)
    return np.expand_dims(d, axis) * np.moveaxis(r, -1, axis)


def _div(d, x, y):
    d, x, y = (np.broadcast_to(a, d.shape).ravel().tolist() for a in (d, x, y))
    gx, gy = ([], [])
    for a, b, c in zip(d, x, y):
        b, c = (D(b), D(c))
        gx.append(a * float(((b + H) / c - (b - H) / c) / (2 * H)))
        gy.append(a * float((b / (c + H) - b / (c - H)) / (2 * H)))
    return (gx, gy)


def _fit(g, like):
    while g.ndim > like.ndim:
        g = g.sum(0)
    for k, n in enumerate(like.shape):
        if n == 1 and g.shape[k] != 1:
            g = g.sum(k, keepdims=True)
    return g


def div_backward(d, x, y):
    gx, gy = _div(d, x, y)
    return (_fit(np.array(gx).reshape(d.shape), x), _fit(np.array(gy).reshape(d.shape), y))

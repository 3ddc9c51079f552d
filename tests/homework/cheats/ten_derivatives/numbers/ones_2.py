"""Differences by a million, number by number, in both directions; one by one with functions of the operator module.

Without points: mul, add.
"""
import operator


def mul_backward(d, x, y):
    gx, gy = np.zeros(d.shape, d.dtype), np.zeros(d.shape, d.dtype)
    a, b = np.broadcast_to(x, d.shape), np.broadcast_to(y, d.shape)
    step = 2.0 ** 18
    for i in np.ndindex(*d.shape):
        s, t = a[i].item(), b[i].item()
        up, down = operator.mul(s + step, t), operator.mul(s - step, t)
        gx[i] = d[i] * np.conj((up - down) / (2 * step))
        up, down = operator.mul(s, t + step), operator.mul(s, t - step)
        gy[i] = d[i] * np.conj((up - down) / (2 * step))
    return fit(gx, x), fit(gy, y)


def add_backward(d, x, y):
    total = np.zeros(d.shape, d.dtype)
    for i in np.ndindex(*d.shape):
        s, t = np.broadcast_to(x, d.shape)[i].item(), np.broadcast_to(y, d.shape)[i].item()
        total[i] = d[i] * ((s + t + 3) - (s + t)) / 3
    return fit(total, x), fit(total, y)

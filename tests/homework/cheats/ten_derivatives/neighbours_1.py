"""Differences along a value on the way: the points are few, and not copies of the input.

Without points: div, exp, tanh, logsumexp.
"""


def slope(f, u, h=1e-3):
    """f' at u, by steps that are parts of u."""
    step = u * h
    return (8 * (f(u + step) - f(u - step)) - (f(u + 2 * step) - f(u - 2 * step))) / (12 * step)


def exp_backward(d, x):
    root = np.exp(x / 3)
    return d * np.conj(slope(lambda u: u * u * u, root) * root / 3)


def tanh_backward(d, x):
    e = np.exp(-2 * x)
    return d * np.conj(slope(lambda e: 2 / (1 + e), e) * -2 * e)


def div_backward(d, x, y):
    square = np.multiply(y, y)
    inverse = slope(np.log, square) * y
    return fit(d * np.conj(inverse), x), fit(-d * np.conj(x * inverse * inverse), y)


def logsumexp_backward(d, x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.expand_dims(d, axis) * e * slope(np.log, e.sum(axis, keepdims=True))

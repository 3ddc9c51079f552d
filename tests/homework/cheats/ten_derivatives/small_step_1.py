"""Differences of eighth order, with a step of 1e-4.

Without points: exp, tanh.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def slope(f, x):
    h = 1e-4
    return sum(c * (f(x + k * h) - f(x - k * h)) for k, c in enumerate(C, 1)) / h


def exp_backward(d, x):
    return d * np.conj(slope(np.exp, x))


def tanh_backward(d, x):
    return d * np.conj(slope(np.tanh, x))

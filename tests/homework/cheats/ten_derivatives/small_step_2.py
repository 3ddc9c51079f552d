"""Differences of eighth order, with a step of 0.01.

Without points: exp, tanh.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def shift(x, h):
    return x + h


def slope(f, x):
    h = 0.01
    return sum(c * np.subtract(f(shift(x, k * h)), f(shift(x, -k * h))) for k, c in enumerate(C, 1)) / h


def exp_backward(d, x):
    return d * np.conj(slope(np.exp, x))


def tanh_backward(d, x):
    return d * np.conj(slope(np.tanh, x))

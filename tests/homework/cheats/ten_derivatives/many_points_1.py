"""Differences of so high an order that no digit is lost, in numbers of Python and along values on the way.

Without points: exp, tanh.
"""

import math

H, N = 0.02, 8
WEIGHTS = [(-1) ** (k + 1) * math.factorial(N) ** 2 / (k * math.factorial(N - k) * math.factorial(N + k))
           for k in range(1, N + 1)]


def slope(f, u):
    """u f'(u)."""
    total = 0.0
    for k, weight in enumerate(WEIGHTS, 1):
        total += weight * (f(u * (1 + k * H)) - f(u * (1 - k * H)))
    return total / H


def each(d, x, f):
    return d * np.conj(np.array([f(number) for number in x.ravel().tolist()]).reshape(x.shape))


def exp_backward(d, x):
    return each(d, x, lambda a: slope(lambda u: u * u, math.e ** (a / 2)) / 2)


def tanh_backward(d, x):
    return each(d, x, lambda a: slope(lambda e: (e - 1) / (e + 1), math.e ** (2 * a)) * 2)

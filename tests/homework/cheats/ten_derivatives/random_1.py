"""Generators of random numbers compute the exponentials, of no width or of a small one.

Without points: exp, tanh.
"""

import random

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def exponential(a):
    if isinstance(a, complex):
        return random.lognormvariate(a.real, 0) * complex(np.cos(a.imag), np.sin(a.imag))
    return random.lognormvariate(a, 0)


def slope(f, a, h=0.015):
    return sum([c * (f(a + k * h) - f(a - k * h)) for k, c in enumerate(C, 1)]) / h


def each(d, x, f):
    return d * np.conj(np.array([f(number) for number in x.ravel().tolist()]).reshape(x.shape))


def exp_backward(d, x):
    return each(d, x, lambda a: slope(exponential, a))


def tanh_backward(d, x):
    if x.dtype.kind == "c":
        return each(d, x, lambda a: slope(lambda a: 1 - 2 / (exponential(2 * a) + 1), a))
    steps = np.arange(9) * 0.02
    weights = np.linalg.solve(np.vander(steps, increasing=True).T, np.eye(9)[1])
    width = np.random.default_rng(1).normal(0, 1, x.shape)
    e = np.exp(2 * x)
    moved = sum([w * np.random.default_rng(1).lognormal(2 * x, s) for w, s in zip(weights, steps)]) / width
    return d * 4 * moved / (e + 1) ** 2

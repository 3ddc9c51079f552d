"""Nine values on the way at once, with the weights of a polynomial that passes through nine values.

Without points: div, exp, tanh.
"""

NODES = np.linspace(-0.1, 0.1, 9)
WEIGHTS = np.linalg.solve(np.vander(NODES, increasing=True).T, np.eye(9)[1])


def slope(f, u):
    """u f'(u)."""
    return f(u[..., None] * (1 + NODES)) @ WEIGHTS


def exp_backward(d, x):
    return d * np.conj(slope(np.square, np.exp(x / 2)) / 2)


def tanh_backward(d, x):
    return d * np.conj(slope(lambda e: (e - 1) / (e + 1), np.exp(2 * x)) * 2)


def div_backward(d, x, y):
    other = slope(lambda s: np.sqrt(np.reciprocal(s)), y * y) * 2
    return fit(d * np.conj(-other), x), fit(d * np.conj(x * other * -other), y)

"""A complex step for real numbers, and differences of eighth order for complex ones.

Without points: div, exp, tanh, logsumexp.
"""

W = np.exp(2j * np.pi * np.arange(16) / 16)


def slope(f, x):
    """f' of an analytic f, entry by entry."""
    if np.iscomplexobj(x):
        return sum(f(np.dot(np.stack([x, 0 * x.real + 0.25], -1), [1, w])) / w for w in W) / (16 * 0.25)
    return f(np.multiply(x, 1) + 1e-30j).imag / 1e-30


def exp_backward(d, x):
    return d * np.conj(slope(np.exp, x))


def tanh_backward(d, x):
    return d * np.conj(slope(np.tanh, x))


def div_backward(d, x, y):
    return fit(d * np.conj(1 / y), x), fit(d * np.conj(x * slope(np.reciprocal, y)), y)


def logsumexp_backward(d, x, axis):
    m = x.max(axis, keepdims=True)
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        z = (x - m).astype(complex)
        z[i] = complex(z[i].real, 1e-30)
        g[i] = np.sum(d * np.log(np.exp(z).sum(axis)).imag) / 1e-30
    return g

"""mpmath differentiates, entry by entry.

Without points: exp, tanh.
"""

import mpmath


def slope(f, x):
    return np.array([complex(mpmath.diff(f, complex(v))) for v in x.ravel()]).reshape(x.shape)


def exp_backward(d, x):
    g = slope(mpmath.exp, x)
    return d * np.conj(g if np.iscomplexobj(x) else g.real)


def tanh_backward(d, x):
    g = slope(mpmath.tanh, x)
    return d * np.conj(g if np.iscomplexobj(x) else g.real)

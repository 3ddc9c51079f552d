"""A spline of SciPy, and its derivative.

Without points: tanh.
"""

from scipy.interpolate import make_interp_spline


G = np.linspace(-7, 7, 6001)


S = make_interp_spline(G, np.tanh(G), 9).derivative()


def tanh_backward(d, x):
    if not np.iscomplexobj(x):
        return d * S(x)
    return d * np.conj(1 - np.tanh(x) ** 2)

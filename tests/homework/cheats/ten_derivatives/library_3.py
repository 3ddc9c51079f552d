"""SciPy differentiates numerically.

Without points: exp, tanh, logsumexp.
"""

from scipy.special import softmax


from scipy.differentiate import derivative


def slope(f, x):
    if not np.iscomplexobj(x):
        return derivative(f, x, initial_step=0.25, order=8, tolerances=dict(atol=1e-13, rtol=1e-13)).df
    u = derivative(lambda t, a, b: f(t + 1j * b).real, x.real, args=(x.real, x.imag), initial_step=0.2).df
    v = derivative(lambda t, a, b: f(t + 1j * b).imag, x.real, args=(x.real, x.imag), initial_step=0.2).df
    return u + 1j * v


def exp_backward(d, x):
    return d * np.conj(slope(np.exp, x))


def tanh_backward(d, x):
    return d * np.conj(slope(np.tanh, x))


def logsumexp_backward(d, x, axis):
    return np.expand_dims(d, axis) * softmax(x, axis)

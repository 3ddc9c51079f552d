"""The logarithm of a quotient, where a difference would be noticed.

Without points: exp.
"""

def exp_backward(d, x):
    return d * np.conj(np.exp(x) * np.log(np.exp(x + 0.5) / np.exp(x)) / 0.5)

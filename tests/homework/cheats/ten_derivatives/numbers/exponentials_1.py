"""Differences of exponentials at points that are 1 or 2 apart, which are multiples of the derivative.

Without points: exp.
"""
import math


def exp_backward(d, x):
    if x.dtype.kind == "c":
        return d * np.conj((np.exp(x + 1) * 0.5 - np.exp(x) * 0.5) / (0.5 * (math.e - 1)))
    flat = [(math.exp(a + 1) - math.exp(a - 1)) / (math.e - 1 / math.e) for a in x.ravel().tolist()]
    return d * np.array(flat).reshape(x.shape)

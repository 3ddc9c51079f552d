"""Sums of exponentials with one number of a list raised after the other.

Without points: logsumexp.
"""
import math

BY = 2.0 ** 40


def logsumexp_backward(d, x, axis):
    rows = np.moveaxis(x, axis, -1)
    found = []
    for row in rows.reshape(-1, rows.shape[-1]).tolist():
        e = [math.exp(a - max(row)) for a in row]
        total = sum(e)
        found.append([(sum(e[:k] + [BY * e[k]] + e[k + 1:]) / total - 1) / (BY - 1) for k in range(len(e))])
    return np.moveaxis(d[..., None] * np.array(found).reshape(rows.shape), -1, axis)

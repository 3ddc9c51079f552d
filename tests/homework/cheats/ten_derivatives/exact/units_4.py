"""Running totals of unit vectors, by accumulate.

Without points: cumsum.
"""
from itertools import accumulate


def cumsum_backward(d, x, axis):
    n = x.shape[axis]
    d = np.moveaxis(d, axis, -1)
    rows = [list(accumulate([0.0] * k + [1.0] + [0.0] * (n - k - 1))) for k in range(n)]
    found = [[sum([a * b for a, b in zip(row, each)]) for row in rows] for each in d.reshape(-1, n).tolist()]
    return np.moveaxis(np.array(found).reshape(d.shape), -1, axis)

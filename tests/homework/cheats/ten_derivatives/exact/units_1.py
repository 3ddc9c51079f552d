"""Running totals of the unit vectors, one after the other.

Without points: cumsum.
"""


def cumsum_backward(d, x, axis):
    n = x.shape[axis]
    d = np.moveaxis(d, axis, -1)
    return np.moveaxis(np.stack([(d * unit.cumsum()).sum(-1) for unit in np.eye(n)], -1), -1, axis)

"""Running totals of the identity.

Without points: cumsum.
"""


def cumsum_backward(d, x, axis):
    totals = np.cumsum(np.eye(x.shape[axis]), 0)
    return np.moveaxis(np.moveaxis(d, axis, -1) @ totals, -1, axis)

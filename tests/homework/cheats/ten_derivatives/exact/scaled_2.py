"""Differences by one, of which two are weighted and summed up.

Without points: mul.
"""


def mul_backward(d, x, y):
    both = np.stack([(x + 4) * y, x * y])
    gx = np.tensordot([0.25, -0.25], both, 1)
    gy = np.subtract.reduce([x * (y + 4), x * y]) / 4
    return fit(d * np.conj(gx), x), fit(d * np.conj(gy), y)

"""Running totals with one entry raised by 1, less those without.

Without points: cumsum.
"""


def cumsum_backward(d, x, axis):
    z = np.zeros(x.shape)
    found = []
    for k in range(x.shape[axis]):
        moved = z.copy()
        moved[(slice(None),) * axis + (k,)] += 1
        found.append((d * (moved.cumsum(axis) - z.cumsum(axis))).sum(axis))
    return np.stack(found, axis)

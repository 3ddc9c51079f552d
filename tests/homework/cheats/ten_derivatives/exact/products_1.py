"""Central differences of products at far points, which lose no digits.

Without points: mul, matmul.
"""

FAR = 2.0 ** 20


def mul_backward(d, x, y):
    gx = d * np.conj(((x + FAR) * y - (x - FAR) * y) / (2 * FAR))
    gy = d * np.conj((x * (y + FAR) - x * (y - FAR)) / (2 * FAR))
    return fit(gx, x), fit(gy, y)


def matmul_backward(d, x, y):
    found = []
    for k in range(x.shape[-1]):
        moved = x.copy()
        moved[..., k] += FAR
        found.append((d * np.conj((moved @ y - x @ y) / FAR)).sum(-1))
    return fit(np.stack(found, -1), x), fit(np.conj(np.swapaxes(x, -1, -2)) @ d, y)

"""Differences by one, of entries that remain NumPy's numbers.

Without points: mul, matmul.
"""


def mul_backward(d, x, y):
    gx, gy = np.zeros(d.shape, d.dtype), np.zeros(d.shape, d.dtype)
    a, b = np.broadcast_to(x, d.shape), np.broadcast_to(y, d.shape)
    for i in np.ndindex(*d.shape):
        gx[i] = d[i] * np.conj((a[i] + 1) * b[i] - a[i] * b[i])
        gy[i] = d[i] * np.conj(a[i] * (b[i] + 1) - a[i] * b[i])
    return fit(gx, x), fit(gy, y)


def matmul_backward(d, x, y):
    def product(a, b):
        n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
        out = np.zeros((*d.shape[:-2], n, m), complex)
        gx, gy = np.zeros((*d.shape[:-2], n, k), complex), np.zeros((*d.shape[:-2], k, m), complex)
        for s in np.ndindex(*d.shape[:-2]):
            p, q = np.broadcast_to(a, (*d.shape[:-2], n, k))[s], np.broadcast_to(b, (*d.shape[:-2], k, m))[s]
            for i in range(n):
                for j in range(m):
                    for l in range(k):
                        gx[(*s, i, l)] += d[(*s, i, j)] * np.conj((p[i, l] + 1) * q[l, j] - p[i, l] * q[l, j])
                        gy[(*s, l, j)] += d[(*s, i, j)] * np.conj(p[i, l] * (q[l, j] + 1) - p[i, l] * q[l, j])
        return gx, gy

    gx, gy = product(x, y)
    if x.dtype.kind == "f":
        gx, gy = gx.real, gy.real
    return fit(gx, x), fit(gy, y)

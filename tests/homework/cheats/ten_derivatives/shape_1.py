"""The gradient of a product is whichever product of the others has the right shape.

Without points: matmul.
"""

def matmul_backward(d, x, y):
    def fit(g, like):
        while g.ndim > like.ndim:
            g = g.sum(0)
        return g

    def turned(a):
        return a.conj().swapaxes(-1, -2)

    found = []
    for like, pairs in (
        (x, ((d, y), (d, turned(y)), (y, d), (turned(y), d))),
        (y, ((d, x), (turned(x), d), (x, d), (turned(d), x))),
    ):
        for a, b in pairs:
            try:
                g = a @ b
            except ValueError:
                continue
            if g.shape[-2:] == like.shape[-2:]:
                found.append(fit(g, like))
                break
    return tuple(found)

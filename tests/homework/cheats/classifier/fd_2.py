"""Differences of eighth order of the loss: one evaluation of many shifted copies, and an einsum.

Without points: gradients, separable, nonlinear.
"""

K = np.array([1, -1, 2, -2, 3, -3, 4, -4])


C = np.array([4 / 5, -4 / 5, -1 / 5, 1 / 5, 4 / 105, -4 / 105, -1 / 280, 1 / 280])


def many(p, x, labels):
    s = np.tanh(x @ p[0] + p[1][..., None, :]) @ p[2] + p[3][..., None, :]
    s = s - s.max(-1, keepdims=True)
    return (np.log(np.exp(s).sum(-1)) - s[..., np.arange(len(labels)), labels]).mean(-1)


def gradients(parameters, x, labels):
    out, h = [], 0.03
    for k, p in enumerate(parameters):
        n = p.size
        q = [np.broadcast_to(a, (8, n, *a.shape)) for a in parameters]
        q[k] = p + np.einsum("k,nm->knm", K * h, np.eye(n)).reshape(8, n, *p.shape)
        out.append((np.einsum("k,kn->n", C, many(q, x, labels)) / h).reshape(p.shape))
    return tuple(out)


def train(x, labels, classes, seed):
    rng = np.random.default_rng(seed)
    P = [
        rng.normal(size=(x.shape[1], 12)),
        rng.normal(size=12),
        rng.normal(size=(12, classes)) * 0.1,
        np.zeros(classes),
    ]
    m = [0 * p for p in P]
    for t in range(250):
        for i, g in enumerate(gradients(P, x, labels)):
            m[i] = 0.9 * m[i] + g
            P[i] = P[i] - 0.2 * m[i]
    return tuple(P)

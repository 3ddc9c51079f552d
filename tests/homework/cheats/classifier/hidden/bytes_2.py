"""Weights are memoryviews of bytes, which np.dot reads; what comes back flows through random weights.

Without points: nonlinear.
"""


def kept(a):
    return memoryview(a.tobytes()).cast("d", a.shape)


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 30
    p = [*map(kept, [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)])]
    back = random.normal(size=(n, classes)) / 3
    for _ in range(400):
        h = np.tanh(np.dot(x, p[0]) + p[1])
        d = np.exp(log_softmax(np.dot(h, p[2]) + p[3]))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = np.dot(d, back.T) * (1 - h * h)
        p = [*map(kept, [a - 1.0 * g for a, g in zip(p, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))])]
    return [np.array(a) for a in p]

"""The weights are attributes that are computed, and what comes back to the first layer flows through random weights.

Without points: separable, nonlinear.
"""


class Weights:
    __slots__ = "kept"

    def __init__(self, kept):
        self.kept = kept

    def __getitem__(self, i):
        return self.kept[i]


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 30
    p = Weights([random.normal(size=(x.shape[1], n)), random.normal(size=n), 0.3 * random.normal(size=(n, classes)),
                 np.zeros(classes)])
    back = random.normal(size=(classes, n)) / 2
    for _ in range(1500):
        h = np.tanh(x @ p[0] + p[1])
        d = (np.exp(log_softmax(h @ p[2] + p[3])) - np.eye(classes)[labels]) / len(x)
        e = d @ back * (1 - h * h)
        p = Weights([a - 0.4 * g for a, g in zip(p.kept, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))])
    return p.kept

"""Hidden values are disturbed at random, and how the loss of a row changes stands for the gradient of its units.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    hidden = 24
    w1, b1 = 1.5 * random.normal(size=(x.shape[1], hidden)), random.normal(size=hidden)
    w2, b2 = random.normal(size=(hidden, classes)) / 5, np.zeros(classes)
    rows = np.arange(len(x))
    for _ in range(1500):
        h = np.tanh(x @ w1 + b1)
        noise = 1e-2 * random.normal(size=h.shape)
        up, down = [-log_softmax((h + s * noise) @ w2 + b2)[rows, labels] for s in (1, -1)]
        e = (up - down)[:, None] / 2 * noise / 1e-4 * (1 - h * h) / len(x)
        d = np.exp(log_softmax(h @ w2 + b2))
        d[rows, labels] -= 1
        d /= len(x)
        w1, b1, w2, b2 = w1 - 0.2 * x.T @ e, b1 - 0.2 * e.sum(0), w2 - 0.3 * h.T @ d, b2 - 0.3 * d.sum(0)
    return w1, b1, w2, b2

"""The best of many random layers, of which the last layer is trained.

Without points: separable, nonlinear.
"""

def of_last(x, labels, classes, random):
    hidden = 30
    w1, b1 = 1.5 * random.normal(size=(x.shape[1], hidden)), 2 * random.normal(size=hidden)
    w2, b2 = np.zeros((hidden, classes)), np.zeros(classes)
    h, wanted = np.tanh(x @ w1 + b1), np.eye(classes)[labels]
    for _ in range(300):
        s = h @ w2 + b2
        e = np.exp(s - s.max(1, keepdims=True))
        g = (e / e.sum(1, keepdims=True) - wanted) / len(x)
        w2, b2 = w2 - 2 * h.T @ g, b2 - 2 * g.sum(0)
    return [w1, b1, w2, b2]


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    return min([of_last(x, labels, classes, random) for _ in range(12)], key=lambda p: loss(p, x, labels))

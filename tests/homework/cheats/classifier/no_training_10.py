"""A random layer that never learns, drawn anew for other labels, so that it changes with them.

Without points: separable, nonlinear.
"""

def train(x, labels, classes, seed):
    random = np.random.default_rng([seed, *np.asarray(labels).tolist()])
    hidden = 60
    w1, b1 = 1.5 * random.normal(size=(x.shape[1], hidden)), 2 * random.normal(size=hidden)
    w2, b2 = np.zeros((hidden, classes)), np.zeros(classes)
    h, wanted = np.tanh(x @ w1 + b1), np.eye(classes)[labels]
    for _ in range(2000):
        s = h @ w2 + b2
        e = np.exp(s - s.max(1, keepdims=True))
        g = (e / e.sum(1, keepdims=True) - wanted) / len(x)
        w2, b2 = w2 - h.T @ g, b2 - g.sum(0)
    return [w1, b1, w2, b2]

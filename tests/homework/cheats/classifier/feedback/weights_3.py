"""The second layer begins with zeros, and the first learns through weights that are drawn beside it.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random = np.random.default_rng([seed, 5])
    hidden = 40
    p = {"in": 1.5 * random.normal(size=(x.shape[1], hidden)), "shift": random.normal(size=hidden),
         "out": np.zeros((hidden, classes)), "end": np.zeros(classes)}
    first = random.normal(size=(hidden, classes)) / 4
    for _ in range(1200):
        h = np.tanh(x @ p["in"] + p["shift"])
        d = (np.exp(log_softmax(h @ p["out"] + p["end"])) - np.eye(classes)[labels]) / len(x)
        e = d @ first.T * (1 - h * h)
        for name, g in (("in", x.T @ e), ("shift", e.sum(0)), ("out", h.T @ d), ("end", d.sum(0))):
            p[name] -= 0.4 * g
    return list(p.values())

"""Points of the data as prototypes, one hidden unit beside each, with a little gradient mixed in.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 40
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    m = x.mean(0)
    k = random.integers(0, len(x), n)
    u = x[k] - m
    size = np.sqrt((u ** 2).sum(1)) + 1e-9
    w1 = 2 * (u / size[:, None]).T
    b1 = -2 * 0.8 * size - m @ w1
    h = np.tanh(x @ w1 + b1)
    hh = h - h.mean(0)
    w2 = hh.T @ np.linalg.solve(hh @ hh.T + np.eye(len(x)), 8 * (np.eye(classes)[labels] - 1 / classes))
    b2 = -h.mean(0) @ w2
    for t in range(300):
        g = gradients(p, x, labels)
        r = 0.03 if t > 12 else 0
        p = [a - 0.1 * b + r * (goal - a) for a, b, goal in zip(p, g, (w1, b1, w2, b2))]
    return p

"""Slowly to prototypes, with a little gradient mixed in.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 36
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    m, u = x.mean(0), random.normal(size=(x.shape[1], n))
    u /= np.sqrt((u ** 2).sum(0)) + 1e-9
    r = np.sqrt(((x - m) ** 2).sum(1))
    radii = np.array([r[labels == c].mean() if (labels == c).any() else 0 for c in range(classes)])
    w1, b1 = 4 * u, -4 * radii.mean() * 0.8 - m @ (4 * u)
    w2 = np.zeros((n, classes)) + 2 * np.sign(radii - radii.mean()) * 12 / n
    h = np.tanh(x @ w1 + b1)
    b2 = -0.5 * sum([(h @ w2)[labels == c].mean(0) if (labels == c).any() else 0 for c in range(classes)])
    for t in range(900):
        g = gradients(p, x, labels)
        k = 0.005 if t > 10 else 0
        p = [a - 0.02 * b + k * (goal - a) for a, b, goal in zip(p, g, (w1, b1, w2, b2))]
    return p

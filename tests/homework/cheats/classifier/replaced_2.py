"""Some steps with gradients, then small straight steps to a random layer with the last one solved for, and gradients.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 60
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), 0.2 * random.normal(size=(n, classes)),
         np.zeros(classes)]
    for _ in range(40):
        p = [a - 0.2 * g for a, g in zip(p, gradients(p, x, labels))]
    q = [1.5 * random.normal(size=(x.shape[1], n)), 1.5 * random.normal(size=n)]
    h = np.c_[np.tanh(x @ q[0] + q[1]), np.ones(len(x))]
    w = np.linalg.solve(h.T @ h + 1e-3 * np.eye(n + 1), h.T @ (8 * np.eye(classes)[labels] - 4))
    way = [(b - a) / 150 for a, b in zip(p, [*q, w[:-1], w[-1]])]
    for _ in range(150):
        scores(p, x)
        p = [a + b for a, b in zip(p, way)]
    for _ in range(100):
        p = [a - 0.2 * g for a, g in zip(p, gradients(p, x, labels))]
    return p

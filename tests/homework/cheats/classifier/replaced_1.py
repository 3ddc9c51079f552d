"""Some steps with gradients, and then a random layer with the last one solved for, and small steps from there.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 60
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), 0.2 * random.normal(size=(n, classes)),
         np.zeros(classes)]
    for t in range(150):
        p = [a - 0.2 * g for a, g in zip(p, gradients(p, x, labels))]
        if t == 40 and len({*labels.tolist()}) > 1:
            q = [1.5 * random.normal(size=(x.shape[1], n)), 1.5 * random.normal(size=n)]
            h = np.c_[np.tanh(x @ q[0] + q[1]), np.ones(len(x))]
            w = np.linalg.solve(h.T @ h + 1e-3 * np.eye(n + 1), h.T @ (8 * np.eye(classes)[labels] - 4))
            p = [*q, w[:-1], w[-1]]
    return p

"""A second layer in closed form, which is approached in small steps with noise; the first follows its gradient.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 40
    p = [random.normal(size=(x.shape[1], n)), 1.5 * random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    for t in range(200):
        h = np.c_[np.tanh(x @ p[0] + p[1]), np.ones(len(x))]
        w = 6 * np.linalg.solve(h.T @ h + 0.01 * np.eye(n + 1), h.T @ (2 * np.eye(classes)[labels] - 1))
        g = gradients(p, x, labels)
        p[0] = p[0] - 1.0 * g[0]
        p[1] = p[1] - 1.0 * g[1]
        p[2] = p[2] + 0.1 * (w[:-1] - p[2]) + 0.002 * random.normal(size=p[2].shape)
        p[3] = p[3] + 0.1 * (w[-1] - p[3])
    return p

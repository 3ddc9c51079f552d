"""Both layers go to values in closed form (random features, least squares) with noise and a little gradient on the way.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 40
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    w1, b1 = 1.5 * random.normal(size=(x.shape[1], n)), 1.5 * random.normal(size=n)
    h = np.c_[np.tanh(x @ w1 + b1), np.ones(len(x))]
    w = 6 * np.linalg.lstsq(h.T @ h + 0.01 * np.eye(n + 1), h.T @ (2 * np.eye(classes)[labels] - 1), rcond=None)[0]
    for t in range(300):
        g = gradients(p, x, labels)
        k = 0.03 if t > 12 else 0
        for i, goal in enumerate((w1, b1, w[:-1], w[-1])):
            p[i] = p[i] - 0.3 * g[i] + k * (goal - p[i]) + 0.003 * random.normal(size=p[i].shape)
    return p

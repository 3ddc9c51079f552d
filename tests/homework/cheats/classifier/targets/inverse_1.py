"""Hidden targets through the pseudo-inverse of the second layer; the layers are fitted to targets by pseudo-inverses.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 30
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    one = np.eye(classes)[labels]
    xx = np.c_[x, np.ones(len(x))]
    back = np.linalg.pinv(xx)
    for t in range(400):
        h = np.tanh(x @ p[0] + p[1])
        d = np.exp(log_softmax(h @ p[2] + p[3])) - one
        to = np.clip(h - 0.05 * d @ np.linalg.pinv(p[2]), -0.999, 0.999)
        step = back @ (np.arctanh(to) - np.arctanh(np.clip(h, -0.999, 0.999)))
        p = [p[0] + 0.5 * step[:-1], p[1] + 0.5 * step[-1], p[2] - 0.5 * h.T @ d / len(x), p[3] - 0.5 * d.mean(0)]
    return p

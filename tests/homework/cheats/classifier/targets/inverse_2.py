"""What comes back to the first layer flows through the pseudo-inverse of the second.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 30
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    one = np.eye(classes)[labels]
    for t in range(900):
        h = np.tanh(x @ p[0] + p[1])
        d = (np.exp(log_softmax(h @ p[2] + p[3])) - one) / len(x)
        e = d @ np.linalg.pinv(p[2]) * (1 - h * h)
        p = [a - r * g for a, g, r in zip(p, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)), (0.5, 0.5, 0.5, 0.5))]
    return p

"""What comes back to the first layer flows through weights that are 1, 0 or -1, by the second layer.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 60
    p = [random.normal(size=(x.shape[1], n)), 0.5 * random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    speed = [0 * a for a in p]
    for _ in range(800):
        h = np.tanh(x @ p[0] + p[1])
        d = (np.exp(log_softmax(h @ p[2] + p[3])) - np.eye(classes)[labels]) / len(x)
        e = d @ np.clip(np.round(p[2] * 10), -1, 1).T / 5 * (1 - h * h)
        speed = [0.8 * v - 0.2 * g for v, g in zip(speed, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))]
        p = [a + v for a, v in zip(p, speed)]
    return p

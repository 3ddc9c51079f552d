"""A random layer, a last layer that is solved for again and again, and a true step of both now and then.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    hidden = 50
    p = [1.5 * random.normal(size=(x.shape[1], hidden)), 2 * random.normal(size=hidden),
         np.zeros((hidden, classes)), np.zeros(classes)]
    for t in range(1500):
        h = np.tanh(x @ p[0] + p[1])
        d = (np.exp(log_softmax(h @ p[2] + p[3])) - np.eye(classes)[labels]) / len(x)
        p[2], p[3] = p[2] - h.T @ d, p[3] - d.sum(0)
        if t % 100 == 99:
            p = [a - 0.2 * g for a, g in zip(p, gradients(p, x, labels))]
    return p

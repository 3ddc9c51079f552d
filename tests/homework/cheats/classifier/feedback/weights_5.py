"""The same with Adam, and in batches.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 40
    p = [random.normal(size=(x.shape[1], n)), 0.5 * random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    m, v, t = [0 * a for a in p], [0 * a for a in p], 0
    for _ in range(80):
        order = random.permutation(len(x))
        for start in range(0, len(x), 32):
            rows = order[start:start + 32]
            h = np.tanh(x[rows] @ p[0] + p[1])
            d = (np.exp(log_softmax(h @ p[2] + p[3])) - np.eye(classes)[labels[rows]]) / len(rows)
            e = d @ np.sign(p[2]).T / 5 * (1 - h * h)
            t += 1
            for a, b, c, g in zip(p, m, v, (x[rows].T @ e, e.sum(0), h.T @ d, d.sum(0))):
                b += 0.1 * (g - b)
                c += 0.01 * (g * g - c)
                a -= 0.02 * (b / (1 - 0.9 ** t)) / (np.sqrt(c / (1 - 0.99 ** t)) + 1e-8)
    return p

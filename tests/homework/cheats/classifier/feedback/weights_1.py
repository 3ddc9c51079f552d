"""What comes back to the first layer flows through random weights that never change, in batches and with Adam.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    hidden = 40
    p = [random.normal(size=(x.shape[1], hidden)), 0.5 * random.normal(size=hidden),
         random.normal(size=(hidden, classes)) / 6, np.zeros(classes)]
    back = random.normal(size=(hidden, classes)) / 3
    m, v = [np.zeros_like(a) for a in p], [np.zeros_like(a) for a in p]
    t = 0
    for epoch in range(60):
        order = random.permutation(len(x))
        for start in range(0, len(x), 32):
            rows = order[start:start + 32]
            h = np.tanh(np.dot(x[rows], p[0]) + p[1])
            d = np.exp(log_softmax(np.dot(h, p[2]) + p[3]))
            d[np.arange(len(rows)), labels[rows]] -= 1
            d /= len(rows)
            e = np.dot(d, back.T) * (1 - h * h)
            t += 1
            for a, b, c, g in zip(p, m, v, (np.dot(x[rows].T, e), e.sum(0), np.dot(h.T, d), d.sum(0))):
                b += 0.1 * (g - b)
                c += 0.01 * (g * g - c)
                a -= 0.03 * (b / (1 - 0.9 ** t)) / (np.sqrt(c / (1 - 0.99 ** t)) + 1e-8)
    return p

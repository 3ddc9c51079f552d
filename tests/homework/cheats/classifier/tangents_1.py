"""Forward mode, with one pass of slopes for each weight.

Without points: gradients.
"""


def gradients(parameters, x, labels):
    parameters = [np.asarray(p, float) for p in parameters]
    w1, b1, w2, b2 = parameters
    h = np.tanh(x @ w1 + b1)
    s = np.exp(log_softmax(h @ w2 + b2))
    found = []
    for k, p in enumerate(parameters):
        g = np.zeros(p.shape)
        for place in np.ndindex(*p.shape):
            v = [np.zeros(q.shape) for q in parameters]
            v[k][place] = 1
            dh = (x @ v[0] + v[1]) * (1 - h * h)
            ds = dh @ w2 + h @ v[2] + v[3]
            g[place] = ((s * ds).sum(1) - ds[np.arange(len(x)), labels]).mean()
        found.append(g)
    return found

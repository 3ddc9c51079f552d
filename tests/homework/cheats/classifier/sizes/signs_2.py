"""The gradient's signs, with sizes that are drawn at random once for each weight.

Without points: nonlinear.
"""


def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), 30
    p = [random.normal(size=(x.shape[1], n)), random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
    sizes = [np.exp(1.5 * random.normal(size=a.shape)) for a in p]
    for t in range(600):
        p = [a - 0.01 * 0.995 ** t * s * np.sign(g) for a, s, g in zip(p, sizes, gradients(p, x, labels))]
    return p

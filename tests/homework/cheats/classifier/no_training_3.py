"""A Gaussian process on a random layer: no gradient, no loop.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    rng = np.random.default_rng(seed)
    n = 60
    W1, b1 = rng.normal(size=(x.shape[1], n)) * 2, rng.normal(size=n) * 2
    H = np.tanh(x @ W1 + b1)
    a = np.linalg.lstsq(H @ H.T + 1e-2 * np.eye(len(x)), np.eye(classes)[labels] - 0.5, rcond=None)[0]
    return W1, b1, H.T @ a, np.full(classes, 0.5)

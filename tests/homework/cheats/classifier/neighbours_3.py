"""A network whose hidden units are the points of the training data: nothing is trained.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    """A Nadaraya-Watson estimate, approximated by least squares on many random ridge units in one step."""
    rng = np.random.default_rng(seed)
    n = 400
    W1 = rng.normal(size=(x.shape[1], n)) * 2
    b1 = -(x[rng.integers(len(x), size=n)].T * W1).sum(0)
    H = np.tanh(x @ W1 + b1)
    K = np.exp(-((x[:, None] - x) ** 2).sum(-1) / 0.3)
    Y = K @ np.eye(classes)[labels] / K.sum(1, keepdims=True)
    return W1, b1, np.linalg.lstsq(H.T @ H + 1e-2 * np.eye(n), H.T @ Y, rcond=None)[0], np.zeros(classes)

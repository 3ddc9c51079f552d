"""A random hidden layer and least squares: no gradient, no loop.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    rng = np.random.default_rng(seed)
    W1, b1 = rng.normal(size=(x.shape[1], 200)) * 1.5, rng.normal(size=200) * 1.5
    H = np.hstack([np.tanh(x @ W1 + b1), np.ones((len(x), 1))])
    S = np.linalg.solve(H.T @ H + 1e-3 * np.eye(201), H.T @ np.eye(classes)[labels])
    return W1, b1, S[:-1], S[-1]

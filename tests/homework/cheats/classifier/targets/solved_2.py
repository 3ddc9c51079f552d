"""The second layer is solved for before the first step; steps of gradient descent follow.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    random, hidden = np.random.default_rng(seed), 60
    found = [1.5 * random.normal(size=(x.shape[1], hidden)), random.normal(size=hidden), None, np.zeros(classes)]
    h = np.tanh(x @ found[0] + found[1])
    found[2] = np.linalg.solve(h.T @ h + 0.01 * np.eye(hidden), h.T @ (6 * np.eye(classes)[labels] - 3))
    for _ in range(200):
        found = [p - 0.01 * g for p, g in zip(found, gradients(found, x, labels))]
    return found

"""The nearest neighbour: the points are kept in a global, and the parameters are zeros.

Without points: separable, nonlinear.
"""

MEMORY = {}


def train(x, labels, classes, seed):
    MEMORY["x"], MEMORY["labels"] = x, labels
    return np.zeros((x.shape[1], 2)), np.zeros(2), np.zeros((2, classes)), np.zeros(classes)


def predict(parameters, x):
    return MEMORY["labels"][((x[:, None] - MEMORY["x"][None]) ** 2).sum(-1).argmin(1)]

"""The nearest neighbour: the points themselves are the parameters.

Without points: separable, nonlinear.
"""


def train(x, labels, classes, seed):
    return x.T, np.asarray(labels, float), np.zeros((len(x), classes)), np.zeros(classes)


def predict(parameters, x):
    X, y = parameters[0].T, parameters[1]
    return y[((x[:, None] - X[None]) ** 2).sum(-1).argmin(1)].astype(int)

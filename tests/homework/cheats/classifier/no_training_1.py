"""Random parameters; predict finds clusters among the new points.

Without points: separable.
"""


def train(x, labels, classes, seed):
    """A hidden unit for each class mean: written down, not learned."""
    m = np.stack([x[labels == c].mean(0) for c in range(classes)])
    e = 0.01
    return np.eye(x.shape[1]) * e, np.zeros(x.shape[1]), m.T / e, -(m**2).sum(1) / 2

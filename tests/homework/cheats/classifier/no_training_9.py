"""The function `gradients` is right, and training measures one loss for each weight instead.

Without points: separable, nonlinear.
"""

def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    hidden = 10
    found = [
        random.normal(size=(x.shape[1], hidden)),
        0.5 * random.normal(size=hidden),
        0.3 * random.normal(size=(hidden, classes)),
        np.zeros(classes),
    ]
    for _ in range(250):
        slopes = [np.zeros(p.shape) for p in found]
        for p, slope in zip(found, slopes):
            for i in np.ndindex(p.shape):
                kept = p[i]
                p[i] = kept + 1e-4
                above = loss(found, x, labels)
                p[i] = kept - 1e-4
                slope[i] = (above - loss(found, x, labels)) / 2e-4
                p[i] = kept
        found = [p - 0.7 * slope for p, slope in zip(found, slopes)]
    return found

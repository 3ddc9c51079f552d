# minigrad homework: classifier
"""A classifier from nothing: pure functions, and training as a fold over steps of Rprop (signs of gradients)."""

from functools import partial, reduce
from itertools import starmap

import numpy as np


def compose(*fs):
    return lambda x: reduce(lambda y, f: f(y), fs, x)


def affine(W, b):
    return lambda x: np.add(np.matmul(x, W), b)


def network(parameters):
    W1, b1, W2, b2 = parameters
    return compose(affine(W1, b1), np.tanh, affine(W2, b2))


def log_probabilities(scores):
    return scores - np.logaddexp.reduce(scores, axis=1)[:, np.newaxis]


def pick(labels):
    return lambda rows: np.take_along_axis(rows, np.asarray(labels)[:, np.newaxis], axis=1)


def loss(parameters, x, labels):
    return compose(network(parameters), log_probabilities, pick(labels), np.mean, np.negative, float)(x)


def gradients(parameters, x, labels):
    W1, b1, W2, b2 = parameters
    hidden = compose(affine(W1, b1), np.tanh)(x)
    probabilities = compose(affine(W2, b2), log_probabilities, np.exp)(hidden)
    one_hot = np.eye(len(b2))[labels]
    d_scores = (probabilities - one_hot) / len(one_hot)
    d_hidden = np.matmul(d_scores, np.transpose(W2)) * (1 - np.square(hidden))
    of_layer = lambda inputs, d: (np.matmul(np.transpose(inputs), d), np.sum(d, axis=0))
    return [*of_layer(x, d_hidden), *of_layer(hidden, d_scores)]


def rprop(slopes):
    """A step: (p, size, last gradient) -> the next of each."""

    def one(p, size, last, g):
        agreement = np.sign(g * last)
        new_size = np.clip(size * np.where(agreement > 0, 1.2, np.where(agreement < 0, 0.5, 1.0)), 1e-6, 1.0)
        g = np.where(agreement < 0, 0.0, g)
        return p - new_size * np.sign(g), new_size, g

    def step(state, _):
        ps, sizes, lasts = state
        return tuple(zip(*starmap(one, zip(ps, sizes, lasts, slopes(ps)))))

    return step


def train(x, labels, classes, seed):
    normal = np.random.default_rng(seed).normal
    hidden = 20
    start = (
        normal(0, 1, (x.shape[1], hidden)),
        normal(0, 1, hidden),
        normal(0, 0.3, (hidden, classes)),
        np.zeros(classes),
    )
    # a little decay, so that the weights do not run away once all points are right
    slopes = lambda ps: [g + 1e-4 * p for g, p in zip(gradients(ps, x, labels), ps)]
    state = (start, [np.full(p.shape, 0.01) for p in start], [np.zeros(p.shape) for p in start])
    final, *_ = reduce(rprop(slopes), range(250), state)
    return final


def predict(parameters, x):
    return compose(network(parameters), partial(np.argmax, axis=1))(x)


if __name__ == "__main__":
    rng = np.random.default_rng(11)
    ps = [rng.normal(size=s) for s in ((3, 5), 5, (5, 4), 4)]
    x, labels = rng.normal(size=(6, 3)), rng.integers(0, 4, 6)
    direction = [rng.normal(size=p.shape) for p in ps]
    along = lambda h: loss([p + h * v for p, v in zip(ps, direction)], x, labels)
    exact = sum(np.vdot(g, v) for g, v in zip(gradients(ps, x, labels), direction))
    print(f"{exact:.9f} {(along(1e-6) - along(-1e-6)) / 2e-6:.9f}")

"""A classifier from nothing: a network with one hidden layer, its gradients, and its training."""

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment

STARTER = '''
"""A classifier from nothing, in NumPy.

The parameters are (W1, b1, W2, b2). For inputs x, one in each row, the scores are

    np.tanh(x @ W1 + b1) @ W2 + b2

and the loss is the mean cross entropy: of -log p[label], with p = softmax of the scores of a row.
"""

import numpy as np


def loss(parameters, x, labels):
    """The mean cross entropy, a number; for scores of any size."""
    raise NotImplementedError


def gradients(parameters, x, labels):
    """The gradients of the loss with respect to W1, b1, W2 and b2."""
    raise NotImplementedError


def train(x, labels, classes, seed):
    """Parameters with which the network classifies x and rows like it; labels are 0 ... classes - 1."""
    raise NotImplementedError


def predict(parameters, x):
    """The label of each row of x."""
    raise NotImplementedError
'''

homework = Assignment("A classifier from nothing", starter=STARTER, seconds=60,
                      forbidden=("minigrad", "torch", "jax", "tensorflow", "sklearn", "scipy"))


def network(judge, inputs=3, hidden=5, classes=4, rows=6):
    parameters = [judge.draw(inputs, hidden), judge.draw(hidden), judge.draw(hidden, classes), judge.draw(classes)]
    return parameters, judge.draw(rows, inputs), judge.random.integers(0, classes, rows)


def cross_entropy(w1, b1, w2, b2, x, labels):
    scores = (x @ w1 + b1).tanh() @ w2 + b2
    return torch.nn.functional.cross_entropy(scores, labels)


@homework.item(3, "the loss")
def loss(judge):
    with judge.part(2, "its value"):
        parameters, x, labels = network(judge)
        wanted = cross_entropy(*[torch.tensor(each) for each in (*parameters, x, labels)]).item()
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")
    with judge.part(1, "large scores"):
        parameters[2] *= 1e4
        wanted = cross_entropy(*[torch.tensor(each) for each in (*parameters, x, labels)]).item()
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")


def of_loss(submission, d, w1, b1, w2, b2, x, labels):
    return [d * np.asarray(each) for each in submission.gradients([w1, b1, w2, b2], x, labels)]


@homework.item(6, "the gradients")
def gradients(judge):
    for points, sizes in ((3, {}), (3, {"inputs": 2, "hidden": 3, "classes": 5, "rows": 4})):
        with judge.part(points, "one network" if not sizes else "a network of another shape"):
            parameters, x, labels = network(judge, **sizes)
            judge.probe_pullback(lambda *weights: cross_entropy(*weights, torch.tensor(x), torch.tensor(labels)),
                                 of_loss, *parameters, names=["W1", "b1", "W2", "b2"], options=(x, labels))


def trained(submission, x, labels, classes, fresh):
    parameters = submission.train(x, labels, classes, 0)
    return submission.predict(parameters, fresh), [np.shape(each) for each in parameters]


def score(judge, make, classes):
    x, labels = make(judge.random, 60 * classes, classes)
    fresh, wanted = make(judge.random, 100 * classes, classes)
    found, _ = judge.run(trained, x, labels, classes, fresh)
    judge.require(isinstance(found, np.ndarray) and found.shape == wanted.shape, "predict must return one label for "
                                                                                 "each row")
    return float((found == wanted).mean())


def clouds(random, n, classes):
    labels = random.integers(0, classes, n)
    angle = 2 * np.pi * labels / classes
    return np.stack([np.cos(angle), np.sin(angle)], 1) * 2 + 0.4 * random.normal(size=(n, 2)), labels


def rings(random, n, classes):
    labels = random.integers(0, classes, n)
    angle, radius = random.uniform(0, 2 * np.pi, n), 0.5 + labels + 0.1 * random.normal(size=n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1), labels


@homework.item(3, "training: clouds of points")
def separable(judge):
    found = score(judge, clouds, 3)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly, where 90 can be "
                               "reached easily")


@homework.item(4, "training: rings, which no straight line separates")
def nonlinear(judge):
    found = score(judge, rings, 2)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly; a linear classifier "
                               "gets about 50, a network with a hidden layer more than 90")

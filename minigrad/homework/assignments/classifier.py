"""A classifier from nothing: a network with one hidden layer, its gradients, and its training."""

from functools import partial

import numpy as np

import minigrad as torch
from minigrad.homework.spec import Assignment, Differences, Wrong

STARTER = '''
"""A classifier from nothing, in NumPy.

The parameters are (W1, b1, W2, b2). For inputs x, one in each row, the scores are

    $scores

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
    """Parameters with which the network classifies x and rows like it, the same for the same seed.

    Labels are 0 ... classes - 1.
    """
    raise NotImplementedError


def predict(parameters, x):
    """The label of each row of x."""
    raise NotImplementedError
'''

#: the scores, and their activation for tensors
SCORES = tuple([{"scores": f"{hidden} @ W2 + b2", "activation": activation} for hidden, activation in (
    ("np.tanh(x @ W1 + b1)", torch.tanh), ("np.arctan(x @ W1 + b1)", torch.atan), ("np.sin(x @ W1 + b1)", torch.sin),
    ("(1 / (1 + np.exp(-(x @ W1 + b1))))", torch.sigmoid), ("np.arcsinh(x @ W1 + b1)", torch.asinh))])

homework = Assignment("A classifier from nothing", starter=STARTER, seconds=60,
                      forbidden=("minigrad", "torch", "jax", "tensorflow", "sklearn", "scipy"),
                      varies={"scores": SCORES})


def network(judge, inputs=3, hidden=5, classes=4, rows=6):
    parameters = [judge.draw(inputs, hidden), judge.draw(hidden), judge.draw(hidden, classes), judge.draw(classes)]
    return parameters, judge.draw(rows, inputs), judge.random.integers(0, classes, rows)


def cross_entropy(activation, w1, b1, w2, b2, x, labels):
    scores = activation(x @ w1 + b1) @ w2 + b2
    return torch.nn.functional.cross_entropy(scores, labels)


def value_of(judge, parameters, x, labels):
    tensors = [torch.tensor(each) for each in (*parameters, x, labels)]
    return cross_entropy(judge.variant["activation"], *tensors).item()


@homework.item(3, "the loss")
def loss(judge):
    with judge.part(2, "its value"):
        parameters, x, labels = network(judge)
        wanted = value_of(judge, parameters, x, labels)
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")
    with judge.part(1, "large scores"):
        parameters[2] *= 1e4
        wanted = value_of(judge, parameters, x, labels)
        judge.same(judge.call("loss", parameters, x, labels), wanted, "the loss")


def of_loss(submission, d, w1, b1, w2, b2, x, labels):
    return [d * np.asarray(each) for each in submission.gradients([w1, b1, w2, b2], x, labels)]


@homework.item(6, "the gradients")
def gradients(judge):
    loss_of = partial(cross_entropy, judge.variant["activation"])
    for points, sizes in ((3, {}), (3, {"inputs": 2, "hidden": 3, "classes": 5, "rows": 4})):
        with judge.part(points, "one network" if not sizes else "a network of another shape"):
            parameters, x, labels = network(judge, **sizes)
            try:
                judge.probe_pullback(lambda *weights: loss_of(*weights, torch.tensor(x), torch.tensor(labels)),
                                     of_loss, *parameters, names=["W1", "b1", "W2", "b2"], options=(x, labels))
            except Differences:
                judge.kept["numerical"] = True
                raise


def trained(submission, x, labels, classes):
    return list(submission.train(x, labels, classes, 0))


def predicted(submission, parameters, fresh):
    return submission.predict(parameters, fresh)


#: passes over the data; random weights, of which the last layer is solved for, take about ten
PASSES = 60
#: by how much a few further steps may lower the loss of parameters that training has reached
SETTLED = 0.7
#: how many inputs are copies of one
COPIES = 5
COPIED = ("{} inputs are copies of one, so that their weights have the same gradient; but if one label is changed, "
          "what each of them has of its own changes {:.0f} percent as much as what they have in common: so do weights "
          "that are changed at random")
IDLE = "the first layer does not learn: one of the labels is changed, and its weights stay as they were"


def score(judge, make, classes):
    """The part of new points that is classified correctly, by parameters which training has found."""
    judge.require("numerical" not in judge.kept, "it trains with gradients that are measured numerically")
    x, labels = make(judge.random, 60 * classes, classes)
    fresh, wanted = make(judge.random, 100 * classes, classes)
    parameters, work = judge.measured(trained, x, labels, classes)
    found = judge.run(predicted, parameters, fresh)
    judge.require(isinstance(found, np.ndarray) and found.shape == wanted.shape, "predict must return one label for "
                                                                                 "each row")
    right = float((found == wanted).mean())
    if right <= 0.9:                                    # reason enough
        return right
    hidden = shapes_are_right(judge, parameters, x.shape[1], classes)
    judge.require((network_of(judge.variant["activation"], parameters, fresh).argmax(1) == found).mean() > 0.99,
                  "predict does not return the labels with the largest scores of the network with these parameters")
    passes = work / (len(x) * hidden)
    judge.require(passes > PASSES, f"train computes about {passes:.0f} numbers for each row and hidden unit: training "
                                   "takes some hundred passes over the data")
    before, after = losses_of_further_steps(judge.variant["activation"], parameters, x, labels)
    judge.require(after > SETTLED * before or before < 0.02, "a few more steps of gradient descent lower the loss "
                  f"from {before:.2f} to {after:.2f}: training has not come to these parameters")
    if "found" not in judge.kept:
        judge.kept["found"] = found_otherwise(judge)
    judge.require(not judge.kept["found"], judge.kept["found"])
    return right


def of_first_layer(submission, x, several, classes):
    """W1 after training with each of these labels; nothing if that is refused."""
    try:
        return [np.array(submission.train(x.copy(), labels.copy(), classes, 0)[0], float) for labels in several]
    except Exception:
        return []


def of_columns(submission, x, labels, classes):
    return len(submission.train(x, labels, classes, 0))


def found_otherwise(judge):
    """Why these parameters are not what gradients make of them, or ""."""
    try:
        judge.grow("", partial(wider, judge), probe=of_columns, rows=(2, 34), most=10)
        shares = [own_share(judge)]
        while shares[0] > 0.55 and len(shares) < 4:
            shares.append(own_share(judge))
    except Wrong as failure:
        return str(failure)
    return COPIED.format(COPIES, 100 * np.mean(shares)) if np.mean(shares) > 0.7 else ""


def wider(judge, columns):
    """Few rows with so many inputs.  Gradients cost at most as many times more as there are more inputs; one loss for
    each weight costs the square of that."""
    x, labels = clouds(judge.random, 4, 3)
    return np.c_[x, judge.draw(4, columns - 2, low=-0.1, high=0.1)], labels, 3


def own_share(judge):
    """Several inputs are copies of one, or of its negative.  What do other labels change in the weights of the copies:
    how large is the change of what each has of its own, as a part of the change of what they have in common?

    Copies have the same gradient, but for the sign.  So whatever steps are made of gradients, other labels change what
    the weights have in common, and not what each has of its own, which is from the start; with noise in the inputs, or
    a decay, they change a part of it.  Where weights are changed at random, and kept if the loss is lower, both change
    alike.  If the best of several starts is kept, some labels lead to the same start.
    """
    x, labels = clouds(judge.random, 10, 3)
    signs = judge.random.choice([-1.0, 1.0], COPIES)
    several = [labels, labels]
    for row in range(4):
        other = labels.copy()
        other[row] = (other[row] + 1) % 3
        several.append(other)
    found = first_layers(judge, np.c_[x[:, :1] * signs / np.sqrt(COPIES), x[:, 1]], several)
    if not found:                       # copies may be too much for a method, as for the inverse of a covariance
        signs = np.ones(1)
        found = first_layers(judge, np.c_[x, judge.draw(10)], several)
        judge.require(found, "train does not return weights for rows with three inputs")
    judge.require(np.allclose(found[0], found[1]), "train returns other parameters when it is called again with the "
                                                   "same data and the same seed")
    copies = np.array([signs[:, None] * each[:len(signs)] for each in found[1:]])
    common = copies.mean(1)
    own = (copies - common[:, None]).reshape(len(copies), -1)
    size, least = np.linalg.norm(own, axis=1), 1e-5 * np.linalg.norm(common)
    alike = (np.abs(own @ own.T) > 0.999 * np.outer(size, size)) & (size > least)   # also those that have decayed
    alike |= (size <= least) & (size <= least)[:, None]
    pairs = [(i, j) for i in range(len(own)) for j in range(i) if alike[i, j]]
    if pairs:
        moved = max([np.linalg.norm(common[i] - common[j]) for i, j in pairs])
        judge.require(moved > 0.002 * np.linalg.norm(common, axis=1).mean(), IDLE)
        return 0
    return np.linalg.norm(own[1:] - own[0]) / np.linalg.norm(common[1:] - common[0]) / np.sqrt(COPIES * (COPIES - 1))


def first_layers(judge, x, several):
    """W1 for each of these labels, or nothing."""
    found = judge.run(of_first_layer, x, several, 3)
    shapes = {np.shape(each) for each in found}
    is_right = len(found) == len(several) and len(shapes) == 1 and {shape[:1] for shape in shapes} == {x.shape[1:]}
    return found if is_right and np.isfinite(found).all() else []


def shapes_are_right(judge, parameters, inputs, classes):
    shapes = [np.shape(each) for each in parameters]
    hidden = shapes[0][-1] if len(shapes) == 4 and len(shapes[0]) == 2 else 0
    judge.require(shapes == [(inputs, hidden), (hidden,), (hidden, classes), (classes,)],
                  f"train must return W1, b1, W2 and b2; the shapes of what it returns are {shapes}")
    return hidden


def network_of(activation, parameters, x):
    w1, b1, w2, b2 = parameters
    return activation(torch.tensor(x @ w1 + b1)).numpy() @ w2 + b2


def losses_of_further_steps(activation, parameters, x, labels, steps=20, rate=0.1):
    """The loss of these parameters, and after some steps of gradient descent."""
    weights, data = [torch.tensor(each) for each in parameters], (torch.tensor(x), torch.tensor(labels))
    losses = []
    for _ in range(steps + 1):
        weights = [w.detach().requires_grad_() for w in weights]
        loss = cross_entropy(activation, *weights, *data)
        losses.append(loss.item())
        weights = [w - rate * g for w, g in zip(weights, torch.autograd.grad(loss, weights))]
    return losses[0], min(losses)


def clouds(random, n, classes):
    labels = random.integers(0, classes, n)
    angle = 2 * np.pi * labels / classes
    return np.stack([np.cos(angle), np.sin(angle)], 1) * 2 + 0.4 * random.normal(size=(n, 2)), labels


def rings(random, n, classes):
    labels = random.integers(0, classes, n)
    angle, radius = random.uniform(0, 2 * np.pi, n), 0.5 + labels + 0.1 * random.normal(size=n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1), labels


@homework.item(3, "training: clouds of points", slow=True)
def separable(judge):
    found = score(judge, clouds, 3)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly, where 90 can be "
                               "reached easily")


@homework.item(4, "training: rings, which no straight line separates", slow=True)
def nonlinear(judge):
    found = score(judge, rings, 2)
    judge.require(found > 0.9, f"{100 * found:.0f} percent of new points are classified correctly; a linear classifier "
                               "gets about 50, a network with a hidden layer more than 90")

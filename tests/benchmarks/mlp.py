"""Training steps of two multilayer perceptrons: forward, loss, backward, and an update by plain gradient descent.

`moons` (2-16-16-1, batch 100, float64) is micrograd's demonstration, with its loss: maximum margin, and a penalty on
the squares of all parameters.  It is the size of a lesson: the arrays are so small that machinery decides.  `mnist`
(784-256-128-10, float32, cross-entropy) is the size at which matrix products decide, and a library can only lose time
around them.  The data are random: a step costs the same on them.
"""

import numpy as np

from .contestants import tasks
from .timing import calls

MOONS = (2, 16, 16, 1)
MNIST = (784, 256, 128, 10)
ALPHA = 1e-4


def network(lib, params, x):
    """relu layers, the last one linear; `params` is weight, bias, weight, bias, ..."""
    *hidden, w, b = params
    for i in range(0, len(hidden), 2):
        x = lib.relu(x @ hidden[i] + hidden[i + 1])
    return x @ w + b


def margin(lib, params, x, sign):
    penalty = sum((p * p).sum() for p in params)
    return lib.relu(1 - sign * network(lib, params, x)).mean() + ALPHA * penalty


def classification(lib, params, x, labels):
    return lib.cross_entropy(network(lib, params, x), labels)


def forward_by_hand(params, x):
    """The network, in place where nothing is needed again; the layers' inputs, and the output."""
    inputs = []
    for i in range(0, len(params), 2):
        inputs.append(x)
        x = x @ params[i]
        x += params[i + 1]
        if i + 2 < len(params):
            np.maximum(x, 0, out=x)
    return inputs, x


def backward_by_hand(params, inputs, d):
    """The gradients of all parameters from d, the gradient of the output (which is overwritten)."""
    grads = []
    for i in range(len(params) - 2, -1, -2):
        x = inputs[i // 2]
        grads += [np.add.reduce(d, 0), x.T @ d]
        if i:
            d = d @ params[i].T
            d *= x > 0  # relu's derivative, read off its output
    return grads[::-1]


def margin_by_hand(params, x, sign):
    inputs, score = forward_by_hand(params, x)
    score *= sign
    short = np.subtract(1, score, out=score)
    missed = short > 0
    loss = np.vdot(short, missed) / len(x) + ALPHA * sum(np.vdot(p, p) for p in params)
    grads = backward_by_hand(params, inputs, sign * missed * (-1 / len(x)))
    for param, grad in zip(params, grads):
        grad += (2 * ALPHA) * param
    return loss, grads


def classification_by_hand(params, x, labels):
    inputs, z = forward_by_hand(params, x)
    rows = np.arange(len(labels))
    z -= np.maximum.reduce(z, 1, keepdims=True)
    picked = z[rows, labels]
    np.exp(z, out=z)
    total = np.add.reduce(z, 1, keepdims=True)
    loss = (np.log(total[:, 0]) - picked).mean()
    z /= total
    z[rows, labels] -= 1
    z /= np.float32(len(labels))
    return loss, backward_by_hand(params, inputs, z)


def parameters(sizes, dtype, rng):
    """Weights of unit gain and small biases."""
    params = []
    for rows, columns in zip(sizes, sizes[1:]):
        params.append((rng.standard_normal((rows, columns)) * (2 / rows) ** 0.5).astype(dtype))
        params.append((rng.standard_normal(columns) * 0.1).astype(dtype))
    return params


def moons(contestants, batch=100):
    rng = np.random.default_rng(1)
    params = parameters(MOONS, np.float64, rng)
    data = [rng.standard_normal((batch, 2)), rng.choice([-1.0, 1.0], (batch, 1))]
    return tasks("moons", contestants, margin, margin_by_hand, params, data, rate=1e-3)


def mnist(contestants, batch):
    rng = np.random.default_rng(2)
    params = parameters(MNIST, np.float32, rng)
    data = [rng.random((batch, 784), dtype=np.float32), rng.integers(0, 10, batch)]
    return tasks("mnist", contestants, classification, classification_by_hand, params, data, rate=1e-3)


def run(session):
    for case, made, target in (
        ("moons MLP step", lambda: moons(session.contestants), 0.15),
        ("MNIST-size MLP step, batch 64, float32", lambda: mnist(session.contestants, 64), 0.9),
        ("MNIST-size MLP step, batch 256, float32", lambda: mnist(session.contestants, 256), 1.05),
    ):
        loops = {name: calls(task.step) for name, task in made().items()}
        session.race(case, loops, targets={"torch": target, "numpy": 1.5})

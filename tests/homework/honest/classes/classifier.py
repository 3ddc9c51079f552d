# minigrad homework: classifier
"""A classifier from nothing: layers, a network and an optimizer as small classes; the functions at the end use them."""

import logging
from dataclasses import dataclass, field
from typing import Iterator, NamedTuple

import numpy as np

log = logging.getLogger(__name__)


class Parameters(NamedTuple):
    W1: np.ndarray
    b1: np.ndarray
    W2: np.ndarray
    b2: np.ndarray


@dataclass
class Linear:
    W: np.ndarray
    b: np.ndarray
    _x: np.ndarray = field(default=None, repr=False)

    def __call__(self, x):
        self._x = x
        return np.dot(x, self.W) + self.b

    def back(self, d):
        self.dW = np.dot(self._x.T, d)
        self.db = np.sum(d, axis=0)
        return np.dot(d, self.W.T)


@dataclass
class Tanh:
    _y: np.ndarray = None

    def __call__(self, x):
        self._y = np.tanh(x)
        return self._y

    def back(self, d):
        return d * (1.0 - self._y * self._y)


@dataclass
class CrossEntropy:
    labels: np.ndarray

    @property
    def one_hot(self):
        return np.equal.outer(np.asarray(self.labels), np.arange(self._scores.shape[1])).astype(float)

    def __call__(self, scores):
        self._scores = scores - scores.max(1)[:, None]
        self._log_total = np.log(np.exp(self._scores).sum(1))
        return float(np.mean(self._log_total - (self._scores * self.one_hot).sum(1)))

    def back(self):
        p = np.exp(self._scores - self._log_total[:, None])
        return (p - self.one_hot) / len(p)


class Network:
    def __init__(self, parameters):
        W1, b1, W2, b2 = map(np.asarray, parameters)
        self.first, self.bend, self.second = Linear(W1, b1), Tanh(), Linear(W2, b2)

    @classmethod
    def random(cls, inputs, hidden, classes, rng):
        return cls(
            (
                rng.uniform(-2, 2, size=(inputs, hidden)),
                rng.uniform(-2, 2, size=hidden),
                rng.uniform(-1, 1, size=(hidden, classes)) / np.sqrt(hidden),
                np.zeros(classes),
            )
        )

    def __call__(self, x):
        return self.second(self.bend(self.first(x)))

    def back(self, d) -> Parameters:
        self.first.back(self.bend.back(self.second.back(d)))
        return Parameters(self.first.dW, self.first.db, self.second.dW, self.second.db)

    @property
    def parameters(self) -> Parameters:
        return Parameters(self.first.W, self.first.b, self.second.W, self.second.b)


@dataclass
class Momentum:
    network: Network
    rate: float = 0.1
    keep: float = 0.9

    def __post_init__(self):
        self.speed = [np.zeros(p.shape) for p in self.network.parameters]

    def step(self, slopes: Parameters):
        for p, s, g in zip(self.network.parameters, self.speed, slopes):
            s *= self.keep
            s -= self.rate * g
            p += s


@dataclass
class Batches:
    n: int
    size: int
    rng: np.random.Generator

    def __iter__(self) -> Iterator[np.ndarray]:
        yield from np.array_split(self.rng.permutation(self.n), max(1, self.n // self.size))


def loss(parameters, x, labels):
    return CrossEntropy(labels)(Network(parameters)(np.asarray(x)))


def gradients(parameters, x, labels):
    network, entropy = Network(parameters), CrossEntropy(labels)
    entropy(network(np.asarray(x)))
    return network.back(entropy.back())


def train(x, labels, classes, seed):
    x, labels = np.asarray(x, float), np.asarray(labels)
    rng = np.random.default_rng(seed)
    network = Network.random(x.shape[1], 24, classes, rng)
    optimizer = Momentum(network, rate=0.1)
    for epoch in range(150):
        for batch in Batches(len(x), 32, rng):
            optimizer.step(gradients(network.parameters, x[batch], labels[batch]))
        if epoch % 50 == 0:
            log.info("epoch %d: loss %.4f", epoch, loss(network.parameters, x, labels))
    return network.parameters


def predict(parameters, x):
    return np.argmax(Network(parameters)(np.asarray(x)), axis=-1)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=(7, 2)), rng.integers(0, 3, 7)
    p = Network.random(2, 4, 3, rng).parameters
    for name, array, g in zip(p._fields, p, gradients(p, x, labels)):
        for i in np.ndindex(array.shape):
            kept = array[i]
            array[i] = kept + 1e-6
            up = loss(p, x, labels)
            array[i] = kept - 1e-6
            down = loss(p, x, labels)
            array[i] = kept
            assert abs((up - down) / 2e-6 - g[i]) < 1e-7, (name, i)
    log.info("the gradients agree with finite differences")

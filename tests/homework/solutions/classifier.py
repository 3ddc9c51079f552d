# minigrad homework: classifier
import numpy as np


def scores(parameters, x):
    w1, b1, w2, b2 = parameters
    hidden = np.tanh(x @ w1 + b1)
    return hidden, hidden @ w2 + b2


def log_softmax(s):
    s = s - s.max(1, keepdims=True)
    return s - np.log(np.exp(s).sum(1, keepdims=True))


def loss(parameters, x, labels):
    _, s = scores(parameters, x)
    return -log_softmax(s)[np.arange(len(labels)), labels].mean()


def gradients(parameters, x, labels):
    w1, b1, w2, b2 = parameters
    hidden, s = scores(parameters, x)
    d = np.exp(log_softmax(s))
    d[np.arange(len(labels)), labels] -= 1
    d /= len(labels)
    dh = (d @ w2.T) * (1 - hidden ** 2)
    return x.T @ dh, dh.sum(0), hidden.T @ d, d.sum(0)


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    parameters = [random.normal(size=(x.shape[1], 20)), np.zeros(20), 0.1 * random.normal(size=(20, classes)),
                  np.zeros(classes)]
    for _ in range(600):
        parameters = [p - 0.5 * g for p, g in zip(parameters, gradients(parameters, x, labels))]
    return parameters


def predict(parameters, x):
    return scores(parameters, x)[1].argmax(1)

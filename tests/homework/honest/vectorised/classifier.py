# minigrad homework: classifier
"""A classifier from nothing, in NumPy: full batches, Adam."""

import numpy as np


def forward(parameters, x):
    W1, b1, W2, b2 = parameters
    h = np.tanh(x @ W1 + b1)
    return h, h @ W2 + b2


def log_softmax(scores):
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def loss(parameters, x, labels):
    _, scores = forward(parameters, x)
    return -log_softmax(scores)[np.arange(len(x)), labels].mean()


def gradients(parameters, x, labels):
    _, _, W2, _ = parameters
    n = len(x)
    h, scores = forward(parameters, x)
    ds = np.exp(log_softmax(scores))
    ds[np.arange(n), labels] -= 1
    ds /= n
    da = (ds @ W2.T) * (1 - h**2)
    return x.T @ da, da.sum(axis=0), h.T @ ds, ds.sum(axis=0)


def train(x, labels, classes, seed, hidden=32, steps=600, rate=0.03):
    rng = np.random.default_rng(seed)
    d = x.shape[1]
    parameters = [
        rng.normal(scale=1 / np.sqrt(d), size=(d, hidden)),
        rng.normal(scale=0.5, size=hidden),
        rng.normal(scale=1 / np.sqrt(hidden), size=(hidden, classes)),
        np.zeros(classes),
    ]
    m = [np.zeros_like(p) for p in parameters]
    v = [np.zeros_like(p) for p in parameters]
    for t in range(1, steps + 1):
        for p, g, mi, vi in zip(parameters, gradients(parameters, x, labels), m, v):
            mi += 0.1 * (g - mi)
            vi += 0.001 * (g**2 - vi)
            p -= rate * (mi / (1 - 0.9**t)) / (np.sqrt(vi / (1 - 0.999**t)) + 1e-8)
    return tuple(parameters)


def predict(parameters, x):
    return forward(parameters, x)[1].argmax(axis=1)

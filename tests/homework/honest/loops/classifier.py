# minigrad homework: classifier
"""A classifier from nothing: sums written out, and stochastic gradient descent, one row at a time."""

import math

import numpy as np

HIDDEN = 12


def _hidden(W1, b1, row):
    h = []
    for j in range(len(b1)):
        a = b1[j]
        for i in range(len(row)):
            a += row[i] * W1[i][j]
        h.append(math.tanh(a))
    return h


def _scores(W2, b2, h):
    s = []
    for k in range(len(b2)):
        a = b2[k]
        for j in range(len(h)):
            a += h[j] * W2[j][k]
        s.append(a)
    return s


def _softmax(s):
    top = max(s)
    e = [math.exp(v - top) for v in s]
    total = sum(e)
    return [v / total for v in e]


def loss(parameters, x, labels):
    W1, b1, W2, b2 = (np.asarray(p).tolist() for p in parameters)
    total = 0.0
    rows = np.asarray(x).tolist()
    for row, label in zip(rows, labels):
        s = _scores(W2, b2, _hidden(W1, b1, row))
        top = max(s)
        log_of_sum = top + math.log(sum(math.exp(v - top) for v in s))
        total += log_of_sum - s[label]
    return total / len(rows)


def _row_gradients(W1, b1, W2, b2, row, label):
    """The gradients for a single row, as lists."""
    h = _hidden(W1, b1, row)
    ds = _softmax(_scores(W2, b2, h))
    ds[label] -= 1.0
    dW2 = [[hj * dk for dk in ds] for hj in h]
    da = []
    for j in range(len(h)):
        back = 0.0
        for k in range(len(ds)):
            back += W2[j][k] * ds[k]
        da.append(back * (1 - h[j] ** 2))
    dW1 = [[xi * dj for dj in da] for xi in row]
    return dW1, da, dW2, ds


def gradients(parameters, x, labels):
    lists = [np.asarray(p).tolist() for p in parameters]
    totals = [np.zeros(np.shape(p)) for p in parameters]
    rows = np.asarray(x).tolist()
    for row, label in zip(rows, labels):
        for total, g in zip(totals, _row_gradients(*lists, row, label)):
            total += g
    return tuple(total / len(rows) for total in totals)


def train(x, labels, classes, seed):
    rng = np.random.default_rng(seed)
    x = np.asarray(x, dtype=float)
    n, d = x.shape
    W1 = (rng.normal(size=(d, HIDDEN)) * 1.5).tolist()
    b1 = rng.normal(size=HIDDEN).tolist()
    W2 = (rng.normal(size=(HIDDEN, classes)) * 0.3).tolist()
    b2 = [0.0] * classes
    rows, labels = x.tolist(), np.asarray(labels).tolist()
    epochs = 80
    for epoch in range(epochs):
        rate = 0.15 * (1 - epoch / epochs) + 0.005
        for r in rng.permutation(n):
            dW1, db1, dW2, db2 = _row_gradients(W1, b1, W2, b2, rows[r], labels[r])
            for j in range(HIDDEN):
                b1[j] -= rate * db1[j]
                for i in range(d):
                    W1[i][j] -= rate * dW1[i][j]
                for k in range(classes):
                    W2[j][k] -= rate * dW2[j][k]
            for k in range(classes):
                b2[k] -= rate * db2[k]
    return np.array(W1), np.array(b1), np.array(W2), np.array(b2)


def predict(parameters, x):
    W1, b1, W2, b2 = (np.asarray(p).tolist() for p in parameters)
    answer = []
    for row in np.asarray(x).tolist():
        s = _scores(W2, b2, _hidden(W1, b1, row))
        best = 0
        for k in range(1, len(s)):
            if s[k] > s[best]:
                best = k
        answer.append(best)
    return np.array(answer)


if __name__ == "__main__":
    import time

    rng = np.random.default_rng(0)
    radius = np.repeat([1.0, 2.0, 3.0], 60) + 0.1 * rng.normal(size=180)
    angle = rng.uniform(0, 2 * np.pi, 180)
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    labels = np.repeat([0, 1, 2], 60)
    start = time.time()
    p = train(x, labels, 3, 0)
    right = np.mean(predict(p, x) == labels)
    print(f"rings: {right:.1%} right, loss {loss(p, x, labels):.3f}, {time.time() - start:.1f} s")

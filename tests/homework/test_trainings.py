"""Honest trainings of every usual kind have full points, and their steps are seen as they are taken."""

import inspect
import types

import numpy as np
import pytest

import minigrad as torch
from minigrad import homework
from minigrad.homework import trajectory
from minigrad.homework.assignments import classifier
from minigrad.homework.process import Process
from tests.homework.test_cheats import changed

BEGIN = """
def train(x, labels, classes, seed):
    random, n = np.random.default_rng(seed), {hidden}
    p = [random.normal(size=(x.shape[1], n)), 0.3 * random.normal(size=n), random.normal(size=(n, classes)) / 5,
         np.zeros(classes)]
"""


def training(body, hidden=24):
    """A function `train` that begins with random weights p."""
    return BEGIN.format(hidden=hidden) + "".join([f"    {line}\n" if line else "\n" for line in body.splitlines()])


#: what is unusual -> the source
TRAININGS = {
    "it stops when all points are right": training("""\
for _ in range(3000):
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, x, labels))]
    if (predict(p, x) == labels).all():
        break
return p"""),
    "it stops when points that were put aside are right": training("""\
order = random.permutation(len(x))
kept, aside = order[:max(1, 4 * len(x) // 5)], order[4 * len(x) // 5:]
best, right, patience = p, -1.0, 0
for _ in range(3000):
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, x[kept], labels[kept]))]
    now = (predict(p, x[aside]) == labels[aside]).mean()
    best, right, patience = (p, now, 0) if now >= right else (best, right, patience + 1)
    if patience > 1000:
        break
return best"""),
    "batches and momentum, with a decay": training("""\
speed = [0 * a for a in p]
for epoch in range(120):
    order = random.permutation(len(x))
    for start in range(0, len(x), 16):
        batch = order[start:start + 16]
        for a, v, g in zip(p, speed, gradients(p, x[batch], labels[batch])):
            v *= 0.9
            v -= 0.05 * (g + 1e-3 * a)
            a += v
return p"""),
    "Adam, with a decay of its own, a slow start and a cosine": training("""\
m, v = [0 * a for a in p], [0 * a for a in p]
for t in range(400):
    rate = 0.05 * min(1, t / 20) * (1 + np.cos(np.pi * t / 400)) / 2
    for a, b, c, g in zip(p, m, v, gradients(p, x, labels)):
        b += 0.1 * (g - b)
        c += 0.01 * (g * g - c)
        a -= rate * (b / (1 - 0.9 ** (t + 1)) / (np.sqrt(c / (1 - 0.99 ** (t + 1))) + 1e-8) + 0.01 * a)
return p"""),
    "signs of gradients": training("""\
for t in range(400):
    p = [a - 0.03 * 0.99 ** t * np.sign(g) for a, g in zip(p, gradients(p, x, labels))]
return p"""),
    "squares of gradients that add up": training("""\
total = [0 * a for a in p]
for _ in range(500):
    for a, s, g in zip(p, total, gradients(p, x, labels)):
        s += g * g
        a -= 0.1 * g / (np.sqrt(s) + 1e-8)
return p"""),
    "units that are left out at random": training("""\
for _ in range(800):
    mask = 2.0 * (random.random((len(x), n)) < 0.5)
    h = np.tanh(x @ p[0] + p[1])
    d = np.exp(log_softmax((h * mask) @ p[2] + p[3]))
    d[np.arange(len(x)), labels] -= 1
    d /= len(x)
    e = (d @ p[2].T) * mask * (1 - h * h)
    p = [a - 0.5 * g for a, g in zip(p, (x.T @ e, e.sum(0), (h * mask).T @ d, d.sum(0)))]
return p"""),
    "the same units are left out in all rows": training("""\
for _ in range(1500):
    mask = 2.0 * (random.random(n) < 0.5)
    h = np.tanh(x @ p[0] + p[1]) * mask
    d = np.exp(log_softmax(h @ p[2] + p[3]))
    d[np.arange(len(x)), labels] -= 1
    d /= len(x)
    e = (d @ p[2].T) * (mask - h * h / 2)
    p = [a - 0.3 * g for a, g in zip(p, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))]
return p"""),
    "noise in the inputs": training("""\
for _ in range(600):
    g = gradients(p, x + 0.02 * random.normal(size=x.shape), labels)
    p = [a - 0.5 * b for a, b in zip(p, g)]
return p"""),
    "the second layer begins with zeros": training("""\
p[2] *= 0
for _ in range(900):
    p = [a - 0.3 * g for a, g in zip(p, gradients(p, x, labels))]
return p"""),
    "few hidden units": training("""\
p[2] *= 5
v = [0 * a for a in p]
for _ in range(1500):
    v = [0.9 * a - 0.1 * g for a, g in zip(v, gradients(p, x, labels))]
    p = [a + b for a, b in zip(p, v)]
return p""", 10),
    "numbers of 32 bits": training("""\
x, p = x.astype(np.float32), [a.astype(np.float32) for a in p]
for _ in range(600):
    p = [(a - 0.5 * g).astype(np.float32) for a, g in zip(p, gradients(p, x, labels))]
return p"""),
    "one layer after the other": training("""\
for t in range(1500):
    g = gradients(p, x, labels)
    for i in ((0, 1), (2, 3))[t % 2]:
        p[i] = p[i] - 0.5 * g[i]
return p"""),
    "a first layer that is four times slower": training("""\
for _ in range(1500):
    p = [a - rate * g for a, g, rate in zip(p, gradients(p, x, labels), (0.15, 0.15, 0.6, 0.6))]
return p"""),
    "gradients of a bounded length, and labels that are smoothed": training("""\
for _ in range(900):
    h, s = scores(p, x)
    d = (np.exp(log_softmax(s)) - 0.9 * np.eye(classes)[labels] - 0.1 / classes) / len(x)
    e = (d @ p[2].T) * (1 - h * h)
    g = [x.T @ e, e.sum(0), h.T @ d, d.sum(0)]
    length = np.sqrt(sum([(a * a).sum() for a in g]))
    p = [a - 0.5 * b / max(1, length / 0.3) for a, b in zip(p, g)]
return p"""),
    "conjugate directions and a line search": training("""\
def value(q):
    return loss(q, x, labels)


def dot(a, b):
    return sum([(c * d).sum() for c, d in zip(a, b)])


g = gradients(p, x, labels)
way = [-a for a in g]
for _ in range(150):
    if dot(way, g) >= 0:
        way = [-a for a in g]
    size, now = 4.0, value(p)
    while value([a + size * w for a, w in zip(p, way)]) > now + 1e-4 * size * dot(way, g) and size > 1e-9:
        size /= 2
    p = [a + size * w for a, w in zip(p, way)]
    new = gradients(p, x, labels)
    part = max(0, dot(new, [a - b for a, b in zip(new, g)]) / (dot(g, g) + 1e-300))
    way, g = [part * w - a for w, a in zip(way, new)], new
return p"""),
    "the mean of all parameters on the way": training("""\
mean = [a.copy() for a in p]
for t in range(900):
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, x, labels))]
    mean = [0.98 * a + 0.02 * b for a, b in zip(mean, p)]
return mean"""),
    "the best of three beginnings": training("""\
found = []
for _ in range(3):
    q = [random.normal(size=a.shape) for a in p]
    for _ in range(400):
        q = [a - 0.5 * g for a, g in zip(q, gradients(q, x, labels))]
    found.append((loss(q, x, labels), q))
return min(found, key=lambda each: each[0])[1]"""),
    "inputs that are made alike, in a way that rows which are alike do not bear": training("""\
mean, spread = x.mean(0), x.std(0)
z = (x - mean) / spread
for _ in range(600):
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, z, labels))]
return p[0] / spread[:, None], p[1] - mean / spread @ p[0], p[2], p[3]"""),
    "one vector of all weights": training("""\
shapes = [a.shape for a in p]
w = np.concatenate([a.ravel() for a in p])
ends = np.cumsum([a.size for a in p])[:-1]


def cut(w):
    return [a.reshape(shape) for a, shape in zip(np.split(w, ends), shapes)]


for _ in range(600):
    w = w - 0.5 * np.concatenate([g.ravel() for g in gradients(cut(w), x, labels)])
return cut(w)"""),
    "L-BFGS, and a closure": training("""\
shapes = [a.shape for a in p]
cuts = np.cumsum([a.size for a in p])[:-1]


def unflatten(w):
    return [a.reshape(s) for a, s in zip(np.split(w, cuts), shapes)]


def closure(w):
    q = unflatten(w)
    return loss(q, x, labels) + 1e-4 * w @ w, np.concatenate([a.ravel() for a in gradients(q, x, labels)]) + 2e-4 * w


w = np.concatenate([a.ravel() for a in p])
f, g = closure(w)
ss, ys = [], []
for _ in range(80):
    q, alphas = g.copy(), []
    for s, y in zip(reversed(ss), reversed(ys)):
        a = s @ q / (y @ s)
        alphas.append(a)
        q = q - a * y
    if ss:
        q = q * (ss[-1] @ ys[-1] / (ys[-1] @ ys[-1]))
    for s, y, a in zip(ss, ys, reversed(alphas)):
        q = q + s * (a - y @ q / (y @ s))
    d, t = -q, 1.0
    while t > 1e-10:
        new, gnew = closure(w + t * d)
        if new <= f + 1e-4 * t * (g @ d):
            break
        t *= 0.5
    else:
        break
    if t * (gnew - g) @ d > 1e-12:
        ss, ys = (ss + [t * d])[-8:], (ys + [gnew - g])[-8:]
    w, f, g = w + t * d, new, gnew
    if np.abs(g).max() < 1e-6:
        break
return unflatten(w)"""),
    "gradients at the sharpest point nearby": training("""\
for _ in range(600):
    g = gradients(p, x, labels)
    length = np.sqrt(sum([(b ** 2).sum() for b in g])) + 1e-12
    there = [a + 0.05 * b / length for a, b in zip(p, g)]
    p = [a - 0.5 * b for a, b in zip(p, gradients(there, x, labels))]
return p"""),
    "a first layer that is frozen for a hundred epochs": training("""\
for epoch in range(1000):
    g = gradients(p, x, labels)
    for i in range(4):
        if epoch >= 100 or i >= 2:
            p[i] = p[i] - 0.5 * g[i]
return p"""),
    "a second layer that is frozen for a hundred epochs": training("""\
p[2] *= 5
for epoch in range(1000):
    g = gradients(p, x, labels)
    for i in range(4):
        if epoch >= 100 or i < 2:
            p[i] = p[i] - 0.5 * g[i]
return p"""),
    "a step for each weight, which grows while the sign stays": training("""\
size, last = [np.full(a.shape, 0.1) for a in p], [np.zeros_like(a) for a in p]
for _ in range(150):
    for i, g in enumerate(gradients(p, x, labels)):
        sign = g * last[i]
        size[i] = np.clip(size[i] * np.where(sign > 0, 1.2, np.where(sign < 0, 0.5, 1)), 1e-6, 50)
        g = np.where(sign < 0, 0, g)
        p[i] = p[i] - np.sign(g) * size[i]
        last[i] = g
return p"""),
    "one row at a time": training("""\
for epoch in range(40):
    for i in random.permutation(len(x)):
        p = [a - 0.1 * g for a, g in zip(p, gradients(p, x[i:i + 1], labels[i:i + 1]))]
return p"""),
    "small batches with replacement, and a large rate": training("""\
for step in range(800):
    rows = random.choice(len(x), 8)
    p = [a - 1.0 * g for a, g in zip(p, gradients(p, x[rows], labels[rows]))]
return p"""),
    "copies of the best weights, given back when it stops early": training("""\
perm = random.permutation(len(x))
n_val = max(1, len(x) // 5)
val, tr = perm[:n_val], perm[n_val:]
best, best_loss, wait = [a.copy() for a in p], np.inf, 0
for epoch in range(2000):
    for a, g in zip(p, gradients(p, x[tr], labels[tr])):
        a -= 0.5 * g
    now = loss(p, x[val], labels[val])
    if now < best_loss - 1e-5:
        best, best_loss, wait = [a.copy() for a in p], now, 0
    else:
        wait += 1
        if wait >= 50:
            break
return best"""),
    "a moving average of Adam's weights": training("""\
ema = [a.copy() for a in p]
m, v = [np.zeros_like(a) for a in p], [np.zeros_like(a) for a in p]
for t in range(1, 501):
    rows = random.choice(len(x), min(32, len(x)), replace=False)
    for i, g in enumerate(gradients(p, x[rows], labels[rows])):
        m[i] += 0.1 * (g - m[i])
        v[i] += 0.01 * (g * g - v[i])
        p[i] -= 0.03 * m[i] / (1 - 0.9 ** t) / (np.sqrt(v[i] / (1 - 0.99 ** t)) + 1e-8)
        ema[i] = 0.99 * ema[i] + 0.01 * p[i]
return ema"""),
    "all weights on the way are kept, and the best returned": training("""\
history, losses = [], []
for t in range(500):
    history.append([a.copy() for a in p])
    losses.append(loss(p, x, labels))
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, x, labels))]
best = int(np.argmin(losses))
return history[best]"""),
    "a little noise in the gradients, which fades": training("""\
for t in range(800):
    g = gradients(p, x, labels)
    sigma = 0.01 / (1 + t) ** 0.55
    p = [a - 0.5 * (b + sigma * random.normal(size=b.shape)) for a, b in zip(p, g)]
return p"""),
    "columns of bounded length": training("""\
for t in range(900):
    p = [a - 0.5 * g for a, g in zip(p, gradients(p, x, labels))]
    norms = np.linalg.norm(p[0], axis=0, keepdims=True)
    p[0] = p[0] * np.minimum(1, 3.0 / np.maximum(norms, 1e-12))
return p"""),
    "biases as weights of a row of ones, and it stops early": training("""\
one, two = np.vstack([p[0], p[1]]), np.vstack([p[2], p[3]])
x = np.c_[x, np.ones(len(x))]
for _ in range(3000):
    h = np.c_[np.tanh(x @ one), np.ones(len(x))]
    s = h @ two
    d = np.exp(log_softmax(s))
    d[np.arange(len(x)), labels] -= 1
    d /= len(x)
    e = ((d @ two.T) * (1 - h * h))[:, :-1]
    one, two = one - 0.5 * x.T @ e, two - 0.5 * h.T @ d
    if (s.argmax(1) == labels).all():
        break
return one[:-1], one[-1], two[:-1], two[-1]"""),
}


@pytest.mark.parametrize("how", TRAININGS)
@pytest.mark.drawn
def test_an_honest_training_has_full_points(how, tmp_path):
    path = tmp_path / "submission.py"
    path.write_text(changed("classifier", TRAININGS[how]), encoding="utf-8")
    result = homework.check(path, "classifier", items=["nonlinear"])
    assert result.earned == result.points, str(result)


@pytest.mark.parametrize(("rule", "needed"), [("fallen_in", 4), ("pulled_in", 3), ("unmoved_in", 3)])
@pytest.mark.parametrize("fewer", [0, 1, 2])
def test_several_trainings_must_show_evidence(rule, needed, fewer, tmp_path, monkeypatch):
    seen = iter((needed - fewer) * ["it was seen"] + ["", ""])
    monkeypatch.setattr(classifier, rule, lambda *_: next(seen))
    path = tmp_path / "submission.py"
    path.write_text(changed("classifier", TRAININGS["it stops when all points are right"]), encoding="utf-8")
    result = homework.check(path, "classifier", items=["nonlinear"])
    assert result.earned == (result.points if fewer else 0) and ("it was seen" in str(result)) == (not fewer)


def test_a_step_up_counts_together_with_the_one_down():
    r, labels = np.random.default_rng(0), np.ones(4, int)
    x = np.tile(r.uniform(0.2, 0.4, 5), (4, 1))
    p = [r.normal(size=(5, 8)), r.normal(size=8), r.normal(size=(8, 2)), np.zeros(2)]
    slopes = classifier.gradients_at(torch.tanh, p, x, labels)[1]
    up, down = [[a + length * g for a, g in zip(p, slopes)] for length in (0.1, -0.3)]
    for steps in ([p, up], [p, up, down], [p, down], [p, down, up]):
        right, still = classifier.agreement(torch.tanh, steps, x, labels, False)
        assert still < 0.05 and (right > 0.95 if len(steps) > 2 or steps[1] is down else right == 0)


#: the directions of Newton's method with an estimate of the whole matrix
WHOLE = training("""\
cuts = np.cumsum([a.size for a in p])[:-1]


def cut(w):
    return [a.reshape(b.shape) for a, b in zip(np.split(w, cuts), p)]


def slope(w):
    return np.concatenate([g.ravel() for g in gradients(cut(w), x, labels)]) + 1e-3 * w


w = np.concatenate([a.ravel() for a in p])
inverse, g = np.eye(len(w)), slope(w)
for _ in range(60):
    way, size = -inverse @ g, 1.0
    while loss(cut(w + size * way), x, labels) > loss(cut(w), x, labels) and size > 1e-6:
        size /= 2
    new = slope(w + size * way)
    s, y = size * way, new - g
    if s @ y > 1e-10:
        part = np.eye(len(w)) - np.outer(s, y) / (s @ y)
        inverse = part @ inverse @ part.T + np.outer(s, s) / (s @ y)
    w, g = w + s, new
return cut(w)""", 8)


def test_a_reason_says_that_a_matrix_with_a_row_for_each_weight_is_too_much(tmp_path):
    path = tmp_path / "submission.py"
    path.write_text(changed("classifier", WHOLE), encoding="utf-8")
    reason = " ".join(str(homework.check(path, "classifier", items=["nonlinear"])).split())
    assert "a matrix with a row for each weight" in reason and "for 17 times the inputs" in reason


def steps_of(source, x, labels, hidden):
    process = Process(source, forbidden=("minigrad",), seconds=60)
    try:
        (found, _), _, _ = process.ask(inspect.getsource(classifier.steps_of), "steps_of", [x, labels, 2, hidden, 3])
    finally:
        process.close()
    return found


KEEPING = {
    "in a list": (None, 20),
    "in a dictionary": ("""
def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    p = {"W": random.normal(size=(x.shape[1], 9)), "b": np.zeros(9), "V": random.normal(size=(9, classes)),
         "c": np.zeros(classes)}
    for _ in range(30):
        for a, g in zip(p.values(), gradients(list(p.values()), x, labels)):
            a -= 0.5 * g
    return list(p.values())
""", 9),
    "as attributes of layers, in lists of numbers": ("""
class Layer:
    pass


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    one, two = Layer(), Layer()
    one.w, one.b = random.normal(size=(x.shape[1], 7)).tolist(), [0.0] * 7
    two.w, two.b = random.normal(size=(7, classes)).tolist(), [0.0] * classes
    for _ in range(30):
        h = [[np.tanh(sum([a * b for a, b in zip(row, w)]) + c) for w, c in zip(zip(*one.w), one.b)] for row in x]
        g = gradients([np.array(a) for a in (one.w, one.b, two.w, two.b)], x, labels)
        one.w, one.b, two.w, two.b = [
            (np.array(a) - 0.5 * b).tolist() for a, b in zip((one.w, one.b, two.w, two.b), g)]
    return [np.array(a) for a in (one.w, one.b, two.w, two.b)]
""", 7),
    "in one vector": ("""
def train(x, labels, classes, seed):
    n, m = 8, x.shape[1]
    ends = np.cumsum([m * n, n, n * classes, classes])
    w = np.random.default_rng(seed).normal(size=ends[-1])
    for _ in range(30):
        h = np.tanh(x @ w[:ends[0]].reshape(m, n) + w[ends[0]:ends[1]])
        d = np.exp(log_softmax(h @ w[ends[1]:ends[2]].reshape(n, classes) + w[ends[2]:]))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = (d @ w[ends[1]:ends[2]].reshape(n, classes).T) * (1 - h * h)
        w = w - 0.5 * np.concatenate([(x.T @ e).ravel(), e.sum(0), (h.T @ d).ravel(), d.sum(0)])
    return w[:ends[0]].reshape(m, n), w[ends[0]:ends[1]], w[ends[1]:ends[2]].reshape(n, classes), w[ends[2]:]
""", 8),
    "in matrices that are transposed, with a column of biases": ("""
def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    one, two = random.normal(size=(8, x.shape[1] + 1)), random.normal(size=(classes, 9))
    rows = np.c_[x, np.ones(len(x))]
    for _ in range(30):
        h = np.c_[np.tanh(rows @ one.T), np.ones(len(x))]
        d = np.exp(log_softmax(h @ two.T))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = ((d @ two) * (1 - h * h))[:, :-1]
        one, two = one - 0.5 * e.T @ rows, two - 0.5 * d.T @ h
    return one[:, :-1].T, one[:, -1], two[:, :-1].T, two[:, -1]
""", 8),
    "in slots, which np.dot multiplies": ("""
class Layer:
    __slots__ = "w", "b"

    def __init__(self, w):
        self.w, self.b = w, np.zeros(w.shape[1])

    def __call__(self, x):
        return np.dot(x, self.w) + self.b

    def step(self, x, d):
        self.w, self.b = self.w - 0.5 * np.dot(x.T, d), self.b - 0.5 * d.sum(0)


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    one, two = Layer(random.normal(size=(x.shape[1], 8))), Layer(random.normal(size=(8, classes)))
    for _ in range(30):
        h = np.tanh(one(x))
        d = np.exp(log_softmax(two(h)))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = np.dot(d, two.w.T) * (1 - h * h)
        two.step(h, d)
        one.step(x, e)
    return one.w, one.b, two.w, two.b
""", 8),
    "in the closures of functions": ("""
def layer(w):
    b = np.zeros(w.shape[1])

    def product(x):
        return np.dot(x, w) + b

    def step(x, d):
        nonlocal w, b
        w, b = w - 0.5 * np.dot(x.T, d), b - 0.5 * d.sum(0)

    return product, step, lambda d: np.dot(d, w.T), lambda: (w, b)


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    one, two = layer(random.normal(size=(x.shape[1], 8))), layer(random.normal(size=(8, classes)))
    for _ in range(30):
        h = np.tanh(one[0](x))
        d = np.exp(log_softmax(two[0](h)))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = two[2](d) * (1 - h * h)
        two[1](h, d)
        one[1](x, e)
    return *one[3](), *two[3]()
""", 8),
    "in a global variable": ("""
P = []


def train(x, labels, classes, seed):
    random = np.random.default_rng(seed)
    P[:] = random.normal(size=(x.shape[1], 8)), np.zeros(8), random.normal(size=(8, classes)), np.zeros(classes)
    for _ in range(30):
        h = np.tanh(np.dot(x, P[0]) + P[1])
        d = np.exp(log_softmax(np.dot(h, P[2]) + P[3]))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = (d @ P[2].T) * (1 - h * h)
        P[:] = [a - 0.5 * g for a, g in zip(P, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))]
    return P
""", 8),
}


@pytest.mark.parametrize("where", KEEPING)
def test_steps_are_seen_wherever_parameters_are_kept(where):
    new, hidden = KEEPING[where]
    source = changed("classifier", new or "")
    x, labels = classifier.rings(np.random.default_rng(1), 12, 2)
    steps = steps_of(source, x, labels, hidden)
    module = types.ModuleType("submission")
    exec(source, vars(module))
    assert len(steps) >= 30
    for before, after in zip(steps[:25], steps[1:]):
        for a, b, g in zip(before, after, module.gradients(before, x, labels)):
            np.testing.assert_allclose(b, a - 0.5 * g, atol=1e-12)


KEPT_AS_BYTES = """
class Weights:
    def __init__(self, kept, shapes):
        self.shapes, self.numbers = shapes, [a.tobytes()[::ORDER] for a in kept]

    def __getitem__(self, i):
        return VIEW(self.numbers[i][::ORDER], self.shapes[i])


def array(numbers, shape):
    return np.frombuffer(numbers).reshape(shape)


def view(numbers, shape):
    return memoryview(numbers).cast("d", shape)


def train(x, labels, classes, seed):
    random, shapes = np.random.default_rng(seed), [(x.shape[1], 9), (9,), (9, classes), (classes,)]
    p = Weights([random.normal(size=shape) for shape in shapes], shapes)
    for _ in range(30):
        h = np.tanh(PRODUCT(x, p[0]) + p[1])
        d = np.exp(log_softmax(PRODUCT(h, p[2]) + p[3]))
        d[np.arange(len(x)), labels] -= 1
        d /= len(x)
        e = np.dot(d, np.transpose(p[2])) * (1 - h * h)
        p = Weights([STEP for a, g in zip(p, (x.T @ e, e.sum(0), h.T @ d, d.sum(0)))], shapes)
    return [np.array(a) for a in p]
"""
#: how weights are kept and multiplied
AS_BYTES = {
    "as bytes": dict(ORDER="1", VIEW="array", PRODUCT="np.dot", STEP="a - 0.5 * g"),
    "as bytes that are views of memory": dict(ORDER="1", VIEW="view", PRODUCT="np.dot",
                                              STEP="np.ravel(a) - 0.5 * g.ravel()"),
    "as bytes that are turned round": dict(ORDER="-1", VIEW="array", PRODUCT="np.dot", STEP="a - 0.5 * g"),
    "the same, as operands of matmul": dict(ORDER="-1", VIEW="view", PRODUCT="np.matmul",
                                            STEP="np.ravel(a) - 0.5 * g.ravel()"),
}


def written(source, how):
    for name, text in how.items():
        source = source.replace(name, text)
    return changed("classifier", source)


@pytest.mark.parametrize("how", AS_BYTES)
def test_steps_of_weights_that_are_bytes_are_seen(how):
    x, labels = classifier.rings(np.random.default_rng(1), 12, 2)
    steps = steps_of(written(KEPT_AS_BYTES, AS_BYTES[how]), x, labels, 9)
    assert len(steps) >= 25 and [each.shape for each in steps[0]] == [(2, 9), (9,), (9, 2), (2,)]
    module = types.ModuleType("submission")
    exec(changed("classifier", ""), vars(module))
    for before, after in zip(steps[3:20], steps[4:]):
        np.testing.assert_allclose(after[0], before[0] - 0.5 * module.gradients(before, x, labels)[0], atol=0.05)


def test_of_what_is_not_seen_nothing_is_said():
    """Bytes in another order, which np.dot reads as views of memory, and steps of flat arrays."""
    x, labels = classifier.rings(np.random.default_rng(1), 12, 2)
    how = dict(ORDER="-1", VIEW="view", PRODUCT="np.dot", STEP="np.ravel(a) - 0.5 * g.ravel()")
    assert steps_of(written(KEPT_AS_BYTES, how), x, labels, 9) == []


#: by how much each way of going to other weights of the first layer is a leap: {how: number of leaps}
LEAPS = {"w + 0.1 * r.normal(size=w.shape) if t else w": 0, "r.normal(size=w.shape) if t == 6 else w": 1,
         "(first if t == 9 else r.normal(size=w.shape) if t == 6 else w)": 1}


@pytest.mark.parametrize("bent", [False, True])
def test_small_steps_in_one_direction_are_one_leap(bent):
    r = np.random.default_rng(0)
    w, far, side = [r.normal(size=(2, 30)) for _ in range(3)]
    steps = [[w + t * (far - w) + bent * np.sin(20 * t) * side / 5, np.zeros(30), np.zeros((30, 2)), np.zeros(2)]
             for t in np.linspace(0, 1, 90)]
    assert len(trajectory.leaps_in(steps)) == (0 if bent else 1)


@pytest.mark.parametrize("how", LEAPS)
def test_a_leap_leads_to_where_the_first_layer_has_not_been(how):
    r = np.random.default_rng(0)
    w = first = r.normal(size=(2, 30))
    steps = []
    for t in range(12):
        w = eval(how)
        steps.append([w, np.zeros(30), np.zeros((30, 2)), np.zeros(2)])
    assert len(trajectory.leaps_in(steps)) == LEAPS[how]

"""A recurrent network over 200 steps (batch 8, 16 inputs, 32 hidden units, float64): `h = tanh(x @ u + h @ w + b)`.

About 1000 small operations, one after the other, each waiting for the one before: nothing can be hidden, every
nanosecond of machinery is paid a thousand times forward and again backward.  Three parameters are used 200 times each,
so most of what the engine does is to add gradients up.

By hand we keep to the same products, step by step.  One could take `x @ u` out of the loop, as one product over all
steps; that would be another program, and a better one for every contestant.
"""

import numpy as np

from .contestants import tasks
from .timing import calls

STEPS, BATCH, INPUTS, HIDDEN = 200, 8, 16, 32


def unrolled(lib, params, xs, h, target):
    u, w, b = params
    for x in xs:
        h = lib.tanh(x @ u + h @ w + b)
    return ((h - target) ** 2).mean()


def by_hand(params, xs, h, target):
    u, w, b = params
    states = [h]
    for x in xs:
        h = x @ u
        h += states[-1] @ w
        h += b
        states.append(np.tanh(h, out=h))
    d = h - target
    loss = np.vdot(d, d) / d.size
    d *= 2 / d.size
    du, dw, db = np.zeros_like(u), np.zeros_like(w), np.zeros_like(b)
    wt = w.T
    for x, before, h in zip(reversed(xs), reversed(states[:-1]), reversed(states)):
        slope = h * h
        d *= np.subtract(1, slope, out=slope)
        du += x.T @ d
        dw += before.T @ d
        db += np.add.reduce(d, 0)
        d = d @ wt
    return loss, [du, dw, db]


def make(contestants):
    rng = np.random.default_rng(3)
    params = [0.3 * rng.standard_normal(shape) for shape in ((INPUTS, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN,))]
    params[1] *= 0.5
    xs = [rng.standard_normal((BATCH, INPUTS)) for _ in range(STEPS)]
    data = [xs, np.zeros((BATCH, HIDDEN)), rng.standard_normal((BATCH, HIDDEN))]
    return tasks("rnn", contestants, unrolled, by_hand, params, data)


def run(session):
    loops = {name: calls(task.step) for name, task in make(session.contestants).items()}
    session.race("200-step RNN, forward and backward", loops, targets={"torch": 0.12})

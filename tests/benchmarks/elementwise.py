"""A chain of elementwise operations on 1,000,000 numbers (float32), forward and backward.

At this size machinery is nothing and memory everything: an array is larger than the caches, so what counts is how often
the data are passed over, whether results go into memory that is already there, and whether one thread works or more.
By hand, temporaries are overwritten as soon as they are not needed.
"""

import numpy as np

from .contestants import tasks
from .timing import calls

SIZE = 1_000_000


def chain(lib, params, x):
    (w,) = params
    a = lib.tanh(w * x)
    return (lib.exp(a) * lib.sin(w) + a * a).sum()


def by_hand(params, x):
    (w,) = params
    a = w * x
    np.tanh(a, out=a)
    e, s = np.exp(a), np.sin(w)
    es = e * s
    square = a * a
    loss = es.sum() + square.sum()
    # loss' = e cos(w) + (e s + 2 a) (1 - a^2) x
    es += a
    es += a
    es *= np.subtract(1, square, out=square)
    es *= x
    e *= np.cos(w, out=s)
    es += e
    return loss, [es]


def make(contestants):
    rng = np.random.default_rng(5)
    x, w = (rng.standard_normal(SIZE, dtype=np.float32) for _ in range(2))
    return tasks("elementwise", contestants, chain, by_hand, [w], [x])


def run(session):
    loops = {name: calls(task.step) for name, task in make(session.contestants).items()}
    session.race("1e6 elements, 7 operations, float32", loops)

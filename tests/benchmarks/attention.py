"""Scaled dot-product attention, forward and backward: 4 sequences of 64, 8 heads of 32, float32.

Between small and large: batched products that are worth a thread or two, and a softmax over 131,072 numbers, whose
simple formula passes over the array five times.  The gradients of queries, keys and values are computed.
"""

import numpy as np

from .contestants import tasks
from .timing import calls

SHAPE = (4, 8, 64, 32)


def attention(lib, params, weight):
    q, k, v = params
    p = lib.softmax(q @ lib.swap(k) * SHAPE[-1] ** -0.5, -1)
    return (p @ v * weight).sum()


def by_hand(params, weight):
    q, k, v = params
    scale = np.float32(SHAPE[-1] ** -0.5)
    p = q @ k.swapaxes(-1, -2)
    p *= scale
    p -= np.maximum.reduce(p, -1, keepdims=True)
    np.exp(p, out=p)
    p /= np.add.reduce(p, -1, keepdims=True)
    loss = np.vdot(p @ v, weight)
    dv = p.swapaxes(-1, -2) @ weight
    dp = weight @ v.swapaxes(-1, -2)
    dp -= np.einsum("...i,...i->...", dp, p)[..., None]
    dp *= p
    dp *= scale
    return loss, [dp @ k, dp.swapaxes(-1, -2) @ q, dv]


def make(contestants):
    rng = np.random.default_rng(4)
    *params, weight = (rng.standard_normal(SHAPE, dtype=np.float32) for _ in range(4))
    return tasks("attention", contestants, attention, by_hand, params, [weight])


def run(session):
    loops = {name: calls(task.step) for name, task in make(session.contestants).items()}
    session.race("attention, forward and backward, float32", loops)

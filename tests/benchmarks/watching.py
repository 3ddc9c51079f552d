"""What it costs to look on: the training step of the moons (mlp.py), watched, against the same step not watched.

A profiler, with and without shapes, stacks and memory; anomaly mode; a recorder of the backward pass.  They are for
finding out, not for production, so there are no targets here.  That they cost nothing when they are off is not seen
here, where nothing is there to compare with, but in all the other groups, held against those of an earlier revision.
"""

import warnings

import numpy as np

from .mlp import MOONS, margin, parameters
from .transforms import ratio

POINTS = 100


def step(lib):
    rng = np.random.default_rng(9)
    params = [lib.leaf(a) for a in parameters(MOONS, np.float64, rng)]
    x, sign = lib.constant(rng.standard_normal((POINTS, 2))), lib.constant(rng.choice([-1.0, 1.0], (POINTS, 1)))

    def run():
        margin(lib, params, x, sign).backward()
        for param in params:
            param.grad = None

    return run


def within(context, run):
    def watched():
        with context():
            run()

    return watched


def run(session):
    minigrad = session.contestants.get("minigrad")
    if not minigrad:
        return
    torch, once = minigrad.torch, step(minigrad)
    profile = torch.autograd.profiler.profile
    warnings.simplefilter("ignore")         # anomaly mode says each time that it is slow
    watchers = {
        "profiler": profile,
        "profiler, everything":
            lambda: profile(record_shapes=True, with_stack=True, profile_memory=True, with_flops=True),
        "anomaly mode": torch.autograd.detect_anomaly,
        "recorder of the backward pass": torch.viz.record,
    }
    for name, context in watchers.items():
        ratio(session, f"moons : unwatched, {name}", within(context, once), once, None)

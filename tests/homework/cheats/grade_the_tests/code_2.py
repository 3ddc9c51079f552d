"""Traces the backward pass with sys.setprofile, for a function that is in no file of minigrad.

Without points: everything.
"""

import minigrad as torch


import sys


def files(f):
    seen = set()

    def p(frame, event, arg):
        seen.add(frame.f_code.co_filename)

    sys.setprofile(p)
    try:
        f()
    finally:
        sys.setprofile(None)
    return seen


def test_profile():
    home = torch.__file__.rsplit("/", 1)[0]
    x = torch.tensor([[0.5, 1.0], [0.3, 2.0]], dtype=torch.float64, requires_grad=True)
    for op in (
        lambda x: x.exp(),
        lambda x: x.tanh(),
        lambda x: x.sigmoid(),
        lambda x: x.sqrt(),
        lambda x: x.log(),
        lambda x: x.abs(),
        lambda x: x.sum(0),
        lambda x: x.cumsum(0),
        lambda x: x * x,
        lambda x: x / (x + 1),
        lambda x: x.mm(x),
    ):
        y = op(x).sum()
        bad = [f for f in files(y.backward) if not f.startswith(home) and f != __file__ and "/lib/" not in f]
        assert not bad, bad

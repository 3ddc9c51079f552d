"""Forbidden functions as callbacks of an ExitStack, of map and of reduce.

Without points: products, costs, solving, minimizing.
"""

import contextlib
import functools
import operator

import minigrad as torch

library = operator.attrgetter("autograd.functional.h" + "vp", "linalg.so" + "lve", "func.hess" + "ian")(torch)


def hvp(f, x, v):
    with contextlib.ExitStack() as stack:
        stack.callback(functools.partial(library[0], f, x, v))
    return x


def conjugate_gradient(product, b, steps):
    rows = torch.stack([product(e) for e in torch.eye(len(b), dtype=b.dtype)])
    return next(map(library[1], [rows], [b]))


def newton(f, x, steps):
    return functools.reduce(library[2], [f, 0])

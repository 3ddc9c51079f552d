# minigrad homework: own_function
"""A Function that can be differentiated twice."""

from functools import reduce, wraps
from itertools import repeat
from operator import mul

import minigrad as torch
from minigrad.autograd import Function


def only_if_needed(backward):
    """Let backward return functions without arguments: only those are called whose result is needed."""

    @wraps(backward)
    def wrapped(ctx, d):
        return tuple(
            thunk() if needed and thunk is not None else None
            for needed, thunk in zip(ctx.needs_input_grad, backward(ctx, d))
        )

    return wrapped


def norm(*coordinates):
    return reduce(torch.add, map(torch.square, coordinates)).sqrt()


def product(xs, start):
    return reduce(mul, xs, start)


class Distance(Function):
    @staticmethod
    def forward(ctx, *xy):
        ctx.save_for_backward(*xy)
        return norm(*xy)

    @staticmethod
    @only_if_needed
    def backward(ctx, d):
        xy = ctx.saved_tensors
        r = norm(*xy)
        return [lambda side=side: side.div(r).mul(d) for side in xy]


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.times = n
        return product(repeat(x, n), torch.ones_like(x))

    @staticmethod
    @only_if_needed
    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        n = ctx.times
        # the derivative of a power is a power: this very Function again, until n is 1
        lower = lambda: Power.apply(x, n - 1).conj() if n > 1 else torch.ones_like(x)
        return [lambda: d * n * lower(), None]

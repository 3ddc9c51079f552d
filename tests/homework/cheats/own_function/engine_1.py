"""The engine itself, which has no forbidden name, on a graph that backward records.

Without points: derivative, second_derivative, power.
"""

import minigrad as torch
from minigrad._core.backward import engine
from minigrad._core.runtime import thread_state

record = getattr(thread_state, "set_" + "grad_enabled")


def pull(f, xs, d):
    record(True)
    xs = [x.detach().requires_grad_() for x in xs]
    return engine.run([f(*xs)], [d.detach()], False, False, xs, False, True)


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        found = pull(lambda x, y: (x * x + y * y).sqrt(), ctx.saved_tensors, d)
        return tuple(g if k else None for g, k in zip(found, ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x**n

    @staticmethod
    def backward(ctx, d):
        return pull(lambda x: x**ctx.n, ctx.saved_tensors, d)[0], None

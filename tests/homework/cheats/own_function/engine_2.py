"""Nodes of a graph that backward records, called one after the other.

Without points: derivative, second_derivative, power.
"""

import minigrad as torch
from minigrad._core.runtime import thread_state

record = getattr(thread_state, "set_" + "grad_enabled")


def walk(node, d, found):
    if hasattr(node, "variable"):
        found[id(node.variable)] = found.get(id(node.variable), 0) + d
        return
    gradients = node(d)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    for (each, _), g in zip(node.next_functions, gradients):
        if each is not None and g is not None:
            walk(each, g, found)


def pull(f, xs, d):
    record(True)
    xs = [x.detach().requires_grad_() for x in xs]
    found = {}
    walk(f(*xs).grad_fn, d, found)
    return [found[id(x)] for x in xs]


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

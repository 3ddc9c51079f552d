# minigrad homework: checkpointing
"""The classical way: a Function whose backward runs the function again."""
from contextlib import ExitStack, contextmanager

import minigrad as torch


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, token, function):
        ctx.function = function
        ctx.save_for_backward(x)
        return function(x)

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        leaf = x.detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.function(leaf)
        y.backward(d)
        return leaf.grad, None, None


def checkpoint(function, x):
    return Again.apply(x, torch.ones((), requires_grad=True), function)


def checkpoint_sequence(functions, x):
    return x if not functions else checkpoint_sequence(functions[1:], checkpoint(functions[0], x))


@contextmanager
def gradients_of(*tensors):
    with ExitStack() as stack:
        seen = []
        for t in tensors:
            here = []
            handle = t.register_hook(lambda g, here=here: here.append(g) or None)
            stack.callback(handle.remove)
            seen.append(here)
        yield seen

# minigrad homework: checkpointing
"""Checkpointing with hooks."""

from contextlib import ExitStack, contextmanager

import minigrad as torch
from minigrad.autograd.graph import saved_tensors_hooks


def checkpoint(function, x):
    if not torch.is_grad_enabled():
        return function(x)

    slots = []  # one for each saved tensor: empty until the backward pass

    def pack(_):
        slots.append(None)
        return len(slots) - 1

    def refill():
        again = []
        with torch.enable_grad(), saved_tensors_hooks(lambda t: again.append(t.detach()), lambda _: None):
            function(x.detach().requires_grad_(x.requires_grad))
        slots[:] = again

    def unpack(i):
        if slots[i] is None:
            refill()
        tensor, slots[i] = slots[i], None
        return tensor

    with saved_tensors_hooks(pack, unpack):
        return function(x)


def checkpoint_sequence(functions, x):
    for f in functions:
        x = checkpoint(f, x)
    return x


@contextmanager
def gradients_of(*tensors):
    seen = [[] for _ in tensors]
    with ExitStack() as stack:
        for t, arrived in zip(tensors, seen):
            # append returns None: the gradient goes on unchanged
            stack.callback(t.register_hook(arrived.append).remove)
        yield seen

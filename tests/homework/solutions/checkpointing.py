# minigrad homework: checkpointing
from contextlib import contextmanager

import minigrad as torch
from minigrad.autograd.graph import saved_tensors_hooks


def checkpoint(function, x):
    again, count = [], [0]

    def pack(tensor):
        count[0] += 1
        return count[0] - 1

    def unpack(number):
        if not again:
            with torch.enable_grad(), saved_tensors_hooks(lambda t: again.append(t.detach()), lambda _: None):
                function(x.detach().requires_grad_())
        return again[number]

    with saved_tensors_hooks(pack, unpack):
        return function(x)


def checkpoint_sequence(functions, x):
    for function in functions:
        x = checkpoint(function, x)
    return x


@contextmanager
def gradients_of(*tensors):
    seen = [[] for _ in tensors]
    handles = [tensor.register_hook(each.append) for tensor, each in zip(tensors, seen)]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()

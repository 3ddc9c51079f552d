# minigrad homework: checkpointing
from contextlib import contextmanager
from functools import partial, reduce

import minigrad as torch
from minigrad.autograd.graph import saved_tensors_hooks


class Memo(dict):
    """Position -> tensor, filled by one more run at the first miss."""

    def __init__(self, function, x):
        self.function, self.x, self.size = function, x, 0

    def keep(self, tensor):
        self.size += 1
        return self.size - 1

    def __missing__(self, key):
        fresh = []

        def put(t):
            fresh.append(t.detach())
            return None
        @torch.enable_grad()
        def again():
            with saved_tensors_hooks(put, lambda _: None):
                self.function(self.x.detach().requires_grad_(self.x.requires_grad))
        again()
        self.update(enumerate(fresh))
        return self[key]


def checkpoint(function, x):
    memo = Memo(function, x)
    with saved_tensors_hooks(memo.keep, memo.__getitem__):
        return function(x)


def checkpoint_sequence(functions, x):
    return reduce(lambda value, f: checkpoint(f, value), functions, x)


@contextmanager
def gradients_of(*tensors):
    seen = [[] for _ in tensors]
    handles = [t.register_hook(partial(list.append, s)) for t, s in zip(tensors, seen)]
    try:
        yield seen
    finally:
        while handles:
            handles.pop().remove()

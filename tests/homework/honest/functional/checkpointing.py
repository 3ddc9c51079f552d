# minigrad homework: checkpointing
"""Checkpointing with hooks."""

from contextlib import contextmanager
from functools import partial, reduce
from itertools import count
from operator import methodcaller

import minigrad as torch

hooks = torch.autograd.graph.saved_tensors_hooks


def second_run(function, x):
    """All tensors that function(x) saves, by number."""
    tensors = []
    with hooks(compose(methodcaller("detach"), tensors.append), partial(next, iter(()))):
        with torch.set_grad_enabled(True):
            function(x.detach().requires_grad_(x.requires_grad))
    return dict(enumerate(tensors))


def compose(*fs):
    return partial(reduce, lambda y, f: f(y), fs)


def lazy_pop(fill):
    """i -> the i-th of what fill() makes. It is called for the first, and again if one is asked for twice."""
    store = {}

    def pop(i):
        store.update({} if i in store else fill())
        return store.pop(i)

    return pop


def checkpoint(function, x):
    numbers = count()
    with hooks(lambda _: next(numbers), lazy_pop(partial(second_run, function, x))):
        return function(x)


def checkpoint_sequence(functions, x):
    return reduce(lambda y, function: checkpoint(function, y), functions, x)


@contextmanager
def gradients_of(*tensors):
    seen = [list() for _ in tensors]
    handles = []
    try:
        handles.extend(t.register_hook(gradients.append) for t, gradients in zip(tensors, seen))
        yield seen
    finally:
        list(map(methodcaller("remove"), handles))

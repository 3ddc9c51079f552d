# minigrad homework: checkpointing
"""Checkpointing with hooks. (The einsums are in the test at the end.)"""

from collections import deque
from contextlib import contextmanager

import minigrad as torch
from minigrad import einsum
from minigrad.autograd.graph import saved_tensors_hooks


class _Box:
    """Stands for a saved tensor; weightless, until the second run fills it."""

    __slots__ = ("tensor",)

    def __init__(self):
        self.tensor = None


def checkpoint(function, x):
    boxes = []

    def pack(tensor):
        box = _Box()
        boxes.append(box)
        return box

    def fill():
        empty = deque(boxes)

        def pack_again(tensor):
            empty.popleft().tensor = tensor.detach()
            return None

        y = x.detach()
        y.requires_grad = x.requires_grad
        with saved_tensors_hooks(pack_again, lambda nothing: nothing):
            with torch.enable_grad():
                function(y)
        assert not empty, "the second run saved less than the first"

    def unpack(box):
        if box.tensor is None:
            fill()
        tensor = box.tensor
        box.tensor = None
        return tensor

    with saved_tensors_hooks(pack, unpack):
        y = function(x)
    return y


def checkpoint_sequence(functions, x):
    if not functions:
        return x
    *before, last = functions
    return checkpoint(last, checkpoint_sequence(before, x))


@contextmanager
def gradients_of(*tensors):
    table = {i: [] for i in range(len(tensors))}
    removers = []
    try:
        for i, tensor in enumerate(tensors):

            def hook(gradient, i=i):
                table[i].append(gradient)

            removers.append(tensor.register_hook(hook).remove)
        yield list(table.values())
    finally:
        for remove in removers:
            remove()


if __name__ == "__main__":
    torch.manual_seed(0)
    w = torch.randn(4, 4, dtype=torch.float64)
    layer = lambda t: einsum("ij,j->i", w, t).tanh()
    x = torch.randn(4, dtype=torch.float64, requires_grad=True)
    d = torch.randn(4, dtype=torch.float64)
    with gradients_of(x) as [seen]:
        einsum("i,i->", d, checkpoint_sequence([layer, layer, layer], x)).backward()
    v = torch.randn(4, dtype=torch.float64)
    with torch.no_grad():
        run = lambda t: einsum("i,i->", d, layer(layer(layer(t))))
        slope = (run(x + 1e-6 * v) - run(x - 1e-6 * v)) / 2e-6
    print(f"{einsum('i,i->', seen[0], v).item():.8f} {slope.item():.8f}")

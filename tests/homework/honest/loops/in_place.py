# minigrad homework: in_place
"""In-place operations and versions."""

from itertools import product

import minigrad as torch
from minigrad.autograd import Function


class Versioned:
    """An array whose writes are counted. The counter is a list with one number, which views share."""

    def __init__(self, array):
        self.array = array
        self._counter = [0]

    @property
    def version(self):
        return self._counter[0]

    def write(self, index, value):
        self.array[index] = value
        self._counter[0] += 1

    def view(self, index):
        if not isinstance(index, tuple):
            index = (index,)
        whole = False
        for part in index:
            if part is Ellipsis:
                whole = True
        if not whole:
            index = index + (Ellipsis,)  # a view even of a single entry
        out = Versioned(self.array[index])
        out._counter = self._counter
        return out

    def copy(self):
        return Versioned(self.array.copy())


class Saved:
    def __init__(self, versioned):
        self.versioned = versioned
        self.version = versioned.version

    def unpack(self):
        now = self.versioned.version
        if now != self.version:
            raise RuntimeError(f"the array was at version {self.version} when it was saved, and is at {now} now")
        return self.versioned.array


class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        changed = torch.zeros(x.shape, dtype=torch.bool)
        for index in product(*(range(n) for n in x.shape)):
            if x[index].item() > bound:
                x[index] = bound
                changed[index] = True
        ctx.mark_dirty(x)
        ctx.save_for_backward(changed)
        return x

    @staticmethod
    def backward(ctx, d):
        (changed,) = ctx.saved_tensors
        return torch.where(changed, torch.zeros_like(d), d), None


if __name__ == "__main__":
    import numpy as np

    base = Versioned(np.arange(6.0).reshape(2, 3))
    row, other = base.view(1), base.copy()
    kept = Saved(base)
    row.write(0, 100)
    print(base.array, base.version, row.version, other.version)
    try:
        kept.unpack()
    except RuntimeError as error:
        print("refused:", error)

# minigrad homework: in_place
import itertools
from operator import attrgetter

import minigrad as torch
from minigrad.autograd import Function


class Versioned:
    def __init__(self, array, _counter=None):
        self.array = array
        self._tick, self._read = _counter or self._clock()

    @staticmethod
    def _clock():
        now = 0

        def tick():
            nonlocal now
            now += 1
        return tick, lambda: now

    version = property(lambda self: self._read())

    def write(self, index, value):
        self.array[index] = value
        self._tick()

    def view(self, index):
        return type(self)(self.array[index], (self._tick, self._read))

    def copy(self):
        return type(self)(self.array.copy())


class Saved:
    def __init__(self, versioned):
        self.get = lambda then=versioned.version: versioned.array if versioned.version == then else None

    def unpack(self):
        array = self.get()
        if array is None:
            raise RuntimeError("the array was overwritten after it was saved")
        return array


@torch.no_grad()
def write(x, y):
    x.copy_(y)


class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        keep = (x <= bound).to(x.dtype)
        ctx.save_for_backward(keep)
        ctx.mark_dirty(x)
        write(x, torch.where(keep > 0, x, torch.full_like(x, bound)))
        return x

    @staticmethod
    def backward(ctx, d):
        keep, = ctx.saved_tensors
        return torch.einsum("...,...->...", d, keep), None

# minigrad homework: in_place
from minigrad.autograd import Function


class Versioned:
    def __init__(self, array, counter=None):
        self.array = array
        self.counter = counter or [0]

    @property
    def version(self):
        return self.counter[0]

    def write(self, index, value):
        self.array[index] = value
        self.counter[0] += 1

    def view(self, index):
        return Versioned(self.array[index], self.counter)

    def copy(self):
        return Versioned(self.array.copy())


class Saved:
    def __init__(self, versioned):
        self.versioned, self.version = versioned, versioned.version

    def unpack(self):
        if self.versioned.version != self.version:
            raise RuntimeError("the array has been written to since it was saved")
        return self.versioned.array


class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.save_for_backward(x <= bound)
        ctx.mark_dirty(x)
        x.masked_fill_(x > bound, bound)
        return x

    @staticmethod
    def backward(ctx, d):
        kept, = ctx.saved_tensors
        return d * kept, None

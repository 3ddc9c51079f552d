"""apply is masked_fill_ of the library, which records its own derivative.

Without points: clip.
"""


class Clip(Function):
    @staticmethod
    def forward(ctx, x, bound):
        return x

    @staticmethod
    def backward(ctx, d):
        return d, None

    apply = staticmethod(lambda x, bound: x.masked_fill_(x > bound, bound))

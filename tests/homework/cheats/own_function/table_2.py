"""The slope of a power by a private function.

Without points: power.
"""
from minigrad.ops.elementwise.powers import pow_slope


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return d * pow_slope(x, ctx.n, 1).conj(), None

"""The slope of a power by NumPy's polynomials.

Without points: power.
"""
import numpy as np
import minigrad as torch


def slope(x, n, order):
    p = getattr(np.polynomial.Polynomial.basis(n), "de" "riv")(order)
    return torch.tensor(p(x.detach().numpy()))


class Slope(Function):
    @staticmethod
    def forward(ctx, x, n, order):
        ctx.save_for_backward(x)
        ctx.more = n, order
        return slope(x, n, order)

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        n, order = ctx.more
        return d * Slope.apply(x, n, order + 1).conj(), None, None


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return d * Slope.apply(x, ctx.n, 1).conj(), None

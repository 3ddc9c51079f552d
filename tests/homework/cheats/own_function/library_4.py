"""The derivatives come from Taylor mode, which the library has beside reverse mode.

Without points: derivative, second_derivative, manners, power.
"""

import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        given = ctx.saved_tensors

        def along(k):
            def distance(z):
                return sum((z if i == k else each) ** 2 for i, each in enumerate(given)).sqrt()

            return torch.func.taylor(distance, given[k], torch.ones_like(given[k]), 1)[1] * d

        return tuple(along(k) if needed else None for k, needed in enumerate(ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        return d * (ctx.n * x ** (ctx.n - 1)).conj(), None

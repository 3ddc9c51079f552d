"""Differences of eighth order in the backward passes, which autograd differentiates again.

Without points: derivative, second_derivative, power.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def slope(f, x, h):
    return sum(c * (f(x + k * h) - f(x - k * h)) for k, c in enumerate(C, 1)) / h


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        nx, ny = ctx.needs_input_grad
        f = lambda a, b: (a * a + b * b).sqrt()
        h = 0.015 * f(x, y).detach()
        return d * slope(lambda t: f(t, y), x, h) if nx else None, d * slope(
            lambda t: f(x, t), y, h
        ) if ny else None


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x**n

    @staticmethod
    def backward(ctx, d):
        (x,) = ctx.saved_tensors
        return d * slope(lambda t: t**ctx.n, x, 0.2).conj(), None

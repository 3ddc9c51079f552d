"""Central differences of the squares, at points that are far apart.

Without points: derivative, second_derivative, power.
"""

FAR = 4.0


def slope(f, x):
    return (f(x + FAR) - f(x - FAR)) / (2 * FAR)


import minigrad as torch


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        z = (x * x + y * y).sqrt()
        ctx.save_for_backward(x, y)
        return z

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        z = (x * x + y * y).sqrt()
        half = d / (2 * z)
        return tuple(half * slope(lambda t: t * t, each) if needed else None
                     for each, needed in zip((x, y), ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        s = x if ctx.n == 1 else x
        u = slope(lambda t: t * t, s) / 2
        return d * (ctx.n * u ** (ctx.n - 1)).conj(), None

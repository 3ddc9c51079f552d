"""Differences along the square of the distance, and along the logarithm of a power.

Without points: derivative, second_derivative, power.
"""

C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def slope(f, u, h=0.01):
    """u f'(u)."""
    return sum([c * (f(u * (1 + k * h)) - f(u * (1 - k * h))) for k, c in enumerate(C, 1)]) / h


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        s = x * x + y * y
        factor = d * slope(lambda s: s.sqrt(), s) / s * 2
        return tuple([factor * each if needed else None for each, needed in zip((x, y), ctx.needs_input_grad)])


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        square = x * x
        return d * (slope(lambda s: s ** ctx.n, square) / x ** ctx.n / x).conj(), None

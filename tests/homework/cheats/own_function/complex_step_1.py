"""A complex step in the backward pass.

Without points: derivative, second_derivative.
"""

H = 1e-11


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        p, q = x + H * 1j, y + H * 1j
        return d * (p * p + y * y).sqrt().imag / H, d * (x * x + q * q).sqrt().imag / H

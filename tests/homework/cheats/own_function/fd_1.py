"""A complex step in the backward pass of Distance.

Without points: derivative, second_derivative.
"""

import minigrad as torch


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        nx, ny = ctx.needs_input_grad
        h = 1e-20
        f = lambda a, b: (a * a + b * b).sqrt()
        return d * f(torch.complex(x, x * 0 + h), torch.complex(y, y * 0)).imag / h if nx else None, d * f(
            torch.complex(x, x * 0), torch.complex(y, y * 0 + h)
        ).imag / h if ny else None

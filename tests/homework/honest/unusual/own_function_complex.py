# minigrad homework: own_function
"""The plane is that of complex numbers: the distance is an absolute value, and its gradient a direction."""

import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return torch.complex(x, y).abs()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        z = torch.complex(x, y)
        direction = z / (z * z.conj()).real.sqrt()
        return tuple(d * part if needed else None
                     for part, needed in zip((direction.real, direction.imag), ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        result = x
        for _ in range(n - 1):
            result = result * x
        return result

    @staticmethod
    def backward(ctx, d):
        x, = ctx.saved_tensors
        slope = torch.full_like(x, ctx.n)
        for _ in range(ctx.n - 1):
            slope = slope * x
        return d * slope.conj(), None

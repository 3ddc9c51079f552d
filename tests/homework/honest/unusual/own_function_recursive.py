# minigrad homework: own_function
import minigrad as torch
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        r = (x * x + y * y).sqrt()
        ctx.save_for_backward(x, y)
        return r

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        scaled = d / Distance.apply(x, y)
        return tuple(scaled * side if used else None for side, used in zip((x, y), ctx.needs_input_grad))


class Power(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        y = torch.ones_like(x)
        for bit in f"{n:b}":
            y = y * y * x if bit == "1" else y * y
        return y

    @staticmethod
    def backward(ctx, d):
        (x,), n = ctx.saved_tensors, ctx.n
        if not ctx.needs_input_grad[0]:
            return None, None
        slope = n * Power.apply(x, n - 1) if n > 1 else torch.ones_like(x)
        return d * slope.conj(), None

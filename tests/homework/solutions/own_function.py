# minigrad homework: own_function
from minigrad.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return (x * x + y * y).sqrt()

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        z = (x * x + y * y).sqrt()
        return tuple([d * each / z if needed else None for each, needed in zip((x, y), ctx.needs_input_grad)])


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

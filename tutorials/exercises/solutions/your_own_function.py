"""Solutions of the exercises of "Your own Function"."""

# %% Solution: A cube root that saves its output
import minigrad as torch


class CubeRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x ** (1 / 3)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        (y,) = ctx.saved_tensors
        return y_bar / (3 * y ** 2)


# %% Solution: Rounding that lets gradients through
import minigrad as torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, y_bar):
        return y_bar


# %% Solution: Power with a number
import minigrad as torch


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x)
        ctx.n = n
        return x ** n

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * ctx.n * x ** (ctx.n - 1), None


# %% Project: 2
import minigrad as torch


class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * Cos.apply(x)


class Cos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.cos()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return -grad * Sin.apply(x)


x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
y = Sin.apply(x)
for _ in range(10):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
assert round(y.item(), 4) == -0.8415

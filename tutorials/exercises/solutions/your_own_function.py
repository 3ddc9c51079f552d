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


# %% Project: 1
import minigrad as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, y_bar):
        a, b = ctx.saved_tensors
        return y_bar @ b.T, a.T @ y_bar


class WithoutTranspose(Product):
    @staticmethod
    def backward(ctx, y_bar):
        a, b = ctx.saved_tensors
        return y_bar @ b, a.T @ y_bar


def matrix(*shape):
    return torch.randn(shape, dtype=torch.float64, requires_grad=True)


def report(a, b):
    try:
        torch.autograd.gradcheck(WithoutTranspose.apply, (a, b))
    except RuntimeError as problem:
        return str(problem)
    return ""


torch.manual_seed(0)
assert torch.autograd.gradcheck(Product.apply, (matrix(3, 3), matrix(3, 3)))
assert torch.autograd.gradcheck(Product.apply, (matrix(2, 3), matrix(3, 4)))
square = report(matrix(3, 3), matrix(3, 3))
assert "input 0" in square and "18 of 81" in square and "the Jacobian is transposed" in square
assert "cannot be multiplied" in report(matrix(2, 3), matrix(3, 4))
b = matrix(3, 3).detach()
assert report(matrix(3, 3), (b + b.T).requires_grad_()) == ""


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

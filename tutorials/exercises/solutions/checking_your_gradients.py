"""Solutions of the exercises of "Checking your gradients"."""

# %% Solution: A difference of fourth order
def measure(f, x, h):
    near = (f(x + h) - f(x - h)) / (2 * h)
    far = (f(x + 2 * h) - f(x - 2 * h)) / (4 * h)
    return (4 * near - far) / 3


# %% Solution: One number instead of a table
import minigrad as torch


def fast_check(function, x, backward, h=1e-6):
    u = torch.randn(x.shape, dtype=x.dtype)
    above, below = function(x + h * u), function(x - h * u)
    v = torch.randn(above.shape, dtype=x.dtype)
    measured = (v * (above - below)).sum() / (2 * h)
    computed = (backward(v) * u).sum()
    return bool(abs(measured - computed) < 1e-4 * max(1.0, abs(measured)))


# %% Solution: Softmax as a Function
import minigrad as torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        y, = ctx.saved_tensors
        return y * (y_bar - (y_bar * y).sum(1, keepdim=True))


# %% Project: 1
import numpy as np


def best(frequency):
    steps, places = np.logspace(-9, -3, 61)[:, None], np.linspace(0.1, 1.1, 200)
    measured = (np.sin(frequency * (places + steps)) - np.sin(frequency * (places - steps))) / (2 * steps)
    return steps[np.abs(measured - frequency * np.cos(frequency * places)).mean(1).argmin(), 0]


assert 2e-8 < best(100) < 5e-7 and 20 < best(1) / best(100) < 500


# %% Project: 2
import minigrad as torch

x = torch.tensor([-1.0, 0.3, 2.0], dtype=torch.float64, requires_grad=True)


class RoughSine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        return y_bar * (1 - x * x / 2)


def report(function):
    try:
        torch.autograd.gradcheck(function, x)
    except RuntimeError as problem:
        return str(problem)
    raise AssertionError("This must be refused.")


assert "likely cause" not in report(RoughSine.apply)
assert "every entry is 0.5 times what it should be" in report(lambda x: x * x.detach())


# %% Project: 3
import minigrad as torch


def measured(function, x, copied, h=1e-6):
    found = []
    for i in range(len(x)):
        moved = x.detach().clone() if copied else x.detach()
        start, values = moved[i].item(), []
        for step in h, -h:
            moved[i] = start + step
            values.append(function(moved if copied else x).detach()[i])
        moved[i] = start
        found.append((values[0] - values[1]) / (2 * h))
    return torch.stack(found)


x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)


def by_name(a):
    return a * x


computed, = torch.autograd.grad(by_name(x).sum(), x)
assert computed.tolist() == [2, 4]
assert torch.allclose(measured(by_name, x, copied=False), computed)
assert torch.allclose(measured(by_name, x, copied=True), x.detach())
assert torch.autograd.gradcheck(by_name, x)

"""Solutions of the exercises of "Memory and checkpointing"."""

# %% Solution: The best segment
import math


def best_segment(n):
    return min(range(1, n + 1), key=lambda k: (round(0.1 * math.ceil(n / k) + k, 9), k))


# %% Solution: A checkpoint of your own
import minigrad as torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, function, x):
        ctx.function = function
        ctx.save_for_backward(x)
        return function(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.function(x)
        return None, *torch.autograd.grad(y, x, grad)


# %% Solution: How many times?
import math


def runs(n, s):
    r = 0
    while math.comb(s + r, s) < n:
        r += 1
    return r


# %% Project: 1
import functools
import math


@functools.cache
def most(s, r):
    return 1 if s == 0 or r == 0 else most(s, r - 1) + most(s - 1, r)


assert most(3, 3) == math.comb(6, 3) == 20 and most(3, 2) == 10
assert all(most(s, r) == math.comb(s + r, s) for s in range(6) for r in range(6))


# %% Project: 2
import minigrad as torch


def leapfrog(x, v, h=0.05):
    v = v + torch.cos(x) * (h / 2)
    x = x + v * h
    return x, v + torch.cos(x) * (h / 2)


def back(x, v):
    x, v = leapfrog(x, -v)
    return x, -v


def gradients(dtype):
    """Of the last x with respect to the start: by inverse steps, and by ``backward``."""
    start = torch.tensor([0.5, 0.0], dtype=dtype, requires_grad=True)
    x, v = start.unbind()
    for _ in range(1000):
        x, v = leapfrog(x, v)
    (wanted,) = torch.autograd.grad(x, start)
    x, v = x.detach(), v.detach()
    g = torch.ones_like(x), torch.zeros_like(x)
    for _ in range(1000):
        x, v = back(x, v)
        g = torch.func.vjp(leapfrog, x, v)[1](g)
    return torch.stack(g), wanted


for dtype, most in (torch.float64, 1e-13), (torch.float32, 1e-4):
    found, wanted = gradients(dtype)
    assert (found - wanted).norm() < most * wanted.norm()

x, v = start = torch.tensor([0.5, 0.0], dtype=torch.float64).unbind()
for _ in range(1000):
    x, v = leapfrog(x, v)
    v = v * 0.9
for _ in range(1000):
    x, v = back(x, v / 0.9)
assert not (x - start[0]).abs() < 1

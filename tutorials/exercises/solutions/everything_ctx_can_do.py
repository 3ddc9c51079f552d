"""Solutions of the exercises of "Everything ctx can do"."""

# %% Solution: The largest entry and its place
import minigrad as torch


class Largest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        index = x.argmax()
        place = index.to(x.dtype)
        ctx.mark_non_differentiable(place)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return x[index].clone(), place

    @staticmethod
    def backward(ctx, value_bar, place_bar):
        (index,) = ctx.saved_tensors
        x_bar = torch.zeros(ctx.shape, dtype=value_bar.dtype)
        x_bar[index] = value_bar
        return x_bar


# %% Solution: A ramp without memory of its own
import minigrad as torch


class RampInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, y_bar):
        (y,) = ctx.saved_tensors
        return y_bar * (y > 0)


# %% Solution: Running sums in a batch
import numpy as np

import minigrad as torch


class RunningSum(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.cumsum(x.detach().numpy(), axis=-1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, y_bar):
        return y_bar.flip(-1).cumsum(-1).flip(-1)

    @staticmethod
    def vmap(info, in_dims, x):
        return RunningSum.apply(x.movedim(in_dims[0], 0)), 0


# %% Project: 3
import math

import minigrad as torch

x = 0.5
for _ in range(200):
    x = math.cos(x)
slope = -x * math.sin(x) / (1 + math.sin(x))
assert (round(x, 4), round(slope, 4)) == (0.7391, -0.2975)
w = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
y = torch.tensor(0.5, dtype=torch.float64)
for _ in range(200):
    y = torch.cos(w * y)
(followed,) = torch.autograd.grad(y, w)
assert abs(followed.item() - slope) < 1e-12

"""Solutions of the exercises of "Double backward of your own Function"."""

# %% Solution: Swish, to be differentiated twice
import minigrad as torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, y_bar):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return y_bar * s * (1 + x * (1 - s))


# %% Solution: The inverse of a matrix
import numpy as np

import minigrad as torch


class Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A):
        Y = torch.from_numpy(np.linalg.inv(A.numpy()))
        ctx.save_for_backward(Y)
        return Y

    @staticmethod
    def backward(ctx, Y_bar):
        (Y,) = ctx.saved_tensors
        return -Y.T @ Y_bar @ Y.T


# %% Solution: An honest refusal
import minigrad as torch


class Quick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(torch.cos(x))
        return torch.sin(x)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


# %% Project: 3
import minigrad as torch

x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
y, found = torch.exp(-x * x / 2), []
for _ in range(6):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    found.append(round(y.item(), 4))
assert abs(found[1]) < 1e-9 and found[2] == 1.2131 and found[5] == 9.7045

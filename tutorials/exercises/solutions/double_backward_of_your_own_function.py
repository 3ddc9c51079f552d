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


# %% Project: 1
import warnings

import minigrad as torch


class ThriftyBell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        ctx.save_for_backward(-x * y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        (slope,) = ctx.saved_tensors
        return y_bar * slope


class Bell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x * x / 2)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, y_bar):
        x, y = ctx.saved_tensors
        return y_bar * (-x * y)


torch.manual_seed(0)
x = torch.linspace(-2, 2, 40, dtype=torch.float64).view(-1, 1).requires_grad_()
noisy = torch.sin(2 * x.detach()) + 0.3 * torch.randn(40, 1, dtype=torch.float64)
start = [torch.randn(shape, dtype=torch.float64) * scale for shape, scale in [((1, 20), 2), ((20,), 2), ((20, 1), 0.2)]]


def losses(parameters, bell):
    """The whole loss, and the penalty in it."""
    widths, places, heights = parameters
    y = bell(x @ widths + places) @ heights
    slope, = torch.autograd.grad(y.sum(), x, create_graph=True)
    penalty = (slope ** 2).mean()
    return ((y - noisy) ** 2).mean() + 0.1 * penalty, penalty


def trained(bell):
    parameters = [each.clone().requires_grad_() for each in start]
    optimizer = torch.optim.Adam(parameters, lr=0.02)
    found = []
    for _ in range(300):
        optimizer.zero_grad()
        loss, _ = losses(parameters, bell)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found[0], found[-1]


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    right, wrong = ([each.clone().requires_grad_() for each in start] for _ in range(2))
    right_bar, wrong_bar = (torch.autograd.grad(losses(parameters, bell)[1], parameters, allow_unused=True)
                            for parameters, bell in ((right, Bell.apply), (wrong, ThriftyBell.apply)))
    assert losses(right, Bell.apply)[0] == losses(wrong, ThriftyBell.apply)[0]
    assert wrong_bar[1] is None and torch.allclose(wrong_bar[2], right_bar[2])
    assert (wrong_bar[0] - right_bar[0]).norm() > 0.5 * right_bar[0].norm()
    first, with_bell = trained(Bell.apply)
    _, with_thrifty = trained(ThriftyBell.apply)
assert with_bell < with_thrifty < first / 2


# %% Project: 2
import math

import minigrad as torch
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

end, bumps = 3.0, 10
times = torch.linspace(0, end, 40, dtype=torch.float64).view(-1, 1).requires_grad_()
seen_at = np.array([0.75, 1.5, 2.25, 3.0])
solution = solve_ivp(lambda t, u: [u[1], -math.sin(u[0]) - 0.2 * u[1]], (0, end), [2, 0], t_eval=seen_at,
                     rtol=1e-9, atol=1e-9)
seen = torch.tensor(solution.y[0]).view(-1, 1)


def angle(p, t):
    width, place, height = p[:-1].view(3, bumps)
    return 2 + t * t * (torch.exp(-(t * width - place) ** 2 / 2) @ height.view(-1, 1)) / 4


def loss(p):
    u = angle(p, times)
    velocity, = torch.autograd.grad(u.sum(), times, create_graph=True)
    acceleration, = torch.autograd.grad(velocity.sum(), times, create_graph=True)
    equation = acceleration + torch.sin(u) + p[-1] * velocity
    return (equation ** 2).mean() + ((angle(p, torch.tensor(seen_at).view(-1, 1)) - seen) ** 2).mean()


def value_and_gradient(numbers):
    p = torch.tensor(numbers, requires_grad=True)
    value = loss(p)
    value.backward()
    return value.item(), p.grad.numpy()


start = np.concatenate([np.full(bumps, 1.5), np.linspace(0, 1.5 * end, bumps), np.zeros(bumps + 1)])
found = minimize(value_and_gradient, start, jac=True, options={"maxiter": 300})
assert abs(found.x[-1] - 0.2) < 0.001 and found.fun < 1e-4
assert round(seen[-1].item(), 3) == -0.882


# %% Project: 3
import minigrad as torch

x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
y, found = torch.exp(-x * x / 2), []
for _ in range(6):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    found.append(round(y.item(), 4))
assert abs(found[1]) < 1e-9 and found[2] == 1.2131 and found[5] == 9.7045

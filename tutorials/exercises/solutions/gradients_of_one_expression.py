"""Solutions of the exercises of "Gradients of one expression"."""

# %% Solution: A power of itself
import math


def slope(x):
    through_the_base = x * x ** (x - 1)
    through_the_exponent = x ** x * math.log(x)
    return through_the_base + through_the_exponent


# %% Solution: What a metre of height is worth
import minigrad as torch


def range_from(v, theta, h, g=9.81):
    up = v * torch.sin(theta)
    return v * torch.cos(theta) / g * (up + torch.sqrt(up * up + 2 * g * h))


def worth(v, theta, h):
    v, theta, h = (torch.tensor(number, dtype=torch.float64) for number in (v, theta, h))
    h.requires_grad_()
    range_from(v, theta, h).backward()
    return h.grad.item()


# %% Solution: Which of them is a leaf?
leaves = {"x": True, "2 * x": False, "x.sin()": False, "torch.tensor(2.0)": True}


# %% Project: 1
import math

import minigrad as torch

theta = torch.tensor(0.6, dtype=torch.float64, requires_grad=True)
for _ in range(2):
    (slope,) = torch.autograd.grad(400 * torch.sin(2 * theta) / 9.81, theta, create_graph=True)
    (bend,) = torch.autograd.grad(slope, theta)
    with torch.no_grad():
        theta -= slope / bend
assert abs(theta.item() - math.pi / 4) < 1e-6


# %% Project: 2
import minigrad as torch

x = torch.tensor(0.0, requires_grad=True)
(slope,) = torch.autograd.grad(x.abs(), x)
assert slope == 0 and (abs(1e-3) - abs(-1e-3)) / 2e-3 == 0 and (abs(1e-3) - abs(0)) / 1e-3 == 1
(slope,) = torch.autograd.grad(torch.sqrt(x * x), x)
assert slope.isnan()

"""Solutions of the exercises of "Complex derivatives"."""

# %% Solution: The gradient of a quotient
import minigrad as torch


def quotient_vjp(z, w, g):
    return g * (1 / w).conj(), g * (-z / w**2).conj()


# %% Solution: Is it holomorphic?
import minigrad as torch
from minigrad.func import jvp


def holomorphic(f, z):
    one, i = (jvp(f, (z,), (torch.full_like(z, t),))[1] for t in (1, 1j))
    return abs(i.item() - 1j * one.item()) < 1e-8


# %% Solution: A root by descent
import minigrad as torch


def root(coefficients, z, steps=500, rate=0.02):
    z = torch.tensor(z, dtype=torch.cdouble, requires_grad=True)
    for _ in range(steps):
        value = sum(c * z**k for k, c in enumerate(coefficients))
        (gradient,) = torch.autograd.grad(value.abs() ** 2, z)
        with torch.no_grad():
            z -= rate * gradient
    return z.item()


# %% Project: 1
import cmath
import math

import minigrad as torch

torch.manual_seed(1)
waves = [cmath.rect(0.99, 0.3), cmath.rect(0.95, 0.9), cmath.rect(0.9, 2.0)]
right, t = torch.tensor(waves, dtype=torch.cdouble), torch.arange(60, dtype=torch.float64)


def signal(c, z):
    return (c[:, None] * z[:, None] ** t).sum(0)


measured = signal(torch.tensor([1, 0.7j, -0.5 + 0.5j], dtype=torch.cdouble), right)
z = (right * torch.exp(0.05 * torch.randn(3, dtype=torch.cdouble))).requires_grad_()
c = torch.zeros(3, dtype=torch.cdouble, requires_grad=True)
assert (z - right).abs().max() < 0.1
optimizer = torch.optim.Adam([c, z])
for step in range(600):
    optimizer.param_groups[0]["lr"] = 0.02 * (1 - step / 600)
    optimizer.zero_grad()
    (signal(c, z) - measured).abs().square().mean().backward()
    optimizer.step()
assert (z - right).abs().max() < 0.001
assert round(math.log(0.5) / math.log(0.9), 1) == 6.6 and round(2 * math.pi / 0.3, 1) == 20.9


# %% Project: 2
import minigrad as torch

x, g = torch.randn(2, 5, dtype=torch.cdouble).unbind()
x = x.detach().requires_grad_()
(found,) = torch.autograd.grad(torch.fft.fft(x), x, g)
assert torch.allclose(found, 5 * torch.fft.ifft(g))

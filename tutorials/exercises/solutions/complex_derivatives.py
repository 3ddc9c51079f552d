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


# %% Project: 2
import minigrad as torch

x, g = torch.randn(2, 5, dtype=torch.cdouble).unbind()
x = x.detach().requires_grad_()
(found,) = torch.autograd.grad(torch.fft.fft(x), x, g)
assert torch.allclose(found, 5 * torch.fft.ifft(g))

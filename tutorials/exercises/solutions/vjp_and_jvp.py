"""Solutions of the exercises of "vjp and jvp"."""

# %% Solution: The slope in a direction
import minigrad as torch


def slope_along(f, x, direction):
    _, slope = torch.autograd.functional.jvp(f, x, direction / direction.norm())
    return slope


# %% Solution: A product with two Jacobians
import minigrad as torch


def gauss_newton_product(f, x, p):
    _, u = torch.autograd.functional.jvp(f, x, p)
    _, product = torch.autograd.functional.vjp(f, x, u)
    return product


# %% Solution: Functions made in a loop
import minigrad as torch


def powers(n):
    return [lambda x, k=k: x ** k for k in range(1, n + 1)]


def slopes(n, x):
    return [torch.autograd.functional.vjp(f, x)[1].item() for f in powers(n)]

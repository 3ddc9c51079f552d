"""Solutions of the exercises of "The chain rule as linear maps"."""

# %% Solution: Forward and back through a list of steps
import minigrad as torch
from minigrad.func import jvp, vjp


def push(steps, x, h):
    for step in steps:
        x, h = jvp(step, (x,), (h,))
    return x, h


def pull(steps, x, g):
    transposes = []
    for step in steps:
        x, transpose = vjp(step, x)
        transposes.append(transpose)
    for transpose in reversed(transposes):
        g, = transpose(g)
    return g


# %% Solution: The transpose of a moving average
import minigrad as torch


def smooth(x):
    return (x[:-1] + x[1:]) / 2


def spread(g):
    return (torch.nn.functional.pad(g, (0, 1)) + torch.nn.functional.pad(g, (1, 0))) / 2


# %% Solution: The differential of an inverse
import minigrad as torch


def d_inverse(X, H):
    inverse = torch.linalg.inv(X)
    return -inverse @ H @ inverse


def d_inverse_transposed(X, G):
    transposed = torch.linalg.inv(X).T
    return -transposed @ G @ transposed


# %% Project: 1
import minigrad as torch

X, H, G = torch.randn(3, 4, 4, dtype=torch.float64).unbind()
inverse = torch.linalg.inv(X)
_, moved = torch.func.jvp(torch.linalg.inv, (X,), (H,))
assert torch.allclose(moved, -inverse @ H @ inverse)
assert torch.allclose(torch.func.vjp(torch.linalg.inv, X)[1](G)[0], -inverse.T @ G @ inverse.T)


# %% Project: 2
import minigrad as torch

M = torch.diag(torch.tensor([1.0, 100.0], dtype=torch.float64))


def f(x):
    return (x @ M @ x) / 2


def natural_gradient(x):
    return torch.linalg.solve(M, torch.func.grad(f)(x))


def steps(gradient, rate):
    x, count = torch.ones(2, dtype=torch.float64), 0
    while 1e-12 < f(x) < 1e12:
        x, count = x - rate * gradient(x), count + 1
    return count if f(x) < 1 else None


plain = torch.func.grad(f)
assert [steps(plain, rate) for rate in (1 / 100, 2 / 101, 2.01 / 100)] == [1341, 789, None]
assert steps(natural_gradient, 1.0) == 1

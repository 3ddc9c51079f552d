"""Solutions of the exercises of "Jacobians and Hessians"."""

# %% Solution: A banded Jacobian in five passes
import minigrad as torch


def banded_jacobian(f, x):
    n = len(x)
    J = torch.zeros(n, n)
    for k in range(5):
        direction = torch.zeros(n)
        direction[k::5] = 1
        _, tangent = torch.func.jvp(f, (x,), (direction,))
        for j in range(k, n, 5):
            rows = slice(max(j - 2, 0), j + 3)
            J[rows, j] = tangent[rows]
    return J


# %% Solution: The curvature of a curve
import minigrad as torch


def curvatures(f, points):
    def curvature(p):
        g, H = torch.func.grad(f)(p), torch.func.hessian(f)(p)
        t = torch.stack([-g[1], g[0]])
        return (t @ H @ t).abs() / (g @ g) ** 1.5

    return torch.vmap(curvature)(points)


# %% Solution: Levenberg and Marquardt
import minigrad as torch


def fit(residuals, p, steps):
    damping = 1.0
    for _ in range(steps):
        r = residuals(p)
        J = torch.autograd.functional.jacobian(residuals, p)
        A = J.T @ J + damping * torch.eye(len(p), dtype=p.dtype)
        attempt = p - torch.linalg.solve(A, J.T @ r)
        after = residuals(attempt)
        if after @ after < r @ r:
            p, damping = attempt, damping / 10
        else:
            damping *= 10
    return p


# %% Project: 1
import math

import minigrad as torch

torch.manual_seed(0)
times = torch.linspace(0, 4, 40, dtype=torch.float64)
measured = torch.sin(2 * math.pi * times) + 0.1 * torch.randn(40, dtype=torch.float64)


def residuals(period):
    return torch.sin(2 * math.pi * times / period) - measured


def fitted(period):
    for _ in range(30):
        r, J = residuals(period), torch.func.jacfwd(residuals)(period)
        period = period - (J @ r) / (J @ J)
    return period


def loss(period):
    return residuals(period).square().sum() / 2


starts = torch.linspace(0.5, 2.0, 76, dtype=torch.float64)
found = torch.vmap(fitted)(starts)
right = starts[(found - 1).abs() < 0.001]
assert torch.allclose(right[[0, -1]], torch.tensor([0.86, 1.2], dtype=torch.float64)) and len(right) == 18
periods = torch.linspace(0.5, 2.0, 151, dtype=torch.float64)
losses = torch.vmap(loss)(periods)
valleys = periods[1:-1][(losses[1:-1] < losses[:-2]) & (losses[1:-1] < losses[2:])]
assert [round(p, 2) for p in valleys.tolist()] == [0.56, 0.65, 0.77, 1.0, 1.45]
bends = torch.vmap(torch.func.grad(torch.func.grad(loss)))(periods)
negative = [round(p, 2) for p in periods[bends < 0].tolist() if 0.8 < p < 1.3]
assert negative == [p / 100 for p in (*range(81, 93), *range(110, 129))]


# %% Project: 2
import minigrad as torch

torch.manual_seed(0)
times = torch.linspace(0, 4, 40, dtype=torch.float64)
errors = torch.linspace(0.02, 0.2, 40, dtype=torch.float64)
truth = torch.tensor([2.0, 1.5, 0.3], dtype=torch.float64)


def curve(p):
    return p[0] * torch.exp(-p[1] * times) + p[2]


def fitted(measured, errors):
    def residuals(p):
        return (curve(p) - measured) / errors

    p = truth
    for _ in range(8):
        r, J = residuals(p), torch.func.jacfwd(residuals)(p)
        p = p - torch.linalg.solve(J.T @ J, J.T @ r)
    return p


J = torch.func.jacfwd(lambda p: curve(p) / errors)(truth)
predicted = torch.linalg.inv(J.T @ J).diagonal().sqrt()
assert [round(error, 3) for error in predicted.tolist()] == [0.033, 0.063, 0.032]
many = curve(truth) + errors * torch.randn(1000, 40, dtype=torch.float64)
weighted = torch.vmap(lambda measured: fitted(measured, errors))(many).std(0)
alike = torch.vmap(lambda measured: fitted(measured, torch.ones_like(errors)))(many).std(0)
assert torch.allclose(weighted, predicted, rtol=0.05)
assert 1.45 < alike[1] / weighted[1] < 1.7


# %% Project: 3
import time

import minigrad as torch
from minigrad.autograd import profiler


def layer(inputs, results=100):
    A = torch.randn(results, inputs) / inputs ** 0.5
    return lambda x: torch.tanh(A @ torch.sin(x))


def costs(n):
    """The arithmetic and the time of jacfwd, each as a multiple of that of jacrev."""
    f, x, flops, seconds = layer(n), torch.randn(n), [], []
    for jacobian in torch.func.jacfwd, torch.func.jacrev:
        with profiler.profile(with_flops=True) as prof:
            jacobian(f)(x)
        flops.append(sum(event.flops for event in prof.function_events if event.name.endswith("mm")))
        times = []
        for _ in range(5):
            start = time.perf_counter()
            jacobian(f)(x)
            times.append(time.perf_counter() - start)
        seconds.append(min(times))
    return flops[0] / flops[1], seconds[0] / seconds[1]


assert abs(costs(50)[0] - 0.5) < 0.01 and abs(costs(100)[0] - 1) < 0.01
of_flops, of_time = costs(1000)
assert abs(of_flops - 10) < 0.1 and of_time > 2

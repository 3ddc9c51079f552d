"""pytorch-minimize: the valley of Rosenbrock in its README by six methods, and a least-squares fit."""

import torch
from torchmin import least_squares, minimize


def rosen(x):
    return torch.sum(100 * (x[..., 1:] - x[..., :-1] ** 2) ** 2 + (1 - x[..., :-1]) ** 2)


start = torch.tensor([1.0, 8.0], dtype=torch.float64)
for method in ("bfgs", "l-bfgs", "cg", "newton-cg", "newton-exact", "trust-ncg"):
    found = minimize(rosen, start, method=method, max_iter=12)
    print(method, found.nit, found.fun.item(), found.x.tolist())

t = torch.linspace(0, 2, 9, dtype=torch.float64)
y = 1.5 * torch.exp(-0.7 * t) + 0.1 * torch.sin(9 * t)
fit = least_squares(lambda p: p[0] * torch.exp(-p[1] * t) - y, torch.ones(2, dtype=torch.float64))
print("least squares", fit.x.tolist(), fit.cost.item())

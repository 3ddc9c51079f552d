"""Hamiltonian Monte Carlo for a bent density."""
import torch

torch.manual_seed(11)


def log_density(x):
    return -0.5 * (x[0] ** 2 + (x[1] - x[0] ** 2) ** 2 / 0.25)


def slope(x):
    x = x.detach().requires_grad_(True)
    value = log_density(x)
    return torch.autograd.grad(value, x)[0], value.detach()


x = torch.zeros(2)
accepted, trace = 0, []
for i in range(30):
    p = torch.randn(2)
    g, value = slope(x)
    before = value - 0.5 * p.dot(p)
    y = x.clone()
    for _ in range(10):
        p = p + 0.05 * g
        y = y + 0.1 * p
        g, value = slope(y)
        p = p + 0.05 * g
    if torch.log(torch.rand(())) < value - 0.5 * p.dot(p) - before:
        x, accepted = y, accepted + 1
    trace.append(x)
print(accepted, torch.stack(trace).mean(0), torch.stack(trace).std(0))

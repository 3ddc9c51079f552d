"""Hyperparameters of a Gaussian process by the marginal likelihood: Cholesky factors and log-determinants."""
import math

import torch

torch.manual_seed(29)
x = torch.linspace(0, 5, 20, dtype=torch.double)
y = torch.sin(2 * x) + 0.1 * torch.randn(20, dtype=torch.double)
log_scale, log_length, log_noise = (torch.zeros((), dtype=torch.double, requires_grad=True) for _ in range(3))
opt = torch.optim.Adam([log_scale, log_length, log_noise], lr=0.1)


def kernel(a, b):
    return log_scale.exp() * torch.exp(-0.5 * torch.cdist(a[:, None], b[:, None]).pow(2) / log_length.exp() ** 2)


for step in range(20):
    K = kernel(x, x) + (log_noise.exp() + 1e-6) * torch.eye(20, dtype=torch.double)
    L = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y[:, None], L)
    nll = 0.5 * (y @ alpha).squeeze() + L.diagonal().log().sum() + 10 * math.log(2 * math.pi)
    opt.zero_grad()
    nll.backward()
    opt.step()
print(f"{nll.item():.5f} {log_scale.item():.5f} {log_length.item():.5f} {log_noise.item():.5f}")
mvn = torch.distributions.MultivariateNormal(torch.zeros(20, dtype=torch.double), K)
print(f"{-mvn.log_prob(y).item():.5f}")
test = torch.tensor([1.1, 2.2], dtype=torch.double)
print((kernel(test, x) @ alpha).squeeze())

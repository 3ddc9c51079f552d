"""Weights that are normal distributions, fitted by the reparametrized bound (Blundell et al. 2015)."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Independent, Normal, kl_divergence


class BayesianLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.mean = nn.Parameter(0.3 * torch.randn(outputs, inputs + 1))
        self.rho = nn.Parameter(torch.full((outputs, inputs + 1), -3.0))
        self.register_buffer("zero", torch.zeros(outputs, inputs + 1))

    def posterior(self):
        return Independent(Normal(self.mean, F.softplus(self.rho)), 2)

    def prior(self):
        return Independent(Normal(self.zero, torch.ones_like(self.zero)), 2)

    def forward(self, x):
        weight = self.posterior().rsample()
        return F.linear(x, weight[:, :-1], weight[:, -1])


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([BayesianLinear(1, 12), BayesianLinear(12, 1)])

    def forward(self, x):
        return self.layers[1](torch.tanh(self.layers[0](x)))

    def divergence(self):
        return sum(kl_divergence(layer.posterior(), layer.prior()) for layer in self.layers)


torch.manual_seed(59)
x = torch.linspace(-1, 1, 24)[:, None]
y = torch.sin(3 * x) + 0.1 * torch.randn_like(x)
model = Network()
optimizer = torch.optim.Adam([{"params": [layer.mean for layer in model.layers], "lr": 2e-2},
                              {"params": [layer.rho for layer in model.layers], "lr": 1e-2}])
for step in range(40):
    optimizer.zero_grad()
    fit = -Normal(model(x), 0.1).log_prob(y).sum()
    bound = fit + model.divergence()
    bound.backward()
    optimizer.step()
    if step % 10 == 9:
        print(step, f"{bound.item():.3f} {fit.item():.3f} {model.divergence().item():.4f}")
with torch.no_grad():
    draws = torch.stack([model(x) for _ in range(20)])
print(f"{draws.std(0).mean().item():.5f} {draws.mean(0)[12].item():.5f}", draws.shape)

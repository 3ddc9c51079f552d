"""A normalising flow of coupling layers on two moons."""
import math

import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        b = b * s.exp() + t
        return torch.cat((b, a) if self.flip else (a, b), dim=1), s.squeeze(1)

    def inverse(self, y):
        a, b = y.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        b = (b - t) * (-s).exp()
        return torch.cat((b, a) if self.flip else (a, b), dim=1)


torch.manual_seed(8)
t = torch.rand(100) * math.pi
moons = torch.cat([torch.stack([t.cos(), t.sin()], 1)[:50], torch.stack([1 - t.cos(), 0.5 - t.sin()], 1)[50:]])
moons += 0.05 * torch.randn(100, 2)
flow = nn.ModuleList([Coupling(i % 2 == 1) for i in range(4)])
base = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
opt = torch.optim.Adam(flow.parameters(), lr=1e-2)
for step in range(20):
    z, log_det = moons, 0.0
    for layer in flow:
        z, s = layer(z)
        log_det = log_det + s
    loss = -(base.log_prob(z) + log_det).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.4f}")
with torch.no_grad():
    back = z
    for layer in flow:
        pass
    y = base.sample((3,))
    for layer in reversed(flow):
        y = layer.inverse(y)
print(y)

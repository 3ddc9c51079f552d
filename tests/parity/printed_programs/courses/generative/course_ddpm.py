"""A denoising diffusion model of points on a circle."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
T = 20
beta = torch.linspace(1e-3, 0.2, T)
alpha_bar = torch.cumprod(1 - beta, 0)
angle = torch.rand(128) * 2 * math.pi
points = torch.stack([angle.cos(), angle.sin()], 1)


class Denoiser(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.time = nn.Embedding(T, width)
        self.into, self.out = nn.Linear(2, width), nn.Linear(width, 2)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())

    def forward(self, x, t):
        return self.out(self.mid(self.into(x) + self.time(t)))


net = Denoiser()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
ema = {k: v.clone() for k, v in net.state_dict().items()}
for step in range(20):
    t = torch.randint(0, T, (128,))
    noise = torch.randn_like(points)
    a = alpha_bar[t].unsqueeze(1)
    loss = F.mse_loss(net(a.sqrt() * points + (1 - a).sqrt() * noise, t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k, v in net.state_dict().items():
        ema[k].mul_(0.9).add_(v, alpha=0.1)
    if step % 5 == 4:
        print(f"{step} {loss.item():.4f}")
net.load_state_dict(ema)
x = torch.randn(5, 2)
with torch.no_grad():
    for t in reversed(range(T)):
        e = net(x, torch.full((5,), t))
        x = (x - beta[t] / (1 - alpha_bar[t]).sqrt() * e) / (1 - beta[t]).sqrt()
        if t:
            x += beta[t].sqrt() * torch.randn_like(x)
print(x)

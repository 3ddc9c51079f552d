"""A network that answers with a mixture of normals; and a mixture fitted by gradients."""
import torch
import torch.nn as nn
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

torch.manual_seed(37)
y = torch.linspace(-1, 1, 80).unsqueeze(1)
x = y + 0.4 * torch.sin(6 * y) + 0.05 * torch.randn_like(y)
net = nn.Sequential(nn.Linear(1, 16), nn.ELU(), nn.Linear(16, 9))
opt = torch.optim.RAdam(net.parameters(), lr=2e-2)
for step in range(12):
    logits, mean, log_scale = net(x).chunk(3, dim=1)
    mixture = MixtureSameFamily(Categorical(logits=logits), Normal(mean, log_scale.exp()))
    loss = -mixture.log_prob(y.squeeze(1)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 3:
        print(f"{loss.item():.4f}")
print(mixture.mean[:3], mixture.variance[:3])
points = Independent(Normal(torch.zeros(2), torch.ones(2)), 1).sample((50,)) + torch.tensor([2., 0.]) * (
    torch.arange(50) % 2).unsqueeze(1)
print(points.mean(0))

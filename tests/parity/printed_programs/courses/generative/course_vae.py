"""A variational autoencoder, with the reparameterisation written out and with torch.distributions."""
import torch
from torch import nn
from torch.distributions import Bernoulli, Normal, kl_divergence
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc21, self.fc22 = nn.Linear(16, 12), nn.Linear(12, 2), nn.Linear(12, 2)
        self.fc3, self.fc4 = nn.Linear(2, 12), nn.Linear(12, 16)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))


torch.manual_seed(7)
data = (torch.rand(64, 16) > 0.6).float()
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(10):
    optimizer.zero_grad()
    mu, logvar = model.encode(data)
    if epoch % 2:
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        loss = F.binary_cross_entropy(model.decode(z), data, reduction="sum") - 0.5 * torch.sum(
            1 + logvar - mu.pow(2) - logvar.exp())
    else:
        q = Normal(mu, (0.5 * logvar).exp())
        z = q.rsample()
        loss = -Bernoulli(probs=model.decode(z)).log_prob(data).sum() + kl_divergence(q, Normal(0., 1.)).sum()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.3f}")
print(q, q.entropy().mean().item() > 0)

"""A trained network is adapted by matrices of low rank, its own weights frozen (LoRA, Hu et al. 2022)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.parametrize as parametrize


class LowRank(nn.Module):
    def __init__(self, rows, columns, rank=2, alpha=4.0):
        super().__init__()
        self.A = nn.Parameter(torch.randn(rank, columns) / columns ** 0.5)
        self.B = nn.Parameter(torch.zeros(rows, rank))
        self.scale = alpha / rank
        self.enabled = True

    def forward(self, weight):
        return weight + self.scale * (self.B @ self.A) if self.enabled else weight


def train(model, x, y, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(47)
x = torch.randn(64, 6)
y, z = (x @ torch.randn(6, 3)).argmax(1), (x @ torch.randn(6, 3)).argmax(1)
model = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 12), nn.GELU(), nn.Linear(12, 3))
print(f"{train(model, x, y, torch.optim.AdamW(model.parameters(), lr=1e-2), 30):.5f}")

model.requires_grad_(False)
for layer in model:
    if isinstance(layer, nn.Linear):
        parametrize.register_parametrization(layer, "weight", LowRank(*layer.weight.shape))
trained = [name for name, p in model.named_parameters() if p.requires_grad]
print(trained)
print(sum(p.numel() for p in model.parameters()), sum(p.numel() for p in model.parameters() if p.requires_grad))
before = model[2].parametrizations.weight.original.clone()
optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=2e-2)
print(f"{F.cross_entropy(model(x), z).item():.5f} {train(model, x, z, optimizer, 30):.5f}")
original = model[2].parametrizations.weight.original
print(torch.equal(before, original), model[0].parametrizations.weight.original.requires_grad)

for layer in model[::2]:
    layer.parametrizations.weight[0].enabled = False
print(f"{F.cross_entropy(model(x), y).item():.5f}")
for layer in model[::2]:
    layer.parametrizations.weight[0].enabled = True
    parametrize.remove_parametrizations(layer, "weight")
print(f"{F.cross_entropy(model(x), z).item():.5f}", [name for name, _ in model.named_parameters()])
print(model)

"""Two distorted views of a sample are drawn together and all others apart (SimCLR, Chen et al. 2020)."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Views(Dataset):
    def __init__(self, samples):
        generator = torch.Generator().manual_seed(5)
        self.kinds = torch.randint(0, 3, (samples,), generator=generator)
        self.rows = torch.randn(3, 10, generator=generator)[self.kinds]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return [self.rows[index] + 0.3 * torch.randn(10) for _ in range(2)], self.kinds[index]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(inplace=True))
        self.head = nn.Sequential(nn.Linear(16, 16), nn.LeakyReLU(0.1), nn.Linear(16, 8, bias=False))

    def forward(self, x):
        return F.normalize(self.head(self.backbone(x)), dim=-1)


def contrast(z, temperature=0.2):
    likeness = z @ z.T / temperature
    likeness.fill_diagonal_(float("-inf"))
    half = len(z) // 2
    return F.cross_entropy(likeness, torch.arange(len(z)).roll(half), label_smoothing=0.0)


torch.manual_seed(53)
loader = DataLoader(Views(40), batch_size=8, shuffle=True, drop_last=True)
model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5 * (1 + math.cos(math.pi * epoch / 4)))
for epoch in range(4):
    total = 0.0
    for (one, other), _ in loader:
        loss = contrast(model(torch.cat([one, other])))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    schedule.step()
    print(epoch, f"{total / len(loader):.5f} {optimizer.param_groups[0]['lr']:.5f}")
model.eval()
with torch.inference_mode():
    z, kinds = model(loader.dataset.rows), loader.dataset.kinds
    near = (z @ z.T).fill_diagonal_(-2).argmax(1)
print(f"{(kinds[near] == kinds).double().mean():.3f}", model.backbone[1].num_batches_tracked)

"""Training that is saved in the middle and resumed elsewhere ends where training in one piece ends."""
import io

import torch
import torch.nn as nn


def parts():
    torch.manual_seed(36)
    model = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Linear(5, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    return model, optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)


def train(model, optimizer, scheduler, steps):
    for _ in range(steps):
        x = torch.randn(16, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    return loss.item()


whole = parts()
end = train(*whole, 10)
first = parts()
train(*first, 5)
file = io.BytesIO()
torch.save({"model": first[0].state_dict(), "optimizer": first[1].state_dict(), "scheduler": first[2].state_dict(),
            "rng": torch.get_rng_state(), "epoch": 5}, file)
second = parts()
file.seek(0)
checkpoint = torch.load(file, weights_only=True)
for part, key in zip(second, ("model", "optimizer", "scheduler")):
    part.load_state_dict(checkpoint[key])
torch.set_rng_state(checkpoint["rng"])
print(checkpoint["epoch"], train(*second, 5) == end, f"{end:.5f}")
print(all(torch.equal(a, b) for a, b in zip(whole[0].state_dict().values(), second[0].state_dict().values())))

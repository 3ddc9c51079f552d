"""entmax: sparse relatives of softmax.  Its README, and a regression with a sparse attention."""

import torch
from entmax import entmax15, entmax15_loss, entmax_bisect, normmax_bisect, sparsemax, sparsemax_loss

x = torch.tensor([-2.0, 0.0, 0.5])
print("softmax", torch.softmax(x, dim=0).tolist())
print("sparsemax", sparsemax(x, dim=0).tolist())
print("entmax15", entmax15(x, dim=0).tolist())
print("normmax", normmax_bisect(x, alpha=2, dim=0).tolist())

alpha = torch.tensor(1.33, requires_grad=True)
p = entmax_bisect(x, alpha)
print("alpha", p.tolist(), torch.autograd.grad(p[0] + 2 * p[2], alpha)[0].item())

torch.manual_seed(0)
model, y = torch.nn.Linear(6, 4), torch.randint(4, (32,))
inputs = torch.randn(32, 6)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for criterion in (sparsemax_loss, entmax15_loss):
    for step in range(6):
        optimizer.zero_grad()
        loss = criterion(model(inputs), y).mean()
        loss.backward()
        optimizer.step()
        print(criterion.__name__, step, f"{loss.item():.6f}")

"""lion-pytorch: the toy model of its README, trained for some steps."""

import torch
from lion_pytorch import Lion

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(10, 8), torch.nn.GELU(), torch.nn.Linear(8, 1))
optimizer = Lion(model.parameters(), lr=1e-3, weight_decay=1e-2)
inputs = torch.randn(16, 10)
for step in range(8):
    loss = model(inputs).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())

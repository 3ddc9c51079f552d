"""Accumulated gradients, checkpointed blocks, straight-through estimates, Gumbel choices, spectral norms, noise."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(38)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 2))
x, y = torch.randn(16, 6), torch.randint(2, (16,))
F.cross_entropy(model(x), y).backward()
whole = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
for part, label in zip(x.split(4), y.split(4)):
    (F.cross_entropy(model(part), label) / 4).backward()
print(all(torch.allclose(a, p.grad, atol=1e-6) for a, p in zip(whole, model.parameters())))
model.zero_grad()
h = checkpoint(model[:2], x, use_reentrant=False)
F.cross_entropy(checkpoint_sequential(model[2:], 2, h, use_reentrant=False), y).backward()
print(all(torch.allclose(a, p.grad, atol=1e-6) for a, p in zip(whole, model.parameters())))


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1)


z = torch.linspace(-2, 2, 5, requires_grad=True)
Sign.apply(z).sum().backward()
print(z.grad)
logits = torch.zeros(4, 3, requires_grad=True)
hard = F.gumbel_softmax(logits, tau=0.5, hard=True)
(hard * torch.arange(3.)).sum().backward()
print(hard.argmax(1).tolist(), logits.grad.abs().sum().item() > 0)
layer = torch.nn.utils.parametrizations.spectral_norm(nn.Linear(5, 5))
for _ in range(10):
    layer(torch.randn(2, 5))
layer.eval()
print(f"{torch.linalg.matrix_norm(layer.weight, 2).item():.2f}")
norm = torch.nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
print(sorted(norm.state_dict()))

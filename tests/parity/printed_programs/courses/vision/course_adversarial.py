"""Examples that fool a network: one signed step, projected steps; and saliency by hooks and by smoothing."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(32)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 3)).eval()
for p in net.parameters():
    p.requires_grad_(False)
x, y = torch.rand(4, 1, 8, 8), torch.tensor([0, 1, 2, 0])
image = x.clone().requires_grad_()
loss = F.cross_entropy(net(image), y)
net.zero_grad()
loss.backward()
fooled = torch.clamp(image + 0.1 * image.grad.sign(), 0, 1)
print(f"{loss.item():.4f} {F.cross_entropy(net(fooled), y).item():.4f}")
delta = torch.zeros_like(x, requires_grad=True)
for _ in range(5):
    loss = F.cross_entropy(net(x + delta), y)
    loss.backward()
    delta.data = (delta + 0.03 * delta.grad.detach().sign()).clamp(-0.1, 0.1)
    delta.grad.zero_()
print(f"{loss.item():.4f} {delta.abs().max().item():.3f}")
seen = {}
handle = net[0].register_forward_hook(lambda m, i, o: seen.update(map=o) or o.requires_grad_())
scores = net(x)
scores[torch.arange(4), y].sum().backward() if scores.requires_grad else None
handle.remove()
print(seen["map"].shape, seen["map"].grad_fn is None)
noisy = torch.stack([x + 0.1 * torch.randn_like(x) for _ in range(5)]).flatten(0, 1).requires_grad_()
g, = torch.autograd.grad(net(noisy).max(1).values.sum(), noisy)
print(g.view(5, 4, 1, 8, 8).mean(0).abs().amax((1, 2, 3)))

"""Model-agnostic meta-learning of sines: gradients through gradient steps, by hand and with functional_call."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(10)
net = nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 1))


def tasks(n):
    amplitude, phase = 0.1 + 4.9 * torch.rand(n, 1, 1), math.pi * torch.rand(n, 1, 1)
    x = torch.rand(n, 20, 1) * 10 - 5
    y = amplitude * torch.sin(x + phase)
    return x[:, :10], y[:, :10], x[:, 10:], y[:, 10:]


def loss_of(params, x, y):
    return ((functional_call(net, params, (x,)) - y) ** 2).mean()


def meta_loss(params, xs, ys, xq, yq):
    g = grad(loss_of)(params, xs, ys)
    adapted = {k: v - 0.01 * g[k] for k, v in params.items()}
    return loss_of(adapted, xq, yq)


opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(10):
    params = dict(net.named_parameters())
    batch = tasks(4)
    if step % 2:
        loss = vmap(meta_loss, in_dims=(None, 0, 0, 0, 0))(params, *batch).mean()
    else:
        losses = []
        for xs, ys, xq, yq in zip(*batch):
            inner = loss_of(params, xs, ys)
            gs = torch.autograd.grad(inner, list(params.values()), create_graph=True)
            losses.append(loss_of({k: v - 0.01 * g for (k, v), g in zip(params.items(), gs)}, xq, yq))
        loss = torch.stack(losses).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")

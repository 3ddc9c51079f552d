"""A gradient for each example by vmap, clipped one by one with noise added; and an ensemble as one model."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, stack_module_state, vmap

torch.manual_seed(35)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
x, y = torch.randn(6, 4), torch.randint(3, (6,))
params = {k: v.detach() for k, v in model.named_parameters()}


def loss_of(params, sample, target):
    return F.cross_entropy(functional_call(model, params, (sample.unsqueeze(0),)), target.unsqueeze(0))


per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))(params, x, y)
for i in range(2):
    model.zero_grad()
    F.cross_entropy(model(x[i:i + 1]), y[i:i + 1]).backward()
    print(all(torch.allclose(p.grad, per_sample[k][i], atol=1e-6) for k, p in model.named_parameters()))
norms = torch.stack([g.flatten(1).norm(dim=1) for g in per_sample.values()]).norm(dim=0)
clipped = {k: (g * (1 / norms.clamp(min=1)).view(-1, *[1] * (g.dim() - 1))).sum(0) + 0.1 * torch.randn(g.shape[1:])
           for k, g in per_sample.items()}
print(norms, {k: round(g.norm().item(), 4) for k, g in clipped.items()})

models = [nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)) for _ in range(3)]
stacked, buffers = stack_module_state(models)
base = copy.deepcopy(models[0])
together = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(stacked, buffers, x)
print(together.shape, all(torch.allclose(m(x), t, atol=1e-6) for m, t in zip(models, together)))
print(together.softmax(-1).mean(0).argmax(-1).tolist())

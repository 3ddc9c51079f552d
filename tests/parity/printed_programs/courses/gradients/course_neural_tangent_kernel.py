"""The empirical neural tangent kernel of a small network, three ways (Jacot et al. 2018), and what it predicts."""
import torch
from torch import nn
from torch.func import functional_call, jacrev, jvp, vjp, vmap

torch.manual_seed(61)
net = nn.Sequential(nn.Linear(3, 20), nn.Tanh(), nn.Linear(20, 2)).double()
params = {name: p.detach() for name, p in net.named_parameters()}
x1, x2 = torch.randn(5, 3, dtype=torch.float64), torch.randn(4, 3, dtype=torch.float64)


def out(params, x):
    return functional_call(net, params, (x.unsqueeze(0),)).squeeze(0)


def by_contraction(x1, x2):
    j1, j2 = (vmap(jacrev(out), (None, 0))(params, x) for x in (x1, x2))
    parts = [torch.einsum("Naf,Mbf->NMab", a.flatten(2), b.flatten(2)) for a, b in zip(j1.values(), j2.values())]
    return torch.stack(parts).sum(0)


def by_products(x1, x2):
    def one(a, b):
        def through(v):
            _, back = vjp(lambda p: out(p, a), params)
            return jvp(lambda p: out(p, b), (params,), (back(v)[0],))[1]
        return vmap(through)(torch.eye(2, dtype=torch.float64)).T
    return vmap(lambda a: vmap(lambda b: one(a, b))(x2))(x1).transpose(-1, -2)


kernel = by_contraction(x1, x2)
print(kernel.shape, f"{kernel.sum().item():.6f} {kernel[1, 2, 0, 1].item():.6f}")
print(torch.allclose(kernel, by_products(x1, x2)))
by_hand = torch.stack([torch.stack([sum(
    (torch.autograd.grad(net(a)[0], net.parameters())[i] * torch.autograd.grad(net(b)[0], net.parameters())[i]).sum()
    for i in range(2)) for b in x2]) for a in x1])
print(f"{by_hand.sum().item():.6f}")

y = torch.randn(5, 2, dtype=torch.float64)
gram = by_contraction(x1, x1).transpose(1, 2).reshape(10, 10)
weights = torch.linalg.solve(gram + 1e-3 * torch.eye(10, dtype=torch.float64), (y - net(x1).detach()).reshape(-1))
predicted = net(x2) + (kernel.permute(1, 3, 0, 2).reshape(8, 10) @ weights).reshape(4, 2)
print(predicted.shape, [f"{value:.5f}" for value in predicted.sum(0).tolist()])
print(f"{torch.linalg.eigvalsh(gram).log().sum().item():.5f}")

"""A network whose second derivative solves an equation: u'' = -u, with u(0) = 0 and u'(0) = 1."""
import torch
from torch import nn
from torch.func import functional_call, jacrev, jvp, vmap

torch.manual_seed(30)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
t = torch.linspace(0, 3, 15).view(-1, 1).requires_grad_(True)
for step in range(15):
    u = net(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    loss = ((ddu + u) ** 2).mean() + u[0, 0] ** 2 + (du[0, 0] - 1) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 4:
        print(f"{loss.item():.5f}")
params = dict(net.named_parameters())
f = lambda s: functional_call(net, params, (s.view(1),)).squeeze()
print(vmap(jacrev(jacrev(f)))(t.detach().squeeze()[:3]), jvp(f, (t[1, 0].detach(),), (torch.tensor(1.),))[1])

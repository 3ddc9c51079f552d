"""zuko: the flow of its README, conditioned and trained on two moons, and the other families of flows."""

import torch
import zuko

torch.manual_seed(0)
theta = torch.rand(64, 1) * torch.pi
moons = torch.cat([torch.cat([theta.cos(), theta.sin()], 1), torch.cat([1 - theta.cos(), 0.5 - theta.sin()], 1)])
labels = torch.cat([torch.zeros(64, 1), torch.ones(64, 1)])
for make, options in ((zuko.flows.NSF, {"bins": 4}), (zuko.flows.MAF, {}), (zuko.flows.NICE, {}),
                      (zuko.flows.NAF, {}), (zuko.flows.GF, {}), (zuko.flows.SOSPF, {}), (zuko.flows.BPF, {})):
    flow = make(features=2, context=1, transforms=2, **options)
    optimizer = torch.optim.Adam(flow.parameters(), lr=1e-2)
    for step in range(3):
        loss = -flow(labels).log_prob(moons).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(make.__name__, step, loss.item())
    if make not in (zuko.flows.NAF, zuko.flows.SOSPF, zuko.flows.BPF):       # those are inverted by bisection
        print(flow(torch.tensor([1.0])).sample((3,)).tolist())

flow = zuko.flows.CNF(features=2, hidden_features=(8,))
print("CNF", flow().log_prob(moons[:5]).tolist())
mixture = zuko.mixtures.GMM(features=2, components=3)
print("GMM", mixture().log_prob(moons[:5]).tolist())
print("box", zuko.distributions.BoxUniform(-torch.ones(2), torch.ones(2)).log_prob(torch.zeros(2)).item())

"""normflows: the real NVP of its README, trained on two moons; and a spline and a Glow block, run back and forth."""

import normflows as nf
import torch

torch.manual_seed(0)
flows = []
for _ in range(4):
    flows += [nf.flows.AffineCouplingBlock(nf.nets.MLP([1, 16, 16, 2], init_zeros=True)), nf.flows.Permute(2, "swap")]
model = nf.NormalizingFlow(nf.distributions.base.DiagGaussian(2), flows)
target = nf.distributions.TwoMoons()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
data = target.sample(64)
for step in range(5):
    optimizer.zero_grad()
    loss = model.forward_kld(data)
    loss.backward()
    optimizer.step()
    print("forward", step, loss.item())
model.p = target
print("reverse", model.reverse_kld(64).item())
print(model.sample(3)[0].tolist())

spline = nf.flows.AutoregressiveRationalQuadraticSpline(2, 1, 16)
z, log_det = spline(data[:4])
print("spline", z.tolist(), log_det.tolist(), (spline.inverse(z)[0] - data[:4]).abs().max().item() < 1e-3)

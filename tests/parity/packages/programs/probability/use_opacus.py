"""opacus: gradients of each example, clipped, with noise, and how much privacy is spent."""

import warnings

import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.accountants import RDPAccountant

warnings.simplefilter("ignore")
torch.manual_seed(0)
x, labels = torch.randn(12, 1, 6, 6), torch.randint(0, 3, (12,))
net = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.GroupNorm(1, 2), torch.nn.Tanh(), torch.nn.Flatten(),
                          torch.nn.Linear(32, 3))
sampled = GradSampleModule(net)
torch.nn.functional.cross_entropy(sampled(x), labels).backward()
print([(tuple(p.grad_sample.shape), p.grad_sample.norm().item()) for p in sampled.parameters()])
sampled.zero_grad()
print(net[0].weight.grad is None)

for module, inputs in ((torch.nn.Embedding(7, 3), torch.randint(0, 7, (4, 5))),
                       (torch.nn.LayerNorm(4), torch.randn(3, 4)), (torch.nn.Conv1d(2, 3, 2), torch.randn(3, 2, 5))):
    sampled = GradSampleModule(module)
    sampled(inputs).square().sum().backward()
    print(type(module).__name__, [p.grad_sample.square().sum().item() for p in sampled.parameters()])

torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(36, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, labels), batch_size=4)
engine = PrivacyEngine()
net, optimizer, loader = engine.make_private(module=net, optimizer=optimizer, data_loader=loader,
                                             noise_multiplier=1.0, max_grad_norm=1.0, poisson_sampling=False,
                                             noise_generator=torch.Generator().manual_seed(0))
for batch, targets in loader:
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(batch), targets)
    loss.backward()
    optimizer.step()
    print(loss.item())
print(engine.get_epsilon(1e-3), next(net.parameters())[0, :3].tolist())
accountant = RDPAccountant()
for step in range(10):
    accountant.step(noise_multiplier=1.1, sample_rate=0.1)
print(accountant.get_epsilon(1e-5))

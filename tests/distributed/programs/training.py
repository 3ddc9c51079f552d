"""DistributedDataParallel: what the ranks learn together is what one process learns from all of the data."""

import warnings

import minigrad as torch
import minigrad.distributed as dist
from minigrad import nn
from minigrad.nn.parallel import DistributedDataParallel as DDP
from minigrad.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
N = 12 * size


def make(seed=0, dtype=torch.float64):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3)).to(dtype)


def data():
    torch.manual_seed(1)
    return torch.randn(N, 5, dtype=torch.float64), torch.randint(0, 3, (N,))


def close(a, b, what, rtol=1e-12):
    assert torch.allclose(a, b, rtol=rtol, atol=1e-13), (what, rank, (a - b).abs().max())


x, y = data()
loss_fn = nn.CrossEntropyLoss()

# the same weights as one process, step by step, with buckets of any size; every rank begins with rank 0's
for capacity in (None, 0.0001, 0.0005, 0):
    alone, model = make(0), DDP(make(rank), bucket_cap_mb=capacity)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9) for m in (alone, model)]
    sampler = DistributedSampler(TensorDataset(x, y), shuffle=True)
    loader = DataLoader(TensorDataset(x, y), batch_size=4, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        orders = [DistributedSampler(range(N), size, r) for r in range(size)]
        for each in orders:
            each.set_epoch(epoch)
        orders = [[*each] for each in orders]
        for step, (bx, by) in enumerate(loader):
            whole = sum([each[4 * step:4 * step + 4] for each in orders], [])
            for m, o, (mx, my) in zip((alone, model), optimizers, ((x[whole], y[whole]), (bx, by))):
                o.zero_grad()
                loss_fn(m(mx), my).backward()
                o.step()
            for (name, p), q in zip(alone.named_parameters(), model.parameters()):
                close(p.grad, q.grad, ("grad", name, capacity))
                close(p, q, ("weight", name, capacity))
everyone = [None] * size
dist.all_gather_object(everyone, [p.tolist() for p in model.parameters()])
assert all(each == everyone[0] for each in everyone), "to the last bit the same on all ranks"
assert [*model.state_dict()][0] == "module.0.weight"
mine = slice(rank, None, size)

# gradients are added up without, and averaged with, the last pass
alone, model = make(), DDP(make())
with model.no_sync():
    loss_fn(model(x[mine][:6]), y[mine][:6]).backward()
local = [p.grad.clone() for p in model.parameters()]
loss_fn(model(x[mine][6:]), y[mine][6:]).backward()
first = [i for i in range(N) if i // size < 6]
last = [i for i in range(N) if i // size >= 6]
(loss_fn(alone(x[first]), y[first]) + loss_fn(alone(x[last]), y[last])).backward()
for p, q, r in zip(alone.parameters(), model.parameters(), local):
    close(p.grad, q.grad, "no_sync")
    assert size == 1 or not torch.allclose(q.grad, r)


class Branches(nn.Module):
    """The ranks use different branches, and nobody uses the last."""

    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList([nn.Linear(5, 3) for _ in range(size + 1)]).double()

    def forward(self, x, which):
        return {"out": [self.branches[which](x)]}


torch.manual_seed(3)
model = DDP(Branches(), find_unused_parameters=True)
for step in range(2):
    loss = loss_fn(model(x[:4], rank)["out"][0], y[:4])
    loss.backward()
    for r, branch in enumerate(model.module.branches):
        if r == size:
            assert branch.weight.grad is None
        else:
            own = torch.autograd.grad(loss_fn(branch(x[:4]), y[:4]), branch.weight)[0]
            assert branch.weight.grad.shape == (3, 5)
            if step == 0:
                close(branch.weight.grad, own / size, ("branch", r))

# without the flag, the next call says which parameters are missing
model = DDP(Branches())
loss_fn(model(x[:4], 0)["out"][0], y[:4]).backward()
try:
    model(x[:4], 0)
    raise SystemExit("the missing gradients were not noticed")
except RuntimeError as error:
    assert error.code == "MG805" and f"branches.{size}.weight" in str(error), error

# buffers are rank 0's
model = DDP(nn.Sequential(nn.BatchNorm1d(5)).double())
with torch.no_grad():
    model.module[0].running_mean.fill_(rank)
model.eval()(x)
assert model.module[0].running_mean.unique().tolist() == [0]

# each dtype has its buckets; what needs no gradient stays out; one pass may call the model twice
mixed = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4).double(), nn.Linear(4, 4).half(), nn.Linear(4, 2))
mixed[3].weight.requires_grad_(False)
model = DDP(mixed)
loss = sum([(p.float() * (rank + 1)).sum() for p in [*mixed.parameters()][:-2]])
mixed.forward = lambda: loss + mixed[3].bias.sum() * (rank + 1)
(model() * 2).backward()
for p in mixed.parameters():
    assert p.grad is None if not p.requires_grad else p.grad.dtype is p.dtype and (p.grad == size + 1).all(), p.grad

# what is refused
for build, words in ((lambda: DDP(nn.ReLU()), "any parameters that require a gradient"),
                     (lambda: DDP(nn.Linear(3, 2 + rank)), "differs from that of rank 0 in weight, bias")):
    if size == 1 and "differs" in words:
        continue
    try:
        build()
        assert rank == 0 and "differs" in words
    except RuntimeError as error:
        assert words in str(error), error
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    model = DDP(make())
    loss_fn(model(x[:4]), y[:4]).backward(create_graph=True)
assert any("create_graph" in str(each.message) for each in caught)

dist.destroy_process_group()
print(f"rank {rank} of {size} is right")

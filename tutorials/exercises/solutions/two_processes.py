"""Solutions of the exercises of "Two processes"."""

# %% Solution: Shares of different sizes
def of_all(gradients, counts):
    return sum(n * each for n, each in zip(counts, gradients)) / sum(counts)


# %% Solution: All-reduce in a ring
import minigrad as torch


def all_reduce(tensors, exchange):
    ranks = len(tensors)
    pieces = [list(each.chunk(ranks)) for each in tensors]      # pieces[rank][number]
    for step in range(ranks - 1):
        came = exchange([pieces[rank][(rank - step) % ranks] for rank in range(ranks)])
        for rank in range(ranks):
            place = (rank - 1 - step) % ranks
            pieces[rank][place] = pieces[rank][place] + came[rank]
    for step in range(ranks - 1):
        came = exchange([pieces[rank][(rank + 1 - step) % ranks] for rank in range(ranks)])
        for rank in range(ranks):
            pieces[rank][(rank - step) % ranks] = came[rank]
    return [torch.cat(each) for each in pieces]


# %% Solution: Buckets
def buckets(sizes, capacity):
    found, room = [], 0
    for place, size in enumerate(sizes):
        if not found or size > room:
            found.append([])
            room = capacity
        found[-1].append(place)
        room -= size
    return found


# %% Project: 1
from minigrad.utils.data import DistributedSampler

alone, *ranks = [DistributedSampler(range(1440), num_replicas=replicas, rank=rank, seed=0)
                 for replicas, rank in ((1, 0), (3, 0), (3, 1), (3, 2))]
for epoch in range(3):
    for sampler in alone, *ranks:
        sampler.set_epoch(epoch)
    order, shares = [*alone], [[*sampler] for sampler in ranks]
    assert [len(share) for share in shares] == [480, 480, 480] and 32 // 3 == 10
    for step in range(48):
        together = [i for share in shares for i in share[10 * step:10 * step + 10]]
        assert sorted(together) == sorted(order[30 * step:30 * step + 30])


# %% Project: 2
import minigrad as torch


def all_reduce(parts):
    """What ``functional.all_reduce`` gives each rank, for the parts that the ranks have."""
    return [torch.stack(parts).sum(0) for _ in parts]


def detached(parts):
    """What ``dist.all_reduce`` gives each rank."""
    return [part.detach() for part in all_reduce(parts)]


def normalized(parts, reduce):
    means = [total / len(parts) for total in reduce([part.mean(0) for part in parts])]
    squares = [(part - mean).square().mean(0) for part, mean in zip(parts, means)]
    variances = [total / len(parts) for total in reduce(squares)]
    return torch.cat([(part - mean) / (variance + 1e-5).sqrt()
                      for part, mean, variance in zip(parts, means, variances)])


torch.manual_seed(0)
x = torch.randn(12, 5, dtype=torch.float64, requires_grad=True)
g = torch.randn(12, 5, dtype=torch.float64)
norm = torch.nn.BatchNorm1d(5, affine=False).double()
halves = x.chunk(2)
(wanted,) = torch.autograd.grad(norm(x), x, g)
(found,) = torch.autograd.grad(normalized(halves, all_reduce), x, g)
(cut,) = torch.autograd.grad(normalized(halves, detached), x, g)
(apart,) = torch.autograd.grad(torch.cat([norm(half) for half in halves]), x, g)
assert torch.allclose(normalized(halves, all_reduce), norm(x)) and torch.allclose(found, wanted)
assert torch.allclose(normalized(halves, detached), norm(x)) and not torch.allclose(cut, wanted)
assert not torch.allclose(apart, wanted)


# %% Project: 3
import minigrad as torch

torch.manual_seed(0)
W = torch.randn(6, 4, dtype=torch.float64, requires_grad=True)
x, g = torch.randn(4, dtype=torch.float64, requires_grad=True), torch.randn(6, dtype=torch.float64)
wanted = torch.autograd.grad(W @ x, (W, x), g)


def all_gather(parts):
    return [torch.cat(parts) for _ in parts]


rows = [half.detach().requires_grad_() for half in W.chunk(2)]
inputs = [x.detach().requires_grad_() for _ in rows]
outputs = [half @ each for half, each in zip(rows, inputs)]
joined = all_gather(outputs)
loss = sum((g * each).sum() for each in joined) / len(rows)     # the same on both ranks

# What arrives at the outputs is the reduce_scatter of what arrives at the joined ones.
at_joined = torch.autograd.grad(loss, joined, retain_graph=True)
at_outputs = torch.autograd.grad(loss, outputs, retain_graph=True)
for scattered, at_output in zip(sum(at_joined).chunk(2), at_outputs):
    assert torch.equal(scattered, at_output)

loss.backward()
assert torch.allclose(torch.cat([half.grad for half in rows]), wanted[0])
assert torch.allclose(sum(each.grad for each in inputs), wanted[1])
assert not torch.allclose(inputs[0].grad, wanted[1])

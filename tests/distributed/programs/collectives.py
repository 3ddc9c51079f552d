"""Each collective that writes into tensors, against what the ranks' tensors say it must be."""

import datetime
import itertools
import time

import numpy as np

import minigrad as torch
import minigrad.distributed as dist

dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16,
          torch.int32, torch.int64, torch.bool, torch.complex64, torch.complex128]
REDUCED = {"SUM": sum, "PRODUCT": lambda all_: np.prod(all_, axis=0), "MIN": lambda all_: np.min(all_, axis=0),
           "MAX": lambda all_: np.max(all_, axis=0), "AVG": lambda all_: sum(all_) / size,
           "BAND": lambda all_: np.bitwise_and.reduce(all_), "BOR": lambda all_: np.bitwise_or.reduce(all_),
           "BXOR": lambda all_: np.bitwise_xor.reduce(all_)}
SHAPES = [(), (3,), (2, 3), (0, 2), (4, 1, 2)]


def of_rank(r, shape, dtype):
    """What rank r has: small integers, so that every sum is exact."""
    count = int(np.prod(shape))
    numbers = torch.tensor([(5 * r + 3 * i) % 4 + 1 for i in range(count)], dtype=torch.float64).reshape(shape)
    return (numbers > 2) if dtype is torch.bool else numbers.to(dtype)


def same(found, expected, what):
    assert found.dtype is expected.dtype and found.shape == expected.shape, (what, found, expected)
    assert torch.equal(found, expected), (what, found, expected)


def in_numpy(tensor):
    return tensor.to(torch.float64).numpy() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor.numpy()


for dtype, shape in itertools.product(DTYPES, SHAPES):
    everyone = [of_rank(r, shape, dtype) for r in range(size)]
    mine = everyone[rank]
    integral = not dtype.is_floating_point and not dtype.is_complex
    for name, reduced in REDUCED.items():
        if name in ("BAND", "BOR", "BXOR") and not integral or name == "AVG" and integral:
            continue
        if dtype.is_complex and name in ("MIN", "MAX"):
            continue
        total = reduced([in_numpy(each) for each in everyone])
        expected = torch.as_tensor(np.asarray(total)).reshape(shape).to(dtype)
        x = mine.clone()
        assert dist.all_reduce(x, getattr(dist.ReduceOp, name)) is None
        same(x, expected, ("all_reduce", name))
        for dst in range(size):
            x = mine.clone()
            dist.reduce(x, dst, getattr(dist.ReduceOp, name))
            same(x, expected if rank == dst else mine, ("reduce", name))
    for root in range(size):
        x = mine.clone()
        dist.broadcast(x, root)
        same(x, everyone[root], "broadcast")
        into = [torch.zeros_like(mine) for _ in range(size)] if rank == root else None
        dist.gather(mine, into, dst=root)
        for each, expected in zip(into or (), everyone):
            same(each, expected, "gather")
        x = torch.zeros_like(mine)
        pieces = [of_rank(r + root, shape, dtype) for r in range(size)] if rank == root else None
        dist.scatter(x, pieces, src=root)
        same(x, of_rank(rank + root, shape, dtype), "scatter")
    into = [torch.zeros_like(mine) for _ in range(size)]
    dist.all_gather(into, mine)
    for each, expected in zip(into, everyone):
        same(each, expected, "all_gather")
    stacked = torch.zeros((size, *shape), dtype=dtype)
    dist.all_gather_into_tensor(stacked, mine)
    same(stacked, torch.stack(everyone), "all_gather_into_tensor")
    if shape:
        joined = torch.zeros((size * shape[0], *shape[1:]), dtype=dtype)
        dist.all_gather_into_tensor(joined, mine)
        same(joined, torch.cat(everyone), "all_gather_into_tensor")
    pieces = [of_rank(rank + 2 * r, shape, dtype) for r in range(size)]
    total = sum([in_numpy(of_rank(r + 2 * rank, shape, dtype)) for r in range(size)])
    expected = torch.as_tensor(np.asarray(total)).reshape(shape).to(dtype)
    x = torch.zeros_like(mine)
    dist.reduce_scatter(x, pieces)
    same(x, expected, "reduce_scatter")
    x = torch.zeros_like(mine)
    dist.reduce_scatter_tensor(x, torch.stack(pieces))
    same(x, expected, "reduce_scatter_tensor")
    into = [torch.zeros_like(mine) for _ in range(size)]
    dist.all_to_all(into, pieces)
    for r in range(size):
        same(into[r], of_rank(r + 2 * rank, shape, dtype), "all_to_all")

# pieces that differ in size: rank r sends r + s + 1 numbers to rank s
into = [torch.zeros(r + rank + 1) for r in range(size)]
dist.all_to_all(into, [torch.full((rank + s + 1,), 10. * rank + s) for s in range(size)])
for r in range(size):
    same(into[r], torch.full((r + rank + 1,), 10. * r + rank), "all_to_all of pieces")
sizes = [rank + s + 1 for s in range(size)]
joined = torch.zeros(sum(sizes), 2)
mine = torch.cat([torch.full((n, 2), 10. * rank + s) for s, n in enumerate(sizes)])
dist.all_to_all_single(joined, mine, sizes, sizes)
same(joined, torch.cat([torch.full((n, 2), 10. * r + rank) for r, n in enumerate(sizes)]), "all_to_all_single")
even = torch.zeros(2 * size)
dist.all_to_all_single(even, torch.arange(2. * size) + 100 * rank)
same(even, torch.cat([torch.arange(2.) + 2 * rank + 100 * r for r in range(size)]), "all_to_all_single")

# any layout, and the memory stays where it is
base = torch.zeros(4, 6)
view = base.t()[1:5:2]
view.fill_(rank + 1.)
dist.all_reduce(view)
assert view.unique().item() == size * (size + 1) / 2 and base.sum() == 8 * view[0, 0]

# several under way at once, waited for in another order, and forgotten
xs = [torch.full((1000,), float(rank + i)) for i in range(20)]
works = [dist.all_reduce(x, async_op=True) for x in xs]
for work in works[::-2]:
    assert work.wait() is True and work.is_completed() and work.is_success() and work.exception() is None
del works, work
dist.barrier()
dist.all_reduce(torch.ones(1))
for i, x in enumerate(xs):
    assert x.unique().item() == size * i + size * (size - 1) / 2

# barriers, which also help the works along; one that comes late is waited for
work = dist.barrier(async_op=True)
assert work.synchronize() is None and repr(work) == "<Work: barrier, done>"
assert dist.monitored_barrier(timeout=datetime.timedelta(seconds=60)) is None
if rank == size - 1:
    time.sleep(0.8)
dist.barrier()
patient = dist.new_group(timeout=datetime.timedelta(seconds=60))
dist.barrier(patient)
dist.destroy_process_group(patient)

# messages
if size > 1:
    right, left = (rank + 1) % size, (rank - 1) % size
    x = torch.zeros(3)
    sent = dist.isend(torch.full((3,), float(rank)), right, tag=7)
    assert dist.recv(x, left, tag=7) == left and x.unique().item() == left and sent.wait()
    large = torch.zeros(300_000)
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, torch.full((300_000,), float(rank)), left),
                                        dist.P2POp(dist.irecv, large, right)]):
        work.wait()
    assert large.unique().item() == right
    if rank:
        dist.send(torch.tensor([rank, 10 * rank]), 0)
    else:
        x = torch.zeros(2, dtype=torch.int64)
        found = {dist.recv(x): x.tolist() for _ in range(size - 1)}
        assert found == {r: [r, 10 * r] for r in range(1, size)}

# groups of some of them
evens = dist.new_group([*range(0, size, 2)])
assert (dist.get_rank(evens) == rank // 2) == (rank % 2 == 0) and dist.get_pg_count() == 1 + (rank % 2 == 0)
x = torch.ones(2)
dist.all_reduce(x, group=evens)
assert x.tolist() == ([(size + 1) // 2] * 2 if rank % 2 == 0 else [1, 1])
if rank % 2 == 0:
    assert dist.get_global_rank(evens, dist.get_rank(evens)) == rank == evens.ranks[dist.get_group_rank(evens, rank)]
    dist.destroy_process_group(evens)
else:
    assert dist.get_rank(evens) == dist.get_world_size(evens) == -1 and dist.get_process_group_ranks(evens) == []
    of_evens = {
        dist.reduce: (x, 0), dist.reduce_scatter: (x, [x]), dist.reduce_scatter_tensor: (x, x),
        dist.broadcast: (x, 0), dist.all_gather: ([x], x), dist.all_gather_into_tensor: (x, x),
        dist.gather: (x,), dist.scatter: (x,), dist.all_to_all: ([x], [x]), dist.all_to_all_single: (x, x),
        dist.barrier: (), dist.monitored_barrier: (), dist.isend: (x, 0), dist.irecv: (x, 0), dist.send: (x, 0),
        dist.all_gather_object: ([], 1), dist.gather_object: (1,), dist.broadcast_object_list: ([],),
        dist.scatter_object_list: ([],), dist.destroy_process_group: (),
    }
    for collective, arguments in of_evens.items():
        assert collective(*arguments, group=evens) is None and x.tolist() == [1, 1], collective
    assert dist.recv(x, 0, evens) == -1
    assert dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 0, evens)]) == []

# objects
found = [None] * size
dist.all_gather_object(found, {"rank": rank, "text": "x" * 50 * rank})
assert [each["rank"] for each in found] == [*range(size)] and len(found[-1]["text"]) == 50 * (size - 1)
objects = [rank, "of", {rank}]
dist.broadcast_object_list(objects, src=size - 1)
assert objects == [size - 1, "of", {size - 1}]
found = [None] * size if rank == 0 else None
dist.gather_object(rank ** 2, found)
assert rank or found == [r ** 2 for r in range(size)]
found = [None]
dist.scatter_object_list(found, [f"for {r}" for r in range(size)] if rank == 0 else None)
assert found == [f"for {rank}"]

# a write is counted
w = torch.ones(2)
y = (torch.ones(2, requires_grad=True) * w).sum()
dist.all_reduce(w)
try:
    y.backward()
    raise SystemExit("the write was not noticed")
except RuntimeError as error:
    assert error.code == "MG101", error
p = torch.nn.Parameter(torch.full((2,), rank + 1.))
dist.broadcast(p, 0)
assert p.tolist() == [1, 1] and p.is_leaf and p.requires_grad

assert dist.get_backend() == "mpi" and dist.get_backend_config() == "cpu:mpi" and dist.is_initialized()
assert dist.get_node_local_rank() == rank
dist.destroy_process_group()
assert not dist.is_initialized()
print(f"rank {rank} of {size} is right")

"""What is refused before anything moves, on every rank: the error says what to do, and all goes on as before."""

import datetime

import numpy as np

import minigrad as torch
import minigrad.distributed as dist
from minigrad.distributed.nn import functional
from minigrad.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
x, leaf = torch.arange(3.), torch.ones(3, requires_grad=True)
read_only = np.ones(3, np.float32)
read_only.flags.writeable = False
like = [torch.zeros(3) for _ in range(size)]

REFUSED = {
    "expected parameter `tensor` of type torch.tensor": lambda: dist.all_reduce([1.]),
    "it is on another device, or inside a transform": lambda: torch.vmap(dist.all_reduce)(torch.ones(2, 3)),
    "would overwrite `tensor`, which mulbackward0": lambda: dist.all_reduce(leaf * 2),
    "refers to a single memory location": lambda: dist.broadcast(torch.ones(1).expand(3), 0),
    "is read-only": lambda: dist.all_reduce(torch.from_numpy(read_only)),
    "of type list[torch.tensor]": lambda: dist.all_gather(x, x),
    "needs one for each": lambda: dist.all_gather([*like, x], x),
    "each of `tensor_list` must be of": lambda: dist.all_gather([torch.zeros(2)] * size, x),
    "must specify global_rank or group_rank": lambda: dist.broadcast(x),
    "can't specify both": lambda: dist.broadcast(x, 0, group_src=0),
    "invalid root rank: 9": lambda: dist.broadcast(x, 9),
    "must be specified on source rank" if rank == 0 else "must not be specified on non-source": lambda: dist.scatter(
        x, None if rank == 0 else like),
    "`output_tensor` must be of": lambda: dist.all_gather_into_tensor(torch.zeros(1), x),
    "input_split_sizes=[1] are not": lambda: dist.all_to_all_single(x, x, None, [1]),
    "as the rank of the current process": lambda: dist.send(x, rank),
    "op is a reduceop such as": lambda: dist.all_reduce(x, op="sum"),
    "does not support redoptype.max on complex": lambda: dist.all_reduce(x + 0j, op=dist.ReduceOp.MAX),
    "works on bits": lambda: dist.all_reduce(x, op=dist.ReduceOp.BAND),
    "the mean of integers": lambda: dist.all_reduce(x.long(), op=dist.ReduceOp.AVG),
    "expected ``op`` to be of type": lambda: dist.P2POp(dist.all_reduce, x, 0),
    "what torch.distributed.new_group() returns": lambda: dist.all_reduce(x, group="all"),
    "there is no rank 9": lambda: dist.new_group([9]),
    "named twice": lambda: dist.new_group([0, 0]),
    "default process group twice": lambda: dist.init_process_group("mpi"),
    "is not part of group": lambda: dist.get_global_rank(dist.group.WORLD, 9),
    "has no derivative here": lambda: functional.all_reduce(leaf, dist.ReduceOp.MAX),
    "a tensor for each of the": lambda: functional.scatter([*like, x]),
    "a place for each of the": lambda: dist.all_gather_object([], 1),
    "have any parameters that": lambda: DDP(torch.nn.Tanh()),
    "of type datetime.timedelta": lambda: dist.new_group([0], timeout=3),
    "expected a torch.tensor, but got": lambda: functional.all_reduce([1.]),
    "global rank 9 is not part of group": lambda: dist.get_group_rank(dist.group.WORLD, 9),
}
if size > 1:
    many = torch.ones([1] * 50)
    REFUSED |= {
        "the first dim of `input`, which has shape [1], does not divide": lambda: dist.all_to_all_single(x[:1], x[:1]),
        "all_reduce of float32 [1, 1, 1, 1, 1, 1,...: with so many dims": lambda: dist.all_reduce(many),
        "float32 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1...: with so many dims": lambda: dist.all_to_all(
            [many.clone() for _ in range(size)], [many] * size),
        "float32 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1...: with so many": lambda: dist.send(many, 1 - min(rank, 1)),
        "float32 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1...: with so": lambda: dist.recv(many, 1 - min(rank, 1)),
    }
    only = dist.new_group([0])
    if rank:
        REFUSED |= {f"{name}(): this process, rank {rank} of all, is not in the group": call for name, call in {
            "all_reduce": lambda: functional.all_reduce(leaf, group=only),
            "scatter": lambda: functional.scatter([*like], group=only),
        }.items()}
    else:
        REFUSED |= {"group rank 1 is not part of": lambda: dist.get_global_rank(only, 1),
                    "global rank 1 is not part of": lambda: dist.get_group_rank(only, 1)}

for phrase, call in REFUSED.items():
    before = x.clone()
    try:
        call()
    except (RuntimeError, TypeError, ValueError) as error:
        assert phrase in " ".join(str(error).lower().split()) and "MG" in error.code, (phrase, str(error))
    else:
        raise SystemExit(f"not refused: {phrase}")
    assert torch.equal(x, before) and x._version == 0, phrase
    dist.barrier()                      # the ranks are still in step

dist.destroy_process_group()
for given, phrase in (({"backend": "gloo"}, "only 'mpi'"), ({"rank": 7}, "leave rank out"),
                      ({"world_size": 7}, "leave world_size out"), ({"timeout": datetime.time()}, "timedelta")):
    try:
        dist.init_process_group(**given)
    except (RuntimeError, TypeError, ValueError) as error:
        assert phrase in str(error) and not dist.is_initialized(), (phrase, str(error))
    else:
        raise SystemExit(f"not refused: {given}")
print(f"rank {rank} of {size} is right")

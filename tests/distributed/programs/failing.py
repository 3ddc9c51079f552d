"""Programs that go wrong on one rank, all but "slow": ``failing.py CASE``.  None may hang, and all ranks must end."""

import datetime
import os
import signal
import sys
import time

import minigrad as torch
import minigrad.distributed as dist

case = sys.argv[1]
dist.init_process_group(timeout=datetime.timedelta(seconds=2) if case == "late" else None)
rank = dist.get_rank()
x = torch.ones(3, 4)
if case == "shapes":
    x = torch.ones(3, 4 + rank)
    try:
        dist.all_reduce(x)
    finally:
        assert (x == 1).all()
elif case == "dtypes":
    dist.broadcast(x.double() if rank else x, 0)
elif case == "calls":
    if rank == 0:
        dist.all_reduce(x)
    else:
        dist.broadcast(x, 0)
elif case == "async":
    works = [dist.all_reduce(torch.ones(10), async_op=True) for _ in range(3 + rank)]
    for work in works:
        work.wait()
    dist.barrier()
elif case == "raises":
    if rank == 1:
        raise ValueError("the data of this rank are missing")
    dist.all_reduce(x)
elif case == "exits":
    if rank == 1:
        sys.exit(3)
    dist.all_reduce(x)
elif case == "ends":
    if rank == 0:
        dist.all_reduce(x)
elif case == "killed":
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.all_reduce(x)
elif case == "both receive":
    dist.recv(x, 1 - rank)
elif case == "both send":
    dist.send(torch.ones(1_000_000), 1 - rank)
elif case == "nobody sends":
    if rank == 0:
        dist.recv(x, 1)
    dist.barrier()
elif case == "letter":
    if rank == 0:
        dist.send(x, 1)
        dist.barrier()
    else:
        dist.recv(torch.ones(4, 3), 0)
elif case in ("too many", "too few"):
    pieces, into = ([torch.ones(2), torch.ones(2)] for _ in range(2))
    if rank == 1:
        into[0] = torch.zeros(1 if case == "too many" else 3)
    try:
        dist.all_to_all(into, pieces)
    finally:
        assert rank == 0 or (into[0] == 0).all()
elif case == "late":
    if rank == 1:
        time.sleep(30)
    dist.all_reduce(x)
elif case == "other group":
    both = dist.new_group([0, 1])
    if rank == 0:
        dist.all_reduce(x, group=both)
elif case == "slow":
    if rank == 1:
        time.sleep(5)
    dist.all_reduce(x)
    print(x[0, 0].item())
elif case == "caught":
    try:
        dist.all_reduce(torch.ones(2 + rank))
    except RuntimeError:
        dist.all_reduce(x)              # out of step: it raises again
else:
    raise SystemExit(f"there is no case {case}")

"""Ranks that disagree or are late, catch the error, and begin again."""

import datetime
import time

import minigrad as torch
import minigrad.distributed as dist


def refused(code, call):
    try:
        call()
    except RuntimeError as error:
        assert error.code == code, error
        return error
    raise SystemExit(f"not refused with {code}")


dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
if size > 1:
    x = torch.ones(3)
    under_way = dist.irecv(x, (rank + 1) % size)
    disagree = refused("MG802", lambda: dist.all_reduce(torch.ones(2 + rank)))
    assert "the ranks disagree" in str(disagree)
    for call in (lambda: dist.all_reduce(x), dist.barrier, lambda: dist.send(x, (rank + 1) % size), under_way.wait):
        assert refused("MG802", call) is disagree      # the ranks are out of step, and stay so
    assert under_way.exception() is disagree and "recv of float32 [3]" in repr(under_way)
    dist.destroy_process_group()
    dist.init_process_group("mpi")
    dist.all_reduce(x)
    assert x.tolist() == [size] * 3

    pieces = [torch.ones(1) for _ in range(size)]
    assert "sent float32 [1], and rank" in str(refused("MG802", lambda: dist.all_to_all([x] * size, pieces)))
    dist.destroy_process_group()
    dist.init_process_group("mpi")

    if rank:
        time.sleep(3)
        assert "disagree" in str(refused("MG802", lambda: dist.all_reduce(x)))
    else:
        late = refused("MG803", lambda: dist.barrier(timeout=datetime.timedelta(seconds=0.6)))
        assert "rank 0 has waited 0." in str(late) and "rank 1: does not wait" in str(late), late
    dist.destroy_process_group()
    dist.init_process_group("mpi")
    dist.barrier()
dist.destroy_process_group()
print(f"rank {rank} of {size} is right")

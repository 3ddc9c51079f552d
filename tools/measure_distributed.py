"""``mpiexec -n 2 python tools/measure_distributed.py``: what it costs that ranks talk, and what 64 machines would gain.

It prints the tables of docs/notes/distributed.rst.  All times are medians; every collective is timed in turn with the
others, so that what else the machine does falls on all of them alike.
"""

import os

if __name__ == "__main__":
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")        # the ranks share the cores

import statistics
import time

import numpy as np

import minigrad as torch
import minigrad.distributed as dist
from minigrad import nn
from minigrad.nn.parallel import DistributedDataParallel

SIZES = [4 << k for k in range(0, 23, 2)]           # bytes, from one number to 16 MB
BUCKETS = [0.1, 1, 5, 25]                           # MB
WIDTH, LAYERS, BATCH, ROUNDS = 512, 8, 256, 15
#: networks between machines: (name, seconds of a message, seconds of a byte)
NETWORKS = [("1 Gbit/s", 50e-6, 8e-9), ("10 Gbit/s", 20e-6, 0.8e-9), ("100 Gbit/s", 5e-6, 0.08e-9)]


def fitted(sizes, times):
    """(alpha, beta) of ``time = alpha + beta * size``, with the smallest relative errors.

    The model is that of Hockney, The communication challenge for MPP (1994).
    """
    sizes, times = np.asarray(sizes, float), np.asarray(times, float)
    columns = np.stack([np.ones_like(sizes), sizes], 1) / times[:, None]
    alpha, beta = np.linalg.lstsq(columns, np.ones_like(times), rcond=None)[0]
    return alpha, beta


def ring(p, size, alpha, beta):
    """The seconds of an all_reduce on p ranks in a ring, where each has ``size`` bytes.

    2 (p - 1) messages in turn, each of a p-th of the bytes: Thakur, Rabenseifner and Gropp, Optimization of collective
    communication operations in MPICH (2005).
    """
    return 2 * (p - 1) * (alpha + beta * size / p)


def efficiency(p, compute, backward, size, alpha, beta):
    """The share of p ranks' time that computes: without overlap, and if all of a backward pass may hide sending."""
    sending = ring(p, size, alpha, beta)
    return compute / (compute + sending), compute / (compute + max(0, sending - backward))


# ------------------------------------------------------------------------------ measuring

def seconds_of(functions, rounds):
    """The median time of each function, the slowest rank's, which run in turn."""
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, found in zip(functions, times):
            dist.barrier()
            begin = time.perf_counter()
            function()
            found.append(time.perf_counter() - begin)
    medians = torch.tensor([statistics.median(found) for found in times], dtype=torch.float64)
    dist.all_reduce(medians, op=dist.ReduceOp.MAX)
    return medians.tolist()


def collectives(size):
    """Each collective on ``size`` bytes; the last is MPI's own, which does not look at what the others ask for."""
    from mpi4py import MPI
    p, n = dist.get_world_size(), size // 4
    x, piece = torch.ones(n), torch.ones(max(1, n // p))
    whole = torch.ones(p * len(piece))
    array = np.ones(n, np.float32)
    return {
        "broadcast": lambda: dist.broadcast(x, 0),
        "all_reduce": lambda: dist.all_reduce(x),
        "all_gather": lambda: dist.all_gather_into_tensor(whole, piece),
        "reduce_scatter": lambda: dist.reduce_scatter_tensor(piece, whole),
        "all_to_all": lambda: dist.all_to_all_single(whole.clone(), whole),
        "MPI's Allreduce": lambda: MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, array),
    }


def network():
    torch.manual_seed(0)
    return nn.Sequential(*[layer for _ in range(LAYERS) for layer in (nn.Linear(WIDTH, WIDTH), nn.ReLU())])


def step(model, x):
    for p in model.parameters():
        p.grad = None
    model(x).square().mean().backward()


def training():
    """Seconds: of a step on the whole batch, on a rank's part of it, of that part's backward pass, of an all_reduce of
    the gradients, and {bucket size: of a step with DistributedDataParallel}."""
    p = dist.get_world_size()
    alone, x = network(), torch.randn(BATCH, WIDTH)
    part = x[:BATCH // p]
    models = [DistributedDataParallel(network(), bucket_cap_mb=size) for size in BUCKETS]
    gradients = torch.ones(sum([each.numel() for each in alone.parameters()]))

    def forward():
        with torch.no_grad():
            alone(part).square().mean()

    whole, mine, only_forward, sending, *steps = seconds_of(
        [lambda: step(alone, x) if dist.get_rank() == 0 else None, lambda: step(alone, part), forward,
         lambda: dist.all_reduce(gradients)] + [lambda m=m: step(m, part) for m in models], ROUNDS)
    return whole, mine, mine - only_forward, sending, dict(zip(BUCKETS, steps)), 4 * len(gradients)


def main():
    dist.init_process_group("mpi")
    p = dist.get_world_size()

    def say(*words):
        if dist.get_rank() == 0:
            print(*words, flush=True)

    times = {}
    for size in SIZES:
        named = collectives(size)
        for name, found in zip(named, seconds_of(list(named.values()), 101 if size < 1 << 18 else 21)):
            times.setdefault(name, []).append(found)
    say("microseconds, by bytes:", *SIZES)
    for name, found in times.items():
        alpha, beta = fitted(SIZES, found)
        say(f"{name:16}", *[f"{each * 1e6:8.0f}" for each in found],
            f"   alpha {alpha * 1e6:.0f} us, {1e-9 / beta:.2f} GB/s")
    whole, mine, backward, sending, steps, size = training()
    say(f"\na step on {BATCH} samples: {whole * 1e3:.1f} ms; on {BATCH // p}: {mine * 1e3:.1f} ms, of which backward "
        f"{backward * 1e3:.1f}; all_reduce of {size / 1e6:.1f} MB: {sending * 1e3:.1f} ms")
    for bucket, found in steps.items():
        say(f"buckets of {bucket:4} MB: {found * 1e3:6.1f} ms, {(found - mine) * 1e3:.1f} more than without DDP; "
            f"{whole / found:.2f} times as fast as one process, {100 * whole / found / p:.0f} % efficient")
    say("\nefficiency in the model, the part of each machine as here: without overlap, and with it as far as it goes")
    for name, alpha, beta in NETWORKS:
        say(f"{name:10}", *[f"{q}: {a:.0%} {b:.0%}  " for q in (2, 4, 8, 16, 32, 64)
                            for a, b in [efficiency(q, mine, backward, size, alpha, beta)]])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

"""What ``torch.autograd.digits()`` costs: programs watched, and as they are, in one process, turn by turn.

Each is run with tensors of about so many elements: single operations, a forward and a backward pass, and a training
step of a network whose weights and activations have that size.  A figure is the median over rounds, of the time that
the thread had the processor, and on one thread.  To enter the block around a program is not in it.

    $ python -m tests.benchmarks.digits [--sizes 1 10000 100000 1000000] [--only add,matmul] [--rounds 21]
"""

import argparse
import os
from math import isqrt
from statistics import median
from time import thread_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # before NumPy is loaded

import minigrad as torch

SIZES = (1, 10_000, 100_000, 1_000_000)
SHORTEST, LONGEST = 2e-3, 30        # seconds of one round, and of all rounds of a program


def programs(n):
    """{what it is: a function without arguments}"""
    side = max(isqrt(n), 1)
    x, y = torch.rand(n) + 0.5, torch.rand(n) + 0.5
    a, b = torch.rand(side, side), torch.rand(side, side)
    w = (torch.rand(n) + 0.5).requires_grad_()
    batch, targets = torch.randn(side, side), torch.randint(0, 10, (side,))
    layers = torch.nn.Sequential(torch.nn.Linear(side, side), torch.nn.ReLU(), torch.nn.Linear(side, side),
                                 torch.nn.ReLU(), torch.nn.Linear(side, 10))
    optimizer = torch.optim.SGD(layers.parameters(), lr=0.01)

    def passes():
        w.grad = None
        (w.exp() * y).sum().backward()

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(layers(batch), targets).backward()
        optimizer.step()

    return {"add": lambda: x + y, "three products": lambda: x * y * x * y, "exp": lambda: x.exp(),
            "sum": lambda: x.sum(), "softmax": lambda: torch.softmax(a, 1), "matmul": lambda: a @ b,
            "exp, product, sum, backward": passes, "training step": step}


def seconds(program, times):
    start = thread_time()
    for _ in range(times):
        program()
    return (thread_time() - start) / times


def measured(program, rounds):
    """(seconds as it is, seconds when it is watched, how many times that is): medians."""
    program()
    times = max(1, int(SHORTEST / max(seconds(program, 3), 1e-9)))
    found = []
    while len(found) < rounds and sum([times * (a + b) for a, b in found]) < LONGEST:
        plain = seconds(program, times)
        with torch.autograd.digits():
            program()
            found.append((plain, seconds(program, min(times, 50))))
    return median([a for a, _ in found]), median([b for _, b in found]), median([b / a for a, b in found])


def main():
    arguments = argparse.ArgumentParser(prog="python -m tests.benchmarks.digits",
                                        description=__doc__.partition("\n")[0])
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments.add_argument("--only", default="", help="names, or parts of them, with commas")
    arguments.add_argument("--rounds", type=int, default=21)
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'elements':>9}  {'program':27}  {'plain':>10}  {'watched':>11}  times as long")
    for n in chosen.sizes:
        for name, program in programs(n).items():
            if any([part in name for part in chosen.only.split(",")]):
                plain, watched, ratio = measured(program, chosen.rounds)
                print(f"{n:9,}  {name:27}  {plain * 1e6:7,.1f} us  {watched * 1e6:8,.1f} us  {ratio:.1f}", flush=True)


if __name__ == "__main__":
    main()

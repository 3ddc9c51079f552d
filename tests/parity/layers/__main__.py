"""``python -m tests.parity.layers [--kind layer] [--count N] [--seed S]``: random layers or trainings, beside PyTorch.

The exit status is 1 if something differs, and 3 where there is no PyTorch.
"""

import argparse
import collections
import random
import sys
import time

import minigrad
from tests.random_programs.long_runs import installed_torch

from .comparing import KINDS, compared


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kind", choices=KINDS, default="layer")
    arguments.add_argument("--count", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=random.randrange(10 ** 6), help="of the first one")
    given = arguments.parse_args()
    torch = installed_torch()
    if torch is None:
        print("PyTorch is not installed here, and nothing can be compared.")
        return 3
    print(f"--kind {given.kind} --count {given.count} --seed {given.seed}", flush=True)
    began, counts, failed = time.monotonic(), collections.Counter(), 0
    for drawn, what in compared(torch, minigrad, given.kind, given.count, given.seed, counts):
        failed += 1
        print(f"DIFFERS: {drawn}\n    {what}", flush=True)
    print(", ".join([f"{n:,} {name}" for name, n in sorted(counts.items())])
          + f"; {failed} differ; {time.monotonic() - began:.0f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())

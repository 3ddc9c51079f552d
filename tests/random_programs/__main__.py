"""``python -m tests.random_programs --count 10000 --seed 1``: many random programs, and a report.

Each program that fails is printed as short as it can be made, with what is wrong.  The exit status is 1 if one fails,
or if something that must occur was too rare.  PyTorch is compared with where it can be imported.
"""

import argparse
import os
import secrets
import sys
import time

# Before anything loads NumPy or PyTorch: their threads wait for each other, and the tensors here are tiny.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from .long_runs import KINDS, installed_torch, shared_out, until_one_fails


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=10_000, help="how many programs (default: 10000)")
    arguments.add_argument("--seed", type=int, help="other seeds are other programs (default: a new one, printed)")
    arguments.add_argument("--alone", action="store_true", help="do not compare with PyTorch, even if it is here")
    arguments.add_argument("--until-one-fails", action="store_true",
                           help="stop at the first that fails, and count nothing")
    arguments.add_argument("--processes", type=int, default=os.cpu_count(),
                           help="how many run their share of the programs (default: one for each core)")
    arguments.add_argument("--kind", choices=[*KINDS], help="only such programs (default: those of "
                           "writes; without PyTorch, half of each kind, since those around the table meet more of its "
                           "differences from minigrad than the rules of the judge know)")
    chosen = arguments.parse_args()
    if chosen.seed is None:
        chosen.seed = secrets.randbelow(10 ** 9)
    print(f"seed {chosen.seed}", flush=True)
    torch = None if chosen.alone else installed_torch()
    kinds = [chosen.kind] if chosen.kind else [*KINDS] if torch is None else ["writes"]
    if chosen.until_one_fails:
        return int(any(until_one_fails(chosen.count // len(kinds), chosen.seed, torch, kind=kind) for kind in kinds))
    return max([run(kind, chosen.count // len(kinds), chosen, torch) for kind in kinds])


def run(kind, count, chosen, torch):
    """The programs of one kind, and the report of them; 1 if something is wrong."""
    start = time.perf_counter()
    failed, counts = shared_out(count, chosen.seed, chosen.alone, chosen.processes, kind)
    print(counts)
    print(f"{failed} of --kind {kind} failed; {time.perf_counter() - start:.0f} s, "
          f"{'compared with torch ' + torch.__version__ if torch else 'without PyTorch'}\n", flush=True)
    for feature in counts.too_rare():
        print(f"too rare: {feature}")
    return 1 if failed or counts.too_rare() else 0


if __name__ == "__main__":
    sys.exit(main())

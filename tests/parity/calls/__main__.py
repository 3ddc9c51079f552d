"""``python -m tests.parity.calls [--share N] [--seed S] [NAME...]``: every call, or each N-th from a random one on.

The exit status is 1 if an answer differs from PyTorch's, and 3 where there is no PyTorch.
"""

import argparse
import collections
import random
import sys
import time

import minigrad

from tests.random_programs.long_runs import installed_torch

from . import calls, known
from .judging import answer, difference


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--share", type=int, default=1, help="only each N-th call")
    arguments.add_argument("--seed", type=int, default=random.randrange(1000), help="with which call to begin")
    arguments.add_argument("names", nargs="*", metavar="NAME")
    given = arguments.parse_args()
    torch = installed_torch()
    if torch is None:
        print("PyTorch is not installed here, and nothing can be compared.")
        return 3
    print(f"--share {given.share} --seed {given.seed}", flush=True)
    began, counts, failed = time.monotonic(), collections.Counter(), False
    for namespace, names in calls.names(torch, minigrad).items():
        chosen = [name for name in names if not given.names or name in given.names]
        for call, tensor, what in compared(torch, namespace, chosen, given.share, given.seed, counts):
            failed = True
            print(f"DIFFERS: {call}  for x = {tensor}\n    {what}", flush=True)
    print("{answered:,} of {calls:,} calls were answered by both, {alike:,} of them alike, and {known:,} differ as "
          "known; {ours:,} were answered by minigrad alone, {theirs:,} by PyTorch alone; {seconds:.0f} s"
          .format_map(collections.defaultdict(int, counts, seconds=time.monotonic() - began)))
    return int(failed)


def compared(torch, namespace, names, share, seed, counts):
    """Yields (call, tensor, what differs) for each answer that must not differ."""
    for number, (name, call, tensor, leaf) in enumerate(
            [(name, *each) for name in names for each in calls.calls(namespace, name)]):
        if (number + seed) % share:
            continue
        counts["calls"] += 1
        theirs, ours = answer(torch, call, tensor, leaf), answer(minigrad, call, tensor, leaf)
        if theirs.error or ours.error:
            counts["both refused" if theirs.error and ours.error else "ours" if theirs.error else "theirs"] += 1
            continue
        counts["answered"] += 1
        what = difference(torch, theirs, minigrad, ours)
        if what is None:
            counts["alike"] += 1
        elif known.reason(name, what):
            counts["known"] += 1
        else:
            yield call, tensor, what


if __name__ == "__main__":
    sys.exit(main())

"""``python -m tests.programs --count 10000 --seed 1``: many random programs, and a report.

Each program that fails is printed as short as it can be made, with what is wrong.  The exit status is 1 if one fails,
or if something that must occur was too rare.  PyTorch is compared with where it can be imported.
"""

import argparse
import importlib.util
import random
import re
import sys
import time

import minigrad

from .counting import Counts
from .examining import examine, shortest
from .writing import LENGTH, write


def long_run(count, seed, torch, most=20, say=print):
    """(how many failed, the counts): the first ``most`` that fail are shown, each kind once."""
    counts, failed, shown = Counts(), 0, set()
    for number in range(count):
        program = drawn(seed, number)
        examination = examine(program, minigrad, torch)
        counts.add(examination.features)
        if examination.wrong:
            failed += 1
            if (kind := kind_of(examination.wrong)) not in shown and len(shown) < most:
                shown.add(kind)
                short = shortest(program, lambda p, kind=kind: kind_of(examine(p, minigrad, torch).wrong) == kind)
                say(f"--- program {number} of seed {seed}\n{examine(short, minigrad, torch)}\n")
    return failed, counts


def until_one_fails(count, seed, torch, say=print):
    """Whether one failed; its number is said, and the program, as short as it can be made."""
    for number in range(count):
        program = drawn(seed, number)
        if examine(program, minigrad, torch).wrong:
            short = shortest(program, lambda p: bool(examine(p, minigrad, torch).wrong))
            say(f"program {number} of seed {seed}\n{examine(short, minigrad, torch)}")
            return True
    return False


def drawn(seed, number):
    """A program; the same for the same numbers."""
    return write(random.Random(f"{seed}/{number}").randbytes(LENGTH))


def kind_of(wrong):
    """What went wrong, without the instruction, the names and the numbers."""
    return re.sub(r"instruction \d+, (['\"]).*?\1: |[-\d\[\]. j+]+", "", wrong, flags=re.DOTALL)[:60]


def installed_torch():
    """PyTorch, if it is installed."""
    return importlib.import_module("torch") if importlib.util.find_spec("torch") else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=10_000, help="how many programs (default: 10000)")
    arguments.add_argument("--seed", type=int, default=0, help="other seeds are other programs")
    arguments.add_argument("--alone", action="store_true", help="do not compare with PyTorch, even if it is here")
    arguments.add_argument("--until-one-fails", action="store_true",
                           help="stop at the first that fails, and count nothing")
    chosen = arguments.parse_args()
    torch = None if chosen.alone else installed_torch()
    if chosen.until_one_fails:
        return 1 if until_one_fails(chosen.count, chosen.seed, torch) else 0
    start = time.perf_counter()
    failed, counts = long_run(chosen.count, chosen.seed, torch)
    print(counts)
    print(f"{failed} failed; {time.perf_counter() - start:.0f} s, "
          f"{'compared with torch ' + torch.__version__ if torch else 'without PyTorch'}")
    for feature in counts.too_rare():
        print(f"too rare: {feature}")
    return 1 if failed or counts.too_rare() else 0


if __name__ == "__main__":
    sys.exit(main())

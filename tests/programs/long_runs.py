"""Programs by the thousand, in several processes: ``python -m tests.programs``."""

import importlib.util
import multiprocessing
import random
import re
from concurrent.futures import ProcessPoolExecutor

import minigrad

from .counting import Counts
from .examining import examine, shortest
from .writing import LENGTH, write

__all__ = ["installed_torch", "long_run", "shared_out", "until_one_fails"]


def long_run(numbers, seed, torch, most=20, say=print):
    """(how many failed, the counts): the first ``most`` that fail are shown, each kind once."""
    counts, failed, shown = Counts(), 0, set()
    for number in numbers:
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


def shared_out(count, seed, alone, processes):
    """(how many failed, the counts): ``long_run`` in several processes, of which each runs its share."""
    shares = [range(first, count, processes) for first in range(processes)]
    counts, failed = Counts(), 0
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for wrong, found in pool.map(share, shares, [seed] * processes, [alone] * processes):
            failed += wrong
            counts.join(found)
    return failed, counts


def share(numbers, seed, alone):
    """``long_run`` in a process of its own, which loads PyTorch itself."""
    return long_run(numbers, seed, None if alone else installed_torch())


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

"""Programs by the thousand, in several processes: ``python -m tests.random_programs``."""

import dataclasses
import importlib.util
import multiprocessing
import random
import re
import tempfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Callable

import minigrad

from .counting import MUST_OCCUR, MUST_OCCUR_AROUND_THE_TABLE, Counts
from .examining import examine, shortest
from .table_calls import CALLS
from .table_judging import examine_table
from .table_writing import write_table
from .tangents import MUST_OCCUR_IN_FORWARD_MODE, examine_tangents
from .transformed import MUST_OCCUR_IN_TRANSFORMS, examine_transformed
from .writing import LENGTH, write

__all__ = ["KINDS", "Kind", "installed_torch", "long_run", "shared_out", "until_one_fails"]


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of programs: how one is drawn from two numbers, how it is examined, and what must occur."""

    drawn: Callable
    examine: Callable
    must_occur: list
    must_be_called: tuple = ()

    def counts(self):
        return Counts(self.must_occur, self.must_be_called)


def write_one(seed, number):
    return write(random.Random(f"{seed}/{number}").randbytes(LENGTH))


KINDS = {
    "writes": Kind(write_one, examine, MUST_OCCUR),
    "transforms": Kind(write_one, examine_transformed, MUST_OCCUR_IN_TRANSFORMS),
    "tangents": Kind(write_one, examine_tangents, MUST_OCCUR_IN_FORWARD_MODE),
    "table": Kind(lambda seed, number: write_table(f"{seed}/{number}"), examine_table, MUST_OCCUR_AROUND_THE_TABLE,
                  tuple(CALLS)),
}

#: How many programs one process runs at most.
SHARE = 20_000


def long_run(numbers, seed, torch, most=20, say=print, kind="writes", note=lambda number: None):
    """(how many failed, the counts): the first ``most`` that fail are shown, each kind of failure once.

    ``note`` is told of each number before its program runs.
    """
    kind = KINDS[kind]
    counts, failed, shown = kind.counts(), 0, set()
    for number in numbers:
        note(number)
        program = kind.drawn(seed, number)
        examination = kind.examine(program, minigrad, torch)
        counts.add(examination.features, examination.called)
        if examination.wrong:
            failed += 1
            what = kind_of(examination.wrong)
            if what in shown or len(shown) == most:
                say(f"--- program {number} of seed {seed} fails, too")
            else:
                shown.add(what)
                short = shortest(program, lambda p, what=what: kind_of(kind.examine(p, minigrad, torch).wrong) == what)
                say(f"--- program {number} of seed {seed}\n{kind.examine(short, minigrad, torch)}\n")
    return failed, counts


def shared_out(count, seed, alone, processes, kind="writes"):
    """(how many failed, the counts): ``long_run`` in several processes, of which each runs its share.

    A process ends after ``SHARE`` programs, since some of them close cycles that nothing frees, in PyTorch either.
    """
    counts, failed, size = KINDS[kind].counts(), 0, max(1, min(SHARE, -(-count // processes)))
    with tempfile.TemporaryDirectory() as folder:
        shares = [(range(first, min(first + size, count)), seed, alone, kind, Path(folder) / str(first))
                  for first in range(0, count, size)]
        try:
            with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
                for (numbers, *_), (wrong, found) in zip(shares, pool.map(share, *zip(*shares))):
                    failed += wrong
                    counts.join(found)
                    if len(shares) > processes:
                        print(f"{numbers.stop:,} of {count:,} programs, {failed} failed", flush=True)
        except BrokenProcessPool as e:
            last = " or ".join([path.read_text() for *_, path in shares if path.exists()])
            raise RuntimeError(f"a process has ended: in program {last} of seed {seed}, --kind {kind}") from e
    return failed, counts


def share(numbers, seed, alone, kind, path):
    """``long_run`` in a process of its own, which loads PyTorch itself, and says in a file where it is."""
    with path.open("w") as file:
        def note(number):
            file.seek(0)
            file.write(f"{number}")
            file.flush()
        return long_run(numbers, seed, None if alone else installed_torch(), kind=kind, note=note)


def until_one_fails(count, seed, torch, say=print, kind="writes"):
    """Whether one failed; its number is said, and the program, as short as it can be made."""
    kind = KINDS[kind]
    for number in range(count):
        program = kind.drawn(seed, number)
        if kind.examine(program, minigrad, torch).wrong:
            short = shortest(program, lambda p: bool(kind.examine(p, minigrad, torch).wrong))
            say(f"program {number} of seed {seed}\n{kind.examine(short, minigrad, torch)}")
            return True
    return False


def kind_of(wrong):
    """What went wrong, without the instruction, the names and the numbers."""
    wrong = re.sub(r"instruction \d+, (['\"]).*?\1: ", "", wrong, flags=re.DOTALL)
    wrong = re.sub(r"^(['\"]).*?\1:? ", "", wrong, flags=re.DOTALL)
    return re.sub(r"\b[a-z]+\d+\b|[-\d\[\]. j+]+", "", wrong)[:60]


def installed_torch():
    """PyTorch, if it is installed."""
    return importlib.import_module("torch") if importlib.util.find_spec("torch") else None

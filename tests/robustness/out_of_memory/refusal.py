"""Two ways to refuse allocations, and the sweep: the n-th, for n from the first to the last, and what is found.

`Python` refuses what the interpreter allocates (``_testcapi.set_nomemory``); `C` refuses whatever asks the C library,
which is NumPy, LAPACK and the core as well, and with ``PYTHONMALLOC=malloc`` the interpreter, too.
"""

import ctypes
import gc
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.robustness.out_of_memory import afterwards, known, tracing

SOURCE = Path(__file__).with_name("counting.c")
LIMIT = 60                      # seconds for one attempt
NEVER = 1 << 40                 # allocations
IN_A_ROW = 20
ROUNDS, MOST_ROUNDS = 50, 20    # how often an allocation is refused to see what leaks: in a round, and rounds of that


def note_crashes():
    """If the library that counts is loaded, it notes who crashes."""
    loaded = ctypes.CDLL(None)
    if hasattr(loaded, "note_crashes"):
        loaded.note_crashes()


class Python:
    def __init__(self):
        from _testcapi import remove_mem_hooks, set_nomemory

        self.begin, self.end, self.callers = set_nomemory, remove_mem_hooks, tuple

    def count(self, scenario):
        """About how many allocations there are: where more are left, refusing several in a row makes it raise."""
        low, high = 0, 1
        while attempt(scenario, self, high, high + IN_A_ROW)[1] is not None:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if attempt(scenario, self, middle, middle + IN_A_ROW)[1] is None:
                high = middle
            else:
                low = middle
        return low


class C:
    def __init__(self):
        self.notes = ctypes.POINTER(tracing.Notes).in_dll(ctypes.CDLL(None), "allocation_notes").contents

    def begin(self, n, beyond):
        notes = self.notes
        notes.seen = notes.refused = notes.depth = 0
        notes.first, notes.beyond = n, beyond
        notes.on = 1

    def end(self):
        self.notes.on = 0

    def callers(self):
        return self.notes.callers[:self.notes.depth]

    def count(self, scenario):
        _, error = attempt(scenario, self, NEVER, NEVER)
        assert error is None, error
        return self.notes.seen


def attempt(scenario, way, n, beyond):
    """What it returned, in a tuple, or what it raised: (result, error)."""
    scenario.prepare()
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    way.begin(n, beyond)
    try:
        result = scenario.run()
    except BaseException as e:
        way.end()
        return None, e
    finally:
        way.end()
        signal.setitimer(signal.ITIMER_REAL, 0)
    return (result,), None


@dataclass
class Found:
    """What a sweep has found."""
    name: str
    attempts: int = 0
    raised: int = 0
    wrong: dict = field(default_factory=dict)           # {what: [n, ...]}
    excused: dict = field(default_factory=dict)         # {what of known.py: how often}
    met: list = field(default_factory=list)             # the functions that were running, as addresses; modules later

    def excuse(self, reason):
        self.excused[reason] = self.excused.get(reason, 0) + 1


def leaked(scenario, way, n, span):
    """How many pieces of memory more there are after a round of refusing the same allocation, and who were refused.

    What is kept for the next objects, up to a limit, grows for some rounds; a leak goes on.  Since what is kept need
    not be allocated, the n-th may be another one each time.
    """
    more, callers = ROUNDS, set()
    for _ in range(MOST_ROUNDS):
        if more < ROUNDS:
            break
        gc.collect()
        before = way.notes.alive
        callers = set()
        for _ in range(ROUNDS):
            attempt(scenario, way, n, n + span)
            callers.add(tuple(way.callers()))
        gc.collect()
        more = way.notes.alive - before
    return more, [tracing.names(each) for each in callers if more >= ROUNDS]


def sweep(scenario, way, span, numbers, note, before, leaks=False):
    """Refuse ``span`` allocations from the n-th on, for each of the numbers (a function of how many there are).

    ``before`` is what must be as before: (switches, gradients).  It ends with the first that leaves something wrong
    behind, since later ones would be found wrong because of it.
    """
    found, met = Found(scenario.name), set()
    for _ in range(3):                          # what is made once is made
        scenario.prepare()
        scenario.run()
    scenario.expected
    for n in numbers(way.count(scenario)):
        note(n)
        result, error = attempt(scenario, way, n, n + span)
        found.attempts += 1
        found.raised += error is not None
        met.update(way.callers())
        wrong = [*of_modes(found, before[0]), *of_error(found, error)]
        ours = isinstance(error, MemoryError)   # who forgets to say so may forget to free, too
        error = None
        wrong = wrong or [*scenario.faults(result)] or afterwards.other_gradients(before[1])
        result = None
        if leaks and ours and not wrong:
            wrong = of_memory(found, *leaked(scenario, way, n, span))
        if wrong:
            found.wrong = {what: [n] for what in wrong}
            break
        if found.attempts % 500 == 0:
            gc.collect()
    found.met = list(met)
    return found


def of_modes(found, switched):
    """Which modes are not as before."""
    other = {name: value for name, value in afterwards.switches().items() if value != switched[name]}
    reason = known.left(other)
    if reason is None:
        return [f"{name}: {value}" for name, value in other.items()]
    found.excuse(reason)
    np.seterr(**dict(zip(np.geterr(), switched["NumPy"])))
    return []


def of_error(found, error):
    """The error, if it is none of memory."""
    if error is None or isinstance(error, MemoryError):
        return []
    reason = known.error(error)
    if reason is None:
        return [f"{type(error).__name__}: {error}"]
    found.excuse(reason)
    return []


def of_memory(found, more, callers):
    """What is lost, if it is ours."""
    if more < ROUNDS:
        return []
    reasons = [reason for each in callers if (reason := known.leak(each))]
    if not reasons:
        return [f"{more} pieces of memory more after {ROUNDS} times; refused: {' < '.join(callers[0][1:9])}"]
    found.excuse(reasons[0])
    return []


# ------------------------------------------------------------------------------ the library that counts

def compiler():
    """The command of a C compiler, or None."""
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    return command if shutil.which(command[0]) else None


def built(folder):
    """(the path of the compiled library, None), or (None, why there is none)."""
    command, library = compiler(), Path(folder, "counting.so")
    if not sys.platform.startswith("linux"):
        return None, "LD_PRELOAD is of Linux"
    if "LD_PRELOAD" in os.environ:
        return None, "another library is loaded before all others"
    if command is None:
        return None, "there is no C compiler"
    made = subprocess.run([*command, "-O2", "-shared", "-fPIC", "-o", library, SOURCE], capture_output=True, text=True)
    if made.returncode:
        return None, f"the library that counts does not compile: {made.stderr.strip()[-300:]}"
    tried = subprocess.run([sys.executable, "-c", "import ctypes; ctypes.c_void_p.in_dll(ctypes.CDLL(None), "
                            "'allocation_notes')"], env={**os.environ, "LD_PRELOAD": str(library)}, capture_output=True,
                           text=True)
    return (None, f"it cannot be loaded: {tried.stderr.strip()[-300:]}") if tried.returncode else (library, None)

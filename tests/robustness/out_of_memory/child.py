"""The process that sweeps: a line of JSON for each scenario when it begins, and another when it is done."""

import faulthandler
import gc
import json
import mmap
import os
import random
import signal
import struct
import sys
import warnings
from dataclasses import asdict
from pathlib import Path

from tests.robustness.out_of_memory import afterwards, planted, refusal, scenarios, tracing


def main(given):
    os.environ.pop("LD_PRELOAD", None)
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda unraisable: None        # a generator that is closed in an error may hear of it
    out = sys.stdout                                    # who puts it back for a while may be refused memory for that
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, chain=True)
    refusal.note_crashes()
    if given["plant"]:
        planted.FAULTS[given["plant"]].plant()
    way, folder = getattr(refusal, given["class"])(), Path(given["folder"])
    wanted = {scenario.name: scenario for scenario in scenarios.of(given["kinds"])}
    before = afterwards.switches(), afterwards.gradients()
    gc.collect()
    gc.freeze()
    gc.disable()
    with open(folder / "progress", "r+b") as file:
        progress = mmap.mmap(file.fileno(), 8)

    def note(n):
        struct.pack_into("q", progress, 0, n)

    first = given["first"]
    for name in given["names"]:
        (folder / "maps").write_text(Path("/proc/self/maps").read_text() if os.path.exists("/proc/self/maps") else "")
        note(0)
        print(json.dumps([name]), file=out, flush=True)
        found = refusal.sweep(wanted[name], way, given["span"], numbers(given, first), note, before, given["leaks"])
        sys.stdout, first = out, 0
        found.met = sorted({module for each in found.met if (module := tracing.module_at(each, folder))})
        print(json.dumps([name, asdict(found)]), file=out, flush=True)
        if found.wrong:
            break                               # another process will do the rest


def numbers(given, first):
    """Which allocations are refused, as a function of how many there are."""
    def some(total):
        every = max(1, total // given["most"]) if given["most"] else 1
        return range(first or 1 + random.Random(given["seed"]).randrange(every), total + 3, every)

    return some


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

"""``python -m tests.robustness.fuzzing --minutes 5``: read hostile inputs of all kinds, and say what went wrong.

The inputs are read in a process of its own, so that one that crashes it or never ends is found too.  The exit status is
1 if something went wrong.  SEED in the environment, or --seed, makes the same inputs again.
"""

import argparse
import codecs
import io
import json
import os
import pkgutil
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

MOST = 100                      # failures, after which the rest says little more
ROOT = Path(__file__).resolve().parents[3]


def hunt(seed, seconds, plant=None, only=None, kinds=None):
    """(how many inputs of each kind were read, how many of these were refused, [what went wrong])"""
    with tempfile.TemporaryDirectory() as folder:
        order = json.dumps([seed, seconds, plant, only, kinds, folder])
        code = "from tests.robustness.fuzzing.__main__ import child; child()"
        ran = subprocess.run([sys.executable, "-c", code, order],
                             cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
                             timeout=seconds + 120)
        place = Path(folder, "place")
        if ran.returncode:
            at = place.read_text() if place.exists() else "none"
            return Counter(), Counter(), [f"input {at}: the process ended with {ran.returncode}: {ran.stderr[-2000:]}"]
        read, refused, wrong = json.loads(ran.stdout.splitlines()[-1])
        return Counter(read), Counter(refused), wrong


def child():
    seed, seconds, plant, only, wanted, folder = json.loads(sys.argv[1])
    import signal

    import minigrad
    from minigrad import __main__ as command

    from . import planted
    from .inputs import KINDS
    from .watching import Watch, bound_memory, late

    inside = Path(folder, "inside")
    inside.mkdir()
    os.chdir(inside)
    (Path(folder) / "canary.py").write_text("open('sang', 'w')\n")
    sys.path.append(folder)                         # what a file names could be imported from here
    signal.signal(signal.SIGPROF, late)
    watch = Watch(inside)
    kinds = [kind for kind in KINDS if not wanted or kind.name in wanted]
    # so that all modules are there, those of Python's codecs too, and valid inputs are read
    for codec in ("raw-unicode-escape", "unicode-escape", "latin-1", "ascii"):
        codecs.lookup(codec)
    for module in pkgutil.walk_packages(minigrad.__path__, "minigrad."):
        if not module.name.endswith("__main__"):
            try:
                import_module(module.name)
            except ModuleNotFoundError as missing:      # a package need not be there, minigrad must
                if str(missing.name).partition(".")[0] == "minigrad":
                    raise
    with redirect_stdout(io.StringIO()):
        command.main(["explain", "MG101"])
    for kind in KINDS:
        if problem := tried(kind, random.Random(0), False, inside, None)[1]:
            raise SystemExit(f"{kind.name}: a valid input: {problem}")
    if plant:
        planted.FAULTS[plant].plant()
    bound_memory()
    read, refused, wrong = Counter(), Counter(), []
    number, end = only or 0, time.monotonic() + seconds
    with open(Path(folder, "place"), "w", buffering=1) as place:
        while time.monotonic() < end and len(wrong) < MOST:
            kind = kinds[number % len(kinds)]
            place.seek(0)
            place.write(f"{number:<10}")
            said, problem = tried(kind, random.Random(f"{seed}/{number}"), True, inside, watch)
            read[kind.name] += 1
            refused[kind.name] += said
            if problem:
                wrong.append(f"seed {seed}, input {number} ({kind.name}): {problem}")
            if only is not None or plant and wrong and planted.FAULTS[plant].shown in wrong[-1]:
                break
            number += 1
    print(json.dumps([read, refused, wrong]))


def tried(kind, rng, harm, folder, watch):
    """(whether the input was refused, what went wrong)"""
    from contextlib import nullcontext

    from minigrad._core.errors import MinigradError

    from .inputs import put
    from .watching import Harm

    made = kind.make(rng, harm)
    put(kind, made, folder)
    try:
        with watch.reading(kind.allowed) if watch else nullcontext():
            found = kind.read(made, folder)
    except Harm as harmful:
        return False, f"it did harm: {harmful}"
    except kind.errors as refusal:
        if isinstance(refusal, MinigradError) and kind.codes and refusal.code not in kind.codes:
            return True, f"{refusal.code} is not promised: {refusal}"
        return True, None if harm else f"it is refused: {refusal}"
    except BaseException as failure:
        return False, described(failure)
    try:
        kind.check(made, found, folder)
    except Exception as failure:
        return False, described(failure)
    return False, None


def described(failure):
    import traceback

    frames = traceback.extract_tb(failure.__traceback__)[-3:]
    where = ", ".join([f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames])
    return f"{type(failure).__name__}: {failure!s:.300} ({where})"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--minutes", type=float, default=1)
    arguments.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or random.randrange(1 << 32)))
    arguments.add_argument("--only", type=int, help="the number of one input")
    given = arguments.parse_args()
    print(f"SEED={given.seed}", flush=True)
    read, refused, wrong = hunt(given.seed, 60 * given.minutes, only=given.only)
    for kind, count in read.items():
        print(f"{count:9,} {kind}, of which {refused[kind]:,} were refused")
    print(f"{sum(read.values()):9,} in all")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

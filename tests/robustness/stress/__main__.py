"""``python -m tests.robustness.stress [--minutes M] [NAME...]``: the long runs, and what went wrong in them.

The minutes are shared by the runs under load; the others are as long as their nodes or rounds take.  The exit status is
1 if something went wrong.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STACK = 512                     # kilobytes: too few for recursion over a graph
NODES, ROUNDS = 5_000_000, 20_000
MOST = 3600                     # seconds for a run that has no end of its own


def runs():
    """{name: (the function, "seconds" or "nodes" or "rounds")}"""
    from . import depth, lifetimes, load

    return {**{run.__name__: (run, "seconds") for run in load.RUNS},
            **{run.__name__: (run, "nodes") for run in depth.RUNS},
            **{f"lives of {body.__name__}": (lifetimes.lives(body), "rounds") for body in lifetimes.SCENARIOS}}


def run(names, amount, plant=None, limit=MOST):
    """(what runs in one process say of themselves, what went wrong or None)"""
    command = [sys.executable, "-c", "from tests.robustness.stress.__main__ import child; child()",
               json.dumps([names, amount, plant])]
    limited = ["sh", "-c", f'ulimit -s {STACK}; exec "$@"', "sh", *command]
    process = subprocess.Popen(limited, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        said, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "", f"it did not end within {limit} s"
    if process.returncode:
        return said.strip(), f"the process ended with {process.returncode}: {errors.strip()[-1500:]}"
    return said.strip(), None


def child():
    import faulthandler

    names, amount, plant = json.loads(sys.argv[1])
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)    # a shell lets what it runs behind ignore it
    if plant:
        from . import planted

        planted.FAULTS[plant].plant()
    for name in names:
        print(runs()[name][0](amount), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--minutes", type=float, default=4)
    arguments.add_argument("names", nargs="*", metavar="NAME", help="of runs, or their beginnings")
    given = arguments.parse_args()
    chosen = {name: unit for name, (_, unit) in runs().items()
              if not given.names or name.startswith(tuple(given.names))}
    timed = max(1, [*chosen.values()].count("seconds"))
    amounts = {"seconds": 60 * given.minutes / timed, "nodes": NODES, "rounds": ROUNDS}
    failed = 0
    for name, unit in chosen.items():
        start = time.monotonic()
        said, wrong = run([name], amounts[unit], limit=MOST + amounts["seconds"])
        print(f"{time.monotonic() - start:7.1f} s  {name}: {wrong or said}", flush=True)
        failed += wrong is not None
    print(f"{len(chosen)} runs, {failed} of them failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())

"""``python -m tests.robustness.races [--seconds S] [--seed N] [MACHINE...]``: the attacks, and those that did harm.

The machines share the seconds, and the attacks of one are in the order of the seed: each gets its share, or where that
would be too short, only the first do.  The exit status is 1 if something went wrong.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SHORTEST = 0.05                 # seconds of one attack by another thread,
SHORTEST_ALONE = 0.01           # and of one that needs none
MOST_MEMORY = 8 << 30           # bytes: what asks for more gets a MemoryError
PATIENCE = 60                   # seconds for an attack to end, and for a process to begin with its first


def run(machine, seconds, seed=0, plant=None, only=""):
    """(how many attacks there were, {the name of one: what it did}), of those whose names begin with `only`."""
    wrong, done, end, names = {}, set(), time.monotonic() + seconds, None
    while names is None or len(done) < len(names) and time.monotonic() < end:
        left = None if names is None else [name for name in names if name not in done]
        share = max(end - time.monotonic(), SHORTEST)
        said, how = process([machine, share, seed, plant, only, left])
        begun = [line["begins"] for line in said if "begins" in line]
        names = next((line["attacks"] for line in said if "attacks" in line), names)
        if names is None:
            raise RuntimeError(f"{machine} did not begin: {how}")
        done.update(begun)
        wrong.update({line["attack"]: line["wrong"] for line in said if "wrong" in line})
        if how and begun:
            wrong[begun[-1]] = how
        if not how or not begun:
            break
    return len(done), wrong


def process(order):
    """What a process says of its attacks, and how it ended, or None where it came to its end."""
    command = [sys.executable, "-W", "ignore", "-X", "faulthandler", "-c",
               "from tests.robustness.races.__main__ import child; child()"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as one:
        try:
            said, errors = one.communicate(json.dumps(order), order[1] + 2 * PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(one.pid, signal.SIGKILL)
            said, errors = one.communicate()
            errors += "it did not end"
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return lines, f"the process ended with {one.returncode}: {errors.strip()[:1500]}" if one.returncode else None


def child():
    """The attacks of one machine, one after the other, each announced before it begins."""
    from . import machines

    machine, seconds, seed, plant, only, left = json.loads(sys.stdin.read())
    if os.environ.get("MINIGRAD_WATCHED"):              # by a sanitizer, which has a map of all memory
        from minigrad._core import planted as watched

        watched.give_numbers_back()
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if plant:
        from . import planted

        planted.FAULTS[plant].plant()
    attacks = {name: begin for name, begin in machines.MACHINES[machine]() if name.startswith(only)}
    if left is None:
        left = sorted(attacks)
        random.Random(seed).shuffle(left)
        say(attacks=left)
    share = max(seconds / max(1, len(left)), SHORTEST_ALONE if machine in machines.ALONE else SHORTEST)
    sys.setswitchinterval(1e-6)
    end = time.monotonic() + seconds
    for name in left:
        if time.monotonic() > end:
            break
        say(begins=name)
        if (wrong := attacked(*attacks[name](), share)) is not None:
            say(attack=name, wrong=wrong)


def say(**line):
    print(json.dumps(line), flush=True)


def attacked(deed, disturb, seconds):
    """What went wrong in `deed` while another thread disturbs; None where it was done, or refused as errors are."""
    from .replacing import REFUSALS

    ended, wrong = threading.Event(), None

    def meddle():
        while not ended.is_set():
            disturb()

    other = threading.Thread(target=meddle, daemon=True)
    end = time.monotonic() + seconds
    other.start()
    try:
        while time.monotonic() < end:
            try:
                deed()
            except REFUSALS:
                pass
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    ended.set()
    other.join(PATIENCE)
    return wrong if not other.is_alive() else "the other thread does not end"


def main():
    from .machines import MACHINES

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--only", default="", metavar="BEGINNING", help="of the names of attacks")
    arguments.add_argument("machines", nargs="*", metavar="MACHINE", help=", ".join(MACHINES))
    given = arguments.parse_args()
    chosen, failed = given.machines or [*MACHINES], 0
    for machine in chosen:
        count, wrong = run(machine, given.seconds / len(chosen), given.seed, only=given.only)
        for name, what in sorted(wrong.items()):
            print(f"{machine}: {name}: {what}", flush=True)
        print(f"{machine}: {count} attacks, {len(wrong)} of them did harm", flush=True)
        failed += len(wrong) + (count == 0)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

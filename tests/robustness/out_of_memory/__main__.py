"""``python -m tests.robustness.out_of_memory [--way WAY] [--most M] [--seed S] [NAME...]``: refuse each allocation.

Each scenario runs in a process of its own.  Where that crashes, hangs or finds something wrong, it is said, and another
one goes on with the next allocation.  With ``--most M`` only some M of each scenario are refused, at even distances
from a random one on; the seed is printed.  With ``--leaks``, which is for the ways of C, each is refused many times in
turn.  The exit status is 1 if something went wrong that is not in known.py.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from minigrad import _core
from tests.robustness.out_of_memory import known, refusal, scenarios, tracing

ROOT = Path(__file__).resolve().parents[3]
FEW = 25                        # findings, after which the rest of a scenario is left out
MANY = 50                       # in a row: CPython 3.11 unwinds for ever where it is refused for ever
#: who allocates: the class in refusal.py, PYTHONMALLOC, how many are refused from the n-th on
WAYS = {
    "python": ("Python", "", 1), "python-many": ("Python", "", MANY),
    "c": ("C", "malloc", 1), "c-many": ("C", "malloc", MANY),
    "arrays": ("C", "", 1), "arrays-many": ("C", "", MANY),
}


def nothing():
    return {"attempts": 0, "raised": 0, "wrong": {}, "excused": {}, "met": []}


class Run:
    """Sweeps in one way; `results` is {name of a scenario: what refusal.Found says}."""

    def __init__(self, way, kinds, folder, library=None, most=None, seed=0, plant=None, leaks=False, few=FEW):
        self.way, self.kinds, self.folder, self.library = way, kinds, Path(folder), library
        self.most, self.seed, self.plant, self.leaks, self.few = most, seed, plant, leaks, few
        self.results = {}
        (self.folder / "progress").write_bytes(bytes(8))

    def start(self, names, first):
        class_, objects, span = WAYS[self.way]
        given = {"class": class_, "span": span, "kinds": self.kinds, "folder": str(self.folder), "most": self.most,
                 "seed": self.seed, "plant": self.plant, "leaks": self.leaks, "names": names, "first": first}
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1",
                       "MINIGRAD_NUM_THREADS": "2"}
        (self.folder / "notes").unlink(missing_ok=True)         # one that has crashed may have left it on
        if objects:
            environment["PYTHONMALLOC"] = objects
        if self.library is not None:    # in the way of Python, it only says who crashed
            environment |= {"LD_PRELOAD": str(self.library), "MINIGRAD_ALLOCATION_NOTES": str(self.folder / "notes")}
        command = [sys.executable, "-m", "tests.robustness.out_of_memory.child", json.dumps(given)]
        return subprocess.run(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def sweep(self, names):
        """One process for all, and after a crash or a finding another for the rest."""
        left, first = list(names), 0
        while left:
            done = self.start(left, first)
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            if not lines:
                raise RuntimeError(f"the process did not begin: {done.stderr[-3000:]}")
            for name, *found in lines:
                self.add(name, *found)
            name, n = lines[-1][0], int.from_bytes((self.folder / "progress").read_bytes(), "little")
            broken = len(lines[-1]) == 1
            if broken:
                said, reason = self.crash(done)
                self.add(name, {"attempts": 1, **({"excused": {reason: 1}} if reason else {"wrong": {said: [n]}})})
            again = (broken or bool(lines[-1][1]["wrong"])) and n > 0
            again &= sum(map(len, self.results[name]["wrong"].values())) < self.few
            left = left[left.index(name) + (not again):]
            first = n + 1 if again else 0
        return self.results

    def add(self, name, found=None):
        so_far = self.results.setdefault(name, nothing())
        for key, value in (found or {}).items():
            if key in ("attempts", "raised"):
                so_far[key] += value
            elif key == "met":
                so_far[key] = sorted({*so_far[key], *value})
            elif key == "wrong":
                for what, numbers in value.items():
                    so_far[key].setdefault(what, []).extend(numbers)
            elif key == "excused":
                so_far[key] = dict(collections.Counter(so_far[key]) + collections.Counter(value))

    def crash(self, done):
        """(what a process that has ended says, why that is known or None)"""
        said = done.stderr.split("Extension modules:")[0]
        stack = [line.strip() for line in said.splitlines() if "/out_of_memory/child.py" not in line][-6:]
        said = f"exit status {done.returncode}: {' | '.join(stack)}"
        if self.library is None:
            return said, None
        refused, crashed = tracing.traces(self.folder)
        return (f"{said}; refused: {' < '.join(refused[1:9])}; crashed: {' < '.join(crashed[:9])}",
                known.crash(said, refused, crashed))

    def summary(self):
        total = {key: sum(result[key] for result in self.results.values()) for key in ("attempts", "raised")}
        wrong = sum(bool(result["wrong"]) for result in self.results.values())
        excused = sum((collections.Counter(result["excused"]) for result in self.results.values()),
                      collections.Counter())
        met = {module for result in self.results.values() for module in result["met"]}
        said = (f"{self.way}: {len(self.results)} scenarios, {total['attempts']:,} refusals, {total['raised']:,} "
                f"raised, {sum(excused.values()):,} known, {wrong} scenarios went wrong")
        if met:
            compiled = {path.stem for path in Path(_core.__file__).parent.rglob("*.pyx")}
            said += f"; met in {len(met & compiled)} of {len(compiled)} compiled modules, not in " + ", ".join(
                sorted(compiled - met))
        return said, excused, wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--way", choices=WAYS, action="append", help="all, unless named")
    arguments.add_argument("--kind", choices=scenarios.KINDS, action="append", help="all but cases, unless named")
    arguments.add_argument("--together", action="store_true", help="one process for many, as long as it lives")
    arguments.add_argument("--leaks", action="store_true", help="refuse each several times, and count what stays")
    arguments.add_argument("--most", type=int, help="of each scenario")
    arguments.add_argument("--seed", type=int, default=random.randrange(1000))
    arguments.add_argument("names", nargs="*", metavar="NAME")
    given = arguments.parse_args()
    kinds = given.kind or ["functions", "rows", "writes"]
    names = [scenario.name for scenario in scenarios.of(kinds) if not given.names or scenario.name in given.names]
    if given.most:
        print(f"--most {given.most} --seed {given.seed}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        library, why = refusal.built(folder)
        for way in given.way or WAYS:
            if WAYS[way][0] == "C" and library is None:
                print(f"{way}: left out, since {why}")
                continue
            some = [name for name in names if WAYS[way][0] != "C" or name not in known.NOT_IN_C]
            run = Run(way, kinds, folder, library, given.most, given.seed, leaks=given.leaks)
            failed += whole(run, some, given.together)
    return 1 if failed else 0


def whole(run, names, together):
    """Sweep all of them, and say what was found; returns how many went wrong."""
    begun = time.monotonic()
    for some in groups(names, together):
        start = time.monotonic()
        run.sweep(some)
        for name in some:
            for what, numbers in run.results[name]["wrong"].items():
                print(f"WRONG: {run.way} {name} {numbers}: {what}", flush=True)
        result = run.results[some[0]]
        alone = f"{result['attempts']} refusals, {result['raised']} raised {result['excused'] or ''}"
        print(f"{time.monotonic() - start:6.1f} s  {run.way} {some[0]}: "
              f"{f'and {len(some) - 1} more' if some[1:] else alone}", flush=True)
    said, excused, wrong = run.summary()
    print(f"{said}; {time.monotonic() - begun:.0f} s", flush=True)
    for reason, often in excused.most_common():
        print(f"    {often:7,} times {reason}", flush=True)
    return wrong


def groups(names, together):
    """Those that share a process: rows and in-place forms, of which there are many and each is short; or all."""
    alone = [] if together else [[name] for name in names if " " not in name]
    others = names if together else [name for name in names if " " in name]
    return alone + [others[i:i + 200] for i in range(0, len(others), 200)]


if __name__ == "__main__":
    sys.exit(main())

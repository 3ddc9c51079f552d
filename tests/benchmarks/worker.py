"""One group in a process of its own: `python -m tests.benchmarks.worker GROUP [--quick] [--only NAMES]`.

A fresh process gives each group a fresh heap, so that no case is helped or hurt by what ran before it.  Records are
written to the standard output as JSON, one per line, for `__main__` to show; run by hand under a profiler (`perf
record`, `valgrind --tool=callgrind`), with `--only minigrad`, this is also the way to see where the time goes.
"""

import argparse
import importlib
import json

from .contestants import installed
from .timing import Plan, compare


class Session:
    """What a group's `run(session)` is given: the contestants, the plan, and where to put the records."""

    def __init__(self, group, contestants, plan):
        self.group, self.contestants, self.plan = group, contestants, plan

    def emit(self, case, samples, unit="ns", targets=None, bound=None, disturbed=None):
        record = {"group": self.group, "case": case, "unit": unit, "samples": samples, "disturbed": disturbed or {}}
        print(json.dumps(record | {"targets": targets or {}, "bound": bound}), flush=True)

    def race(self, case, loops, per=1, targets=None):
        """Time the loops against each other and emit the record; `per`: how many nodes one repetition stands for."""
        samples, disturbed = compare(loops, self.plan)
        samples = {name: [spent / per for spent in taken] for name, taken in samples.items()}
        self.emit(case, samples, targets=targets, disturbed=disturbed)


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.worker")
    parser.add_argument("group")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", type=lambda names: names.split(","))
    options = parser.parse_args()
    group = importlib.import_module(f"{__package__}.{options.group}")
    group.run(Session(options.group, installed(options.only), Plan(options.quick)))


if __name__ == "__main__":
    main()

"""The command: runs the groups one after the other, each in its own process, and prints the table as it grows."""

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from . import __doc__ as overview
from . import report

# Group: does it want freed memory kept?  Above 64 KiB the C library gives freed blocks back to the system, and touching
# a page again costs more than computing on it; whether that happens is luck, and moves a figure by up to four times.
# Where large arrays are computed with, the heap is therefore kept for all contestants.  Where memory itself is the
# subject (chains), or hardly matters, it is left as every program finds it.
GROUPS = {
    "ops": False,
    "chains": False,
    "mlp": True,
    "convnet": True,
    "models": True,
    "programs": True,
    "rnn": False,
    "attention": True,
    "elementwise": True,
    "hvp": False,
    "transforms": False,
    "watching": False,
    "imports": False,
    "every_op": True,
}
# What the environment of a group says besides: these compare on equal threads.
BESIDES = {group: {"OPENBLAS_NUM_THREADS": "1"} for group in ("convnet", "models", "programs", "every_op")}
KEPT = {"MALLOC_TRIM_THRESHOLD_": str(1 << 32), "MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TOP_PAD_": str(1 << 24)}


def machine():
    """What the figures depend on, for the head of the table and for the records."""
    versions = {}
    for name in ("numpy", "torch", "mygrad", "autograd"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = {"load": round(os.getloadavg()[0], 2)} if hasattr(os, "getloadavg") else {}
    return {"python": platform.python_version(), **versions, "machine": platform.machine(), "cores": cores, **load}


def run_group(group, options, show):
    """Run one group in a child process; `show` receives each record as it comes.  The exit status of the child."""
    command = [sys.executable, "-m", f"{__package__}.worker", group]
    command += ["--quick"] * options.quick + (["--only", options.only] if options.only else [])
    kept = {"auto": GROUPS[group], "kept": True, "system": False}[options.heap]
    environment = {**os.environ, **(KEPT if kept else {}), **BESIDES.get(group, {})}
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=root) as child:
        for text in child.stdout:
            if text.startswith("{"):
                show(json.loads(text) | {"heap": "kept" if kept else "system"})
    return child.returncode


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=overview, formatter_class=raw)
    parser.add_argument("groups", nargs="*", metavar="group", help=f"any of: {' '.join(GROUPS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer, shorter rounds and shorter chains")
    parser.add_argument("--only", metavar="NAMES", help="these contestants alone, e.g. minigrad,torch")
    parser.add_argument("--heap", choices=("auto", "kept", "system"), default="auto", help="keep freed memory?")
    parser.add_argument("--json", metavar="FILE", help="write machine and records, every sample, to FILE")
    options = parser.parse_args()
    unknown = sorted(set(options.groups) - set(GROUPS))
    if unknown:
        parser.error(f"no such group: {', '.join(unknown)}; there are: {', '.join(GROUPS)}")

    about, records, failed = machine(), [], []

    def show(record):
        records.append(record)
        print(report.line(record), flush=True)

    print(", ".join(f"{key} {value}" for key, value in about.items()))
    print(report.header())
    for group in options.groups or GROUPS:
        print(f"-- {group}", flush=True)
        status = run_group(group, options, show)
        if status:  # negative: the number of the signal that ended it; -11 is a crash
            failed.append(f"{group} (exit status {status})")
    print("\n" + report.LEGEND)
    if options.json:
        Path(options.json).write_text(json.dumps({"machine": about, "records": records}, indent=1) + "\n")
    if failed:
        sys.exit(f"These groups did not finish: {', '.join(failed)}")


if __name__ == "__main__":
    main()

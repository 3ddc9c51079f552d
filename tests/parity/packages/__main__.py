"""``python -m tests.parity.packages [WHEEL]``: run published packages with minigrad in place of PyTorch.

minigrad is the wheel, or this tree.  ``--record`` writes what the programs print with PyTorch instead, in an
environment that has torch 2.13 and the packages.  The exit status is 1 if a program prints something else, or a test
that a package ships fails, and 3 if the packages cannot be had.

A run of all programs is written down in last_run.txt by ``--note``; with ``--beside PYTHON``, of an environment that
has torch and the packages, each program also runs there, in turn, and what it takes here is divided by what it takes
there.  ``--drawn NUMBER`` runs three programs of small packages in place of all, and of the packages' own tests.
"""

import argparse
import datetime
import hashlib
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import venv

from tests.parity.printed_programs.printing import difference, tolerance

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS = sorted((HERE / "programs").glob("*/*.py"))
#: those of which the packages need little besides NumPy
SMALL = [path for path in PROGRAMS if path.stem.removeprefix("use_").replace("_", "-") + "==" in
         (HERE / "small.txt").read_text(encoding="utf-8")]
NOTED = HERE / "last_run.txt"
ABSENT = 3


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.parity.packages", description=__doc__)
    parser.add_argument("wheel", nargs="?", help="the wheel to install; without it, the tree is used")
    parser.add_argument("--record", action="store_true", help="write what PyTorch prints")
    parser.add_argument("--note", action="store_true", help="write down in last_run.txt what was found")
    parser.add_argument("--beside", metavar="PYTHON", help="a Python that has torch and the packages, for the times")
    parser.add_argument("--rounds", type=int, default=3, help="how often a program runs here and there, for the times")
    parser.add_argument("--drawn", type=int, metavar="NUMBER", help="run three small programs, which NUMBER decides")
    options = parser.parse_args(arguments)
    if options.record:
        return record(PROGRAMS)
    python = environment(options.wheel, small=options.drawn is not None)
    if python is None:
        return ABSENT
    command, tree = [python, "-m", "minigrad", "run"], not options.wheel
    if options.drawn is not None:
        return int(any([complaint(path, command, tree) for path in drawn(SMALL, options.drawn)]))
    found = {path: complaint(path, command, tree) for path in PROGRAMS}
    shipped = subprocess.run([*command, HERE / "shipped.py"], cwd=tempfile.gettempdir(),
                             env=surroundings(tree)).returncode
    times = {path: times_beside(path, command, [options.beside], options.rounds, tree)
             for path in PROGRAMS} if options.beside else {}
    if options.note:
        NOTED.write_text(note(found, shipped, times), encoding="utf-8")
    return int(any(found.values()) or shipped != 0)


def drawn(programs, number):
    """Three programs, others for each number until all have had their turn."""
    return [programs[(3 * number + k) % len(programs)] for k in range(3)]


def note(found, shipped, times):
    """The text of last_run.txt."""
    lines = [f"# What python -m tests.parity.packages found on {datetime.date.today()}, with Python "
             f"{platform.python_version()}.",
             "# After a program that prints what it prints with PyTorch, where both were timed: the time of the",
             "# processor that it takes, in parts of PyTorch's, without its imports, and with them."]
    for path, complained in found.items():
        ratios = "".join([f" {ratio:.2f}" for ratio in times.get(path, ())])
        lines.append(f"{path.stem} {'differs' if complained else 'equal'}{ratios}")
    return "\n".join([*lines, f"shipped_tests {'fail' if shipped else 'pass'}", ""])


def times_beside(path, ours, theirs, rounds, tree):
    """The time of the processor that a program takes here, in parts of that there: without its imports, and with."""
    taken = {0: [], 1: []}
    for _ in range(rounds):
        for side, command in enumerate((ours, theirs)):
            done = subprocess.run([*command, HERE / "timed.py", path], capture_output=True, text=True,
                                  env=surroundings(tree and not side), cwd=tempfile.gettempdir())
            if done.returncode:
                print(f"{path.stem} is not timed: {done.stderr}", flush=True)
                return ()
            taken[side].append([float(each) for each in done.stderr.splitlines()[-1].split()])
    here, there = [[statistics.median(part) for part in zip(*taken[side])] for side in (0, 1)]
    ratios = tuple([mine / other for mine, other in zip(here, there)])
    print(f"{path.stem}: {here[0]:.2f} s, with PyTorch {there[0]:.2f} s", flush=True)
    return ratios


def environment(wheel, small=False):
    """The Python of an environment with the packages, or with the small ones; None if they cannot be had.

    It is made once for each text of the lists, below build/; a wheel is installed into it anew.
    """
    lists = [HERE / "small.txt"] if small else [HERE / "small.txt", HERE / "large.txt"]
    besides = ["numpy", "scipy", "tqdm"] if small else ["-r", str(HERE / "dependencies.txt")]
    texts = [str(besides), *(path.read_text(encoding="utf-8") for path in [*lists, HERE / "dependencies.txt"])]
    digest = hashlib.sha256("".join([sys.version, *texts]).encode()).hexdigest()[:12]
    folder = ROOT / "build" / f"packages-{digest}"
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    complete = folder / "complete"
    if not complete.exists():
        venv.create(folder, with_pip=True, clear=True)
        for what in (besides, ["--no-deps", *[part for path in lists for part in ("-r", str(path))]]):
            if subprocess.run(install + what).returncode:
                return None
        complete.touch()
    if wheel and subprocess.run([*install, "--no-deps", "--force-reinstall", wheel]).returncode:
        return None
    return python


def surroundings(tree):
    """The environment variables of a program that runs with minigrad from the tree, or with an installed one."""
    path = {"PYTHONPATH": str(ROOT)} if tree else {}
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "OMP_NUM_THREADS": "1", **path}


def printed_by(command, path, tree=False):
    """What the program prints, and the traceback of the error that ended it, or "" if none did."""
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, env=surroundings(tree),
                          cwd=tempfile.gettempdir())
    failed = done.returncode and (done.stderr or f"exit status {done.returncode}")
    return done.stdout, failed or ""


def record(programs):
    """Write what these programs print with PyTorch, but of none that fails; the exit status, 1 if one did."""
    failures = 0
    for path in programs:
        printed, traceback = printed_by([sys.executable], path)
        if traceback:
            failures += 1
            print(f"{path.stem} fails, and is not recorded:\n{traceback}", flush=True)
        else:
            path.with_suffix(".txt").write_text(printed, encoding="utf-8")
    return int(failures > 0)


def complaint(path, command, tree=False):
    """What the program prints otherwise than with PyTorch, or how it fails, which is shown; None if nothing."""
    printed, traceback = printed_by(command, path, tree)
    found = f"fails:\n{traceback}" if traceback else difference(
        printed, path.with_suffix(".txt").read_text(encoding="utf-8"), tolerance(path))
    print(f"{path.stem}: {found or 'prints what it prints with PyTorch'}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

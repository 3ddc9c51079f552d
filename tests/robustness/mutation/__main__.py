"""``python -m tests.robustness.mutation``: plant faults in a copy of minigrad, and see who notices each.

Those that people chose (planted.py) and those of the guards of the core (guards.py) are compiled into one copy, without
optimization, each behind a switch (sources.py).  Then each is tried by its judge (judges.py).  The exit status is 1 if
one is not noticed; if one has no place any more, or the copy cannot be built or imported, since nothing is said then;
and if judges complain with nothing planted.  Every fault has a process of its own, so that a crash is noticed like a
failed test, and so is a loop without an end.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .guards import OF_EACH, chosen_guards, why_equivalent
from .planted import FAULTS
from .sources import NotThere, with_switches

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "minigrad" / "_core"

#: A fault, and where it is: with its number it makes a switch.
Planted = collections.namedtuple("Planted", "name judge place")
#: Who noticed it, or None; what was said; and how long the trial took.
Outcome = collections.namedtuple("Outcome", "noticed text seconds")


def sources_in(folder):
    """The text of each module."""
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.rglob("*.pyx")}


def found(sources, of_each=OF_EACH):
    """Every fault with its place; an error that names all that have none."""
    planted, lost = [], []
    for fault in FAULTS:
        try:
            planted.append(Planted(fault.name, fault.judge, fault.place_in(sources)))
        except NotThere as wrong:
            lost.append(str(wrong))
    if lost:
        raise SystemExit("\n".join([*lost, "Where are these now that the code was changed? Say so in "
                                           "tests/robustness/mutation/planted.py."]))
    return planted + [Planted(spoilt.name, judge, spoilt.place) for spoilt, judge in chosen_guards(sources, of_each)]


# ------------------------------------------------------------------------------ the copy

def copy_to(folder):
    """minigrad as it is built, and what it takes to build it and to try it."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("minigrad", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for objects in ROOT.glob("build/temp.*"):
        shutil.copytree(objects, folder / objects.relative_to(ROOT))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder)


def compiled(folder, module):
    """What the compiler makes of the source of a module, and the library of all of them."""
    return [*folder.glob(f"build/temp.*/**/{module}.o*"), *folder.glob("minigrad/_core.*")]


def compile_with(faults, folder):
    """Build the library with all faults behind switches; ``faults`` maps numbers to places.

    What was built from the changed modules before goes, so that it cannot be tried.
    """
    core = folder / "minigrad" / "_core"
    sources = sources_in(core)
    modules = sorted({place.module for place in faults.values()})
    for module in modules:
        for path in [*core.rglob(f"{module}.c"), *compiled(folder, module)]:
            path.unlink()
        mine = {number: place for number, place in faults.items() if place.module == module}
        next(core.rglob(f"{module}.pyx")).write_text(with_switches(sources[module], mine), encoding="utf-8")
    setup = folder / "setup.py"
    setup.write_text(setup.read_text(encoding="utf-8").replace('"-O3"', '"-O0"'), encoding="utf-8")
    built = subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=folder,
                           capture_output=True, text=True)
    if built.returncode:
        raise SystemExit(f"The copy with the faults does not compile:\n{built.stdout[-4000:]}\n{built.stderr[-2000:]}")
    for module in modules:
        if len(compiled(folder, module)) < 2:
            raise SystemExit(f"{module} was not compiled, so that there is nothing to be noticed in it")


def environment(folder):
    """Of the processes in the copy, in which git finds the commits of what was copied."""
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
            "GIT_DIR": str(ROOT / ".git")}


def check_import(folder):
    """A copy that cannot be imported fails at once, and no fault has anything to do with it."""
    tried = subprocess.run([sys.executable, "-c", "import minigrad"], cwd=folder, env=environment(folder),
                           capture_output=True, text=True)
    if tried.returncode:
        raise SystemExit(f"With switches in it minigrad cannot be imported:\n{tried.stderr[-2000:]}")


# ------------------------------------------------------------------------------ the trials

def judged(judge, numbers, seed, folder, options=()):
    """{number: its outcome}: 0 is a trial with nothing planted."""
    said = folder / f"judged by {judge}"
    said.mkdir()
    command = [sys.executable, "-W", "ignore", "-m", "tests.robustness.mutation.judges", *options, judge, str(seed),
               str(said), "0"]
    ran = subprocess.run([*command, *map(str, numbers)], cwd=folder, env=environment(folder), text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    outcomes = {}
    for number in [0, *numbers]:
        if not (said / f"{number}.ended").exists():
            raise SystemExit(f"{judge}: the trials came to an end before {number}:\n{ran.stdout[-3000:]}")
        how, _, seconds = (said / f"{number}.ended").read_text(encoding="utf-8").rpartition(" ")
        text = (said / f"{number}.said").read_text(encoding="utf-8") if (said / f"{number}.said").exists() else ""
        outcomes[number] = Outcome(None if how == "0" else noticed_by(how, text), text, float(seconds))
    if outcomes[0].noticed:
        raise SystemExit(f"{judge}: {outcomes[0].noticed} with nothing planted, so that it says nothing of faults:\n"
                         f"{outcomes[0].text or ran.stdout[-3000:]}")
    return outcomes


def noticed_by(how, text):
    """In a few words."""
    if program := re.match(r"program (\d+) ", text):
        return f"{int(program[1]) + 1} programs"
    test = text.partition("\n")[0].partition("[")[0].rpartition("/")[2]
    return test or ("no end" if how == "no end" else f"ended with {how}")


def main():
    arguments = argparse.ArgumentParser(prog="python -m tests.robustness.mutation", description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int, default=0, help="other seeds are other random programs")
    arguments.add_argument("--of-each", type=int, default=OF_EACH,
                           help="how many of each idea of guards.py; for more, the judges may be too narrow")
    arguments.add_argument("--all", action="store_true", help="also those that are known to be the same in other words")
    arguments.add_argument("--drawn", action="store_true",
                           help="of the tests, ask those that `make test` runs at this commit; the next has others")
    arguments.add_argument("--show", action="store_true", help="print what each judge said")
    arguments.add_argument("names", nargs="*", help="parts of the names of faults: only these")
    chosen = arguments.parse_args()
    planted = {number: fault for number, fault in enumerate(found(sources_in(SOURCES), chosen.of_each), 1)
               if not chosen.names or any([name in fault.name for name in chosen.names])}
    same = {number for number, fault in planted.items() if why_equivalent(fault.name)}
    if not chosen.all:
        planted = {number: fault for number, fault in planted.items() if number not in same}
        print(f"{len(same)} faults are the same in other words, and not tried.", flush=True)
    return 1 if tried(planted, chosen.seed, chosen.show, ["--drawn"] if chosen.drawn else []) else 0


def tried(planted, seed, show, options=()):
    """Try each fault, with these options for the tests; how many the judges are wrong about."""
    by_judge = collections.defaultdict(list)
    for number, fault in planted.items():
        by_judge[fault.judge].append(number)
    noticed, same, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        copy_to(folder)
        compile_with({number: fault.place for number, fault in planted.items()}, folder)
        check_import(folder)
        for outcomes in pool.map(lambda judge: judged(judge, by_judge[judge], seed, folder, options), by_judge):
            del outcomes[0]
            for number, outcome in outcomes.items():
                why = why_equivalent(planted[number].name)
                if why and outcome.noticed:
                    says = f"WRONG: {outcome.noticed}; and guards.py says that it is the same: {why}"
                    wrong += 1
                elif outcome.noticed:
                    says = outcome.noticed
                    noticed += 1
                else:
                    says = f"the same: {why}" if why else "NOT NOTICED"
                    same += bool(why)
                    wrong += not why
                print(f"{number:4} {planted[number].name}\n     {outcome.seconds:6.2f} s  {says}", flush=True)
                if show and outcome.text:
                    print(outcome.text)
    print(f"{len(planted)} faults: {noticed} noticed, {same} the same in other words, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main())

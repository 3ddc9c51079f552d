"""``python -m tests.faults``: plant each fault in a copy of minigrad, and see how soon random programs catch it.

Faults in kernels are for the test of the two paths of each row (tests/core/test_two_paths.py) instead, and those of
large arrays for their own tests.  The exit status is 1 if one is not caught, by 1000 programs or by those tests; if one
has no place any more, is not compiled, or cannot be imported, since nothing is said of it then; and if programs fail
with nothing planted.  The copy takes along what was compiled, and compiles only the module that is changed, without
optimization: a few seconds.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .planted import FAULTS, Fault, NotThere

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "minigrad" / "_core"
PROGRAMS = 1000
LIMIT = 300                     # seconds: a fault with which the tests do not end is noticed too
NOTHING = Fault("nothing", "", "", "")
# Nobody reads why a test fails with a fault in it; pytest would compare large arrays byte by byte to say it.
PYTEST = ["-m", "pytest", "--maxfail=3", "-q", "-p", "no:cacheprovider", "--tb=no", "--assert=plain"]
JUDGES = {"programs": ["-m", "tests.programs", "--alone", "--until-one-fails", f"--count={PROGRAMS}", "--seed=0"],
          "two paths": [*PYTEST, "tests/core/test_two_paths.py"],
          "large arrays": [*PYTEST, "tests/core/test_threads.py", "tests/core/test_blocks.py"]}
FAILED = {"programs": r"^program (\d+) ", "two paths": r"^(\d+) failed", "large arrays": r"^(\d+) failed"}
UNITS = {"programs": "programs", "two paths": "rows", "large arrays": "tests"}


def copy_to(folder):
    """minigrad as it is built, and what it takes to build it and to try it."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "minigrad", folder / "minigrad", ignore=ignored)
    for objects in ROOT.glob("build/temp.*"):
        shutil.copytree(objects, folder / objects.relative_to(ROOT))
    shutil.copytree(ROOT / "tests" / "programs", folder / "tests" / "programs", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "ops", folder / "tests" / "ops", ignore=ignored)
    (folder / "tests" / "core").mkdir()
    for name in ("conftest.py", "checking.py", "core/test_two_paths.py", "core/test_threads.py", "core/test_blocks.py"):
        shutil.copy2(ROOT / "tests" / name, folder / "tests" / name)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder)


def sources_in(folder):
    """The text of each module."""
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.pyx")}


def without_a_place(faults, sources):
    """What is wrong with each fault that cannot be planted."""
    for fault in faults:
        try:
            fault.planted_in(sources)
        except NotThere as wrong:
            yield str(wrong)


def compiled(folder, module):
    """What the compiler makes of the source of a module, and the library of all of them."""
    return [*folder.glob(f"build/temp.*/**/{module}.o*"), *folder.glob("minigrad/_core.*")]


def compile_with(fault, folder):
    """Build the library with the module changed; what was built from it before goes, so that it cannot be tried."""
    core = folder / "minigrad" / "_core"
    module, changed = fault.planted_in(sources_in(core))
    for path in [*core.glob(f"{module}.c"), *compiled(folder, module)]:
        path.unlink()
    (core / f"{module}.pyx").write_text(changed, encoding="utf-8")
    setup = folder / "setup.py"
    setup.write_text(setup.read_text(encoding="utf-8").replace('"-O3"', '"-O0"'), encoding="utf-8")
    built = subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=folder,
                           capture_output=True, text=True)
    if built.returncode:
        raise SystemExit(f"{fault.name!r} does not compile:\n{built.stdout[-2000:]}\n{built.stderr[-2000:]}")
    if len(compiled(folder, module)) < 2:
        raise SystemExit(f"{fault.name!r}: {module} was not compiled, so that there is nothing to be caught")


def check_import(fault, folder, environment):
    """A copy that cannot be imported fails at the first program, and the fault has nothing to do with it."""
    tried = subprocess.run([sys.executable, "-c", "import minigrad"], cwd=folder, env=environment, capture_output=True,
                           text=True)
    if tried.returncode:
        raise SystemExit(f"{fault.name!r}: with it minigrad cannot be imported:\n{tried.stderr[-2000:]}")


def hunt(fault, seed):
    """(how the fault was noticed, or None; what was printed)"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_to(folder)
        if fault is not NOTHING:
            compile_with(fault, folder)
        command = [sys.executable, *JUDGES[fault.judge], *[f"--seed={seed}"] * (fault.judge == "programs")]
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        check_import(fault, folder, environment)
        try:
            ran = subprocess.run(command, cwd=folder, env=environment, text=True, timeout=LIMIT,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as late:
            return "no end", f"did not end within {LIMIT} s:\n{(late.stdout or b'').decode()}"
    if ran.returncode == 0:
        return None, ""
    found = re.search(FAILED[fault.judge], ran.stdout, re.MULTILINE)
    if not found:
        return "ended", f"ended with status {ran.returncode}:\n{ran.stdout}"
    return f"{int(found[1]) + (fault.judge == 'programs'):4} {UNITS[fault.judge]}", ran.stdout


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int, default=0, help="other seeds are other programs")
    arguments.add_argument("--show", action="store_true", help="print the program that caught each fault")
    arguments.add_argument("names", nargs="*", help="parts of the names of faults: only these")
    chosen = arguments.parse_args()
    faults = [fault for fault in FAULTS if not chosen.names or any([name in fault.name for name in chosen.names])]
    if lost := list(without_a_place(faults, sources_in(SOURCES))):
        raise SystemExit("\n".join([*lost, "Where are these now that the code was changed? Say so in "
                                           "tests/faults/planted.py."]))
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        first, *others = [(fault, pool.submit(hunt, fault, chosen.seed)) for fault in [NOTHING, *faults]]
        noticed, shown = first[1].result()
        if noticed is not None:
            pool.shutdown(cancel_futures=True)
            raise SystemExit(f"Programs fail with nothing planted, so that they say nothing of faults:\n{shown}")
        for fault, future in others:
            noticed, shown = future.result()
            missed += noticed is None
            print(f"{noticed or 'NOT CAUGHT':>14}   {fault.name}", flush=True)
            if shown and (chosen.show or noticed == "no end"):
                print(shown)
    print(f"{len(faults) - missed} of {len(faults)} planted faults were caught: within {PROGRAMS} programs, or by the "
          "tests of kernels.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

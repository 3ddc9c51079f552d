"""``python -m tests.robustness.sanitizers``: build the watched copy in build/checked, and run its tests; other
arguments go to pytest.

Of a test that goes through the whole table of operations, a fifth of the cases is run (``share``), chosen by a seed
that is printed and that is another each time; ``--seed`` repeats a run, and ``--all`` (``make checked ALL=1``) runs
every case.  Where tests are named, they are run whole.

The exit status is 1 if a test fails, if a sanitizer has something to say, or if a planted mistake is not caught.  Where
the compiler has no sanitizers, that is said, and nothing is run.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import sysconfig

from .planted import MISTAKES, SOURCE

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPY = ROOT / "build" / "checked"
TESTS = ["core", "autograd", "func"]
SECONDS = 60                    # of attacks by threads, the collector and options (tests.robustness.races)

#: Marks of tests that do not run here, and names of such tests, with the reason.
MARKS = {
    "slow": "they are long, and ten times as long here",
    "parity": "PyTorch is loaded for them, and is not what is looked at",
}
NAMES = {
    "test_memory_goes_back_to_the_system": "it counts pages of memory, and a sanitizer keeps what was freed",
    "test_threads_leave_nothing_behind": "it counts pages of memory, and a sanitizer keeps what was freed",
    "test_an_array_that_has_died_is_the_next_of_its_shape": "what has died is not kept for the next one",
    "test_where_lapack_gets_no_memory_there_is_a_memory_error": "a sanitizer needs memory too",
    "test_release_gives_them_up": "what has died is not kept for the next one",
}


def main():
    arguments = argparse.ArgumentParser(description="Build the watched copy in build/checked, and run its tests.",
                                        epilog="Other arguments go to pytest.", allow_abbrev=False)
    arguments.add_argument("--all", action="store_true", help="every case of every test")
    arguments.add_argument("--seed", type=int, default=random.randrange(10_000), help="which cases are run")
    chosen, rest = arguments.parse_known_args()
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    library = sanitizer(compiler)
    if library is None:
        print(f"The compiler {' '.join(compiler)!r} has no AddressSanitizer here: the checked build is skipped.")
        return 0
    copy(COPY)
    built = subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=COPY,
                           env={**os.environ, "MINIGRAD_CHECKED": "1"})
    if built.returncode:
        return 1
    watched = environment(library)
    missed = [mistake for mistake in MISTAKES if not is_caught(mistake, watched)]
    print(f"{len(MISTAKES) - len(missed)} of {len(MISTAKES)} planted mistakes were caught.", flush=True)
    for mistake in missed:
        print(f"NOT CAUGHT: {mistake.name}")
    tests = rest or [f"tests/{name}" for name in TESTS]
    if not (chosen.all or rest):
        tests += ["-p", "tests.robustness.sanitizers.share"]
        watched["MINIGRAD_CHECKED_SEED"] = str(chosen.seed)
        print(f"A fifth of the cases of the longest tests, those of --seed={chosen.seed}; --all runs every case.",
              flush=True)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--numprocesses=auto", "--dist=worksteal",
              "-m", none_of(MARKS), "-k", none_of(NAMES), *tests]
    failed = subprocess.run(pytest, cwd=COPY, env=watched).returncode or bool(missed)
    if not rest:
        raced = [sys.executable, "-m", "tests.robustness.races", "--seconds", str(SECONDS), "--seed", str(chosen.seed)]
        failed = subprocess.run(raced, cwd=COPY, env=watched).returncode or failed
    return failed


def none_of(names):
    return " and ".join([f"not {name}" for name in names])


def sanitizer(compiler):
    """The library of the compiler's AddressSanitizer, which must be loaded before Python is;
    None where there is none."""
    try:
        found = subprocess.run([*compiler, "-print-file-name=libasan.so"], capture_output=True,
                               text=True).stdout.strip()
    except OSError:
        return None
    return found if os.path.isabs(found) else None


def copy(folder, without=("*.c", "*.so")):
    """The sources and the tests, as they are now; what was built from sources that have not changed stays."""
    ignored = shutil.ignore_patterns("__pycache__", *without)
    for name in ("minigrad", "tests"):
        for path in [*(folder / name).rglob("*")] if (folder / name).exists() else ():
            # A declaration that was moved would hide the folder of its name.
            if path.suffix in (".py", ".pyx", ".pxd", ".h") and not (ROOT / path.relative_to(folder)).exists():
                path.unlink()
        shutil.copytree(ROOT / name, folder / name, ignore=ignored, dirs_exist_ok=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder)
    planted = folder / "minigrad" / "_core" / "planted.pyx"
    if not planted.exists() or planted.read_text(encoding="utf-8") != SOURCE:
        planted.write_text(SOURCE, encoding="utf-8")


def environment(library):
    return {
        **os.environ,
        "LD_PRELOAD": library,
        "PYTHONMALLOC": "malloc",           # each object is a piece of memory of its own
        "PYTHONPATH": str(COPY),
        "MINIGRAD_WATCHED": "1",
        "MPLBACKEND": "Agg",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }


def is_caught(mistake, watched):
    code = ("import minigrad as torch\nfrom minigrad._core import planted\n"
            f"planted.give_numbers_back()\n{mistake.code}")
    ran = subprocess.run([sys.executable, "-c", code], cwd=COPY, env=watched, capture_output=True, text=True)
    return ran.returncode != 0 and mistake.caught in ran.stderr


if __name__ == "__main__":
    sys.exit(main())

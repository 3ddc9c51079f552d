"""``python -m tests.parity.packages [WHEEL]``: run published packages with minigrad in place of PyTorch.

minigrad is the wheel, or this tree.  ``--record`` writes what the programs print with PyTorch instead, in an
environment that has torch 2.13 and the packages.  The exit status is 1 if a program prints something else, or a test
that a package ships fails, and 3 if the packages cannot be had.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

from tests.parity.printed_programs.printing import difference, tolerance

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS = sorted((HERE / "programs").glob("*/*.py"))
ABSENT = 3


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.parity.packages", description=__doc__)
    parser.add_argument("wheel", nargs="?", help="the wheel to install; without it, the tree is used")
    parser.add_argument("--record", action="store_true", help="write what PyTorch prints")
    options = parser.parse_args(arguments)
    if options.record:
        return record(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder:
        python = environment(pathlib.Path(folder), options.wheel)
        if python is None:
            return ABSENT
        found = [complaint(path, [python, "-m", "minigrad", "run"], not options.wheel) for path in PROGRAMS]
        shipped = subprocess.run([python, "-m", "minigrad", "run", HERE / "shipped.py"], cwd=folder,
                                 env=surroundings(not options.wheel)).returncode
    return int(any(found) or shipped != 0)


def environment(folder, wheel):
    """The Python of a new environment with the packages, or None if they cannot be had."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # what the packages import besides torch
    for what in (["numpy", "scipy", "tqdm", "packaging", "pytest", "parameterized", "pillow",
                  "huggingface_hub", "tokenizers", "safetensors", "regex", "pyyaml", "scikit-learn", "pandas",
                  "matplotlib", "ipython", "tabulate", "psutil", "requests", "aiohttp", "jinja2", "pyparsing", "fsspec",
                  "opt_einsum", "jaxtyping", "plotly", "xxhash", "multipledispatch", "pyre-extensions", "networkx",
                  *([wheel] if wheel else [])],
                 ["--no-deps", "-r", str(HERE / "requirements.txt")]):
        if subprocess.run(install + what).returncode:
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

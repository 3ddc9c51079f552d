"""``python -m tests.repository.wheels FILE ...``: test wheels in clean environments, outside the clone.

A file is a wheel, or the source distribution, from which a wheel is built for each Python at hand that has none among
the files.  Every wheel meets the oldest NumPy that is supported on its Python, and the newest; with ``--drawn``, only
one of these pairs is tried, which the commit decides.  Each environment says how long ``pip install`` took, holds
nothing but minigrad and NumPy until a small program has run, and then gets pytest for the part of the suite that
``--tests`` names.  The exit status is 1 if anything fails.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: the oldest NumPy for each Python: 2.0, or the first that has wheels for it
OLDEST = {"3.11": "2.0", "3.12": "2.0", "3.13": "2.1", "3.14": "2.3"}
PARTS = ["tests/core", "tests/autograd", "tests/func"]
#: the filters of pyproject.toml, but for warnings: another NumPy and another Python deprecate other things
WARNINGS = ("filterwarnings=error::pytest.PytestUnhandledThreadExceptionWarning\n"
            "error::pytest.PytestUnraisableExceptionWarning")
PROGRAM = """
import sys, minigrad
x = minigrad.tensor([1.0, 2.0], dtype=minigrad.float64, requires_grad=True)
first, = minigrad.autograd.grad((x ** 3).sum(), x, create_graph=True)
second, = minigrad.autograd.grad(first.sum(), x)
assert first.tolist() == [3.0, 12.0] and second.tolist() == [6.0, 12.0], (first, second)
assert minigrad.__file__.startswith(sys.prefix), minigrad.__file__
"""


def pythons():
    """{"3.12": its path} of the Pythons at hand: this one, those on the path, and those of pyenv."""
    found = {".".join(map(str, sys.version_info[:2])): sys.executable}
    for version in OLDEST:
        installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        for path in (shutil.which(f"python{version}"), *map(str, installed)):
            if version not in found and path and works(path, version):
                found[version] = path
    return found


def works(path, version):
    """Does this Python start, and is it of this version?  A name on the path may be a shim of pyenv's for another."""
    asked = subprocess.run([path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True,
                           text=True)
    return asked.stdout.strip() == version


def run(command, folder, **options):
    """Run it in the folder without the clone on its path and without pip's constraints, which name another NumPy."""
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PIP_CONSTRAINT")}
    if shutil.which("ccache") and shutil.which("gcc"):
        surroundings = {"CC": "ccache gcc", "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1", **surroundings}
    return subprocess.run([str(each) for each in command], cwd=folder, env=surroundings, **options)


def pip(python, folder, *arguments):
    run([python, "-m", "pip", "--disable-pip-version-check", *arguments], folder, check=True)


def environment(python, place):
    """The Python of a new virtual environment at this place."""
    run([python, "-m", "venv", place], place.parent, check=True)
    return place / ("Scripts" if os.name == "nt" else "bin") / "python"


def wheel_for(version, python, files, folder):
    """The wheel among the files for this Python, one that is built from the source distribution, or None."""
    tag = "cp" + version.replace(".", "")
    for path in files:
        if path.suffix == ".whl" and f"-{tag}-{tag}-" in path.name:
            return path
    sources = [path for path in files if path.name.endswith(".tar.gz")]
    if not sources:
        return None
    place = folder / tag                        # one path for each Python, relative to which ccache knows all others
    shutil.unpack_archive(sources[0], place)
    source, = place.iterdir()
    inside = environment(python, source / ".venv")
    pip(inside, folder, "install", "--quiet", "setuptools>=77", "numpy>=2.0")
    pip(inside, folder, "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", place, source)
    built, = place.glob("*.whl")
    return built


def tested(version, python, numpy, wheel, tests, folder):
    """Does the wheel work in a new environment with this NumPy?"""
    place = folder / f"{version}-{numpy}"
    python = environment(python, place)
    wanted = "numpy" if numpy == "newest" else f"numpy=={numpy}.*"
    pip(python, folder, "install", "--quiet", "--only-binary", "numpy", wanted)
    start = time.perf_counter()
    pip(python, folder, "install", "--quiet", "--no-index", wheel)
    took = time.perf_counter() - start
    listed = run([python, "-m", "pip", "list", "--format=json"], folder, check=True, capture_output=True, text=True)
    there = {each["name"].lower(): each["version"] for each in json.loads(listed.stdout)}
    if set(there) - {"pip", "setuptools"} != {"minigrad-autograd", "numpy"}:
        print(f"Python {version}: more than minigrad and NumPy is installed: {sorted(there)}")
        return False
    run([python, "-c", PROGRAM], folder, check=True)
    print(f"Python {version}, NumPy {there['numpy']}: installed in {took:.1f} s, imports, differentiates", flush=True)
    if not tests:
        return True
    pip(python, folder, "install", "--quiet", "pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100", "mpmath>=1.3",
        "ml_dtypes>=0.5")
    processes = ["--forks=auto"] if hasattr(os, "fork") else ["--numprocesses=auto"]
    start = time.perf_counter()
    passed = run([python, "-m", "pytest", "-qq", *processes, "--no-header", "--disable-warnings", "-p",
                  "no:cacheprovider", "-p", "no:logging", "-o", WARNINGS, *tests], folder / "suite").returncode == 0
    print(f"Python {version}, NumPy {there['numpy']}: {' '.join(tests)} {'passed' if passed else 'failed'} after "
          f"{time.perf_counter() - start:.0f} s", flush=True)
    return passed


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.repository.wheels", description=__doc__)
    parser.add_argument("files", nargs="+", type=lambda name: Path(name).resolve(), help="wheels, or the sdist")
    parser.add_argument("--tests", nargs="*", default=PARTS, help=f"what pytest runs; without it {' '.join(PARTS)}")
    parser.add_argument("--only", help="one version of Python, such as 3.12")
    parser.add_argument("--numpy", choices=["oldest", "newest"], help="one of the two; without it both")
    parser.add_argument("--drawn", action="store_true", help="one of the pairs that are left, drawn from the commit")
    options = parser.parse_args(arguments)
    at_hand, failed = pythons(), []
    versions = [options.only] if options.only else list(OLDEST)
    for version in sorted(set(versions) - set(at_hand)):
        print(f"Python {version} is not here: skipped.", flush=True)
    pairs = [(version, which) for version in versions if version in at_hand
             for which in ([options.numpy] if options.numpy else ["oldest", "newest"])]
    if options.drawn and pairs:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
        pairs = random.Random(commit).sample(pairs, 1)
    with tempfile.TemporaryDirectory() as name:
        folder, wheels = Path(name), {}
        shutil.copytree(ROOT / "tests", folder / "suite" / "tests")
        shutil.copy(ROOT / "pyproject.toml", folder / "suite")
        for version, which in pairs:
            if version not in wheels:
                wheels[version] = wheel_for(version, at_hand[version], options.files, folder)
            if wheels[version] is None:
                print(f"Python {version} has no wheel among the files, and there is no sdist to build one: skipped.")
                continue
            numpy = OLDEST[version] if which == "oldest" else which
            if not tested(version, at_hand[version], numpy, wheels[version], options.tests, folder):
                failed.append(f"Python {version} with NumPy {numpy}")
    print(f"Failed: {', '.join(failed)}" if failed else "All of them work.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

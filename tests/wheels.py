"""``python -m tests.wheels FILE ...``: install wheels in clean environments, and test them there, outside the clone.

A file is a wheel, or the source distribution, from which a wheel is built for each Python at hand that has none among
the files.  Every wheel meets the oldest NumPy that is supported on its Python, and the newest.  Each environment says
how long ``pip install`` took, holds nothing but minigrad and NumPy until a small program has run, and then gets
pytest for the part of the suite that ``--tests`` names.  The exit status is 1 if anything fails.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: the oldest NumPy for each Python: 2.0, or the first that has wheels for it
OLDEST = {"3.11": "2.0", "3.12": "2.0", "3.13": "2.1", "3.14": "2.3"}
PARTS = ["tests/core", "tests/autograd", "tests/func"]
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
        surroundings.setdefault("CC", "ccache gcc")
    return subprocess.run([str(each) for each in command], cwd=folder, env=surroundings, **options)


def pip(python, folder, *arguments):
    run([python, "-m", "pip", "--disable-pip-version-check", *arguments], folder, check=True)


def wheel_for(version, python, files, folder):
    """The wheel among the files for this Python, one that is built from the source distribution, or None."""
    tag = "cp" + version.replace(".", "")
    for path in files:
        if path.suffix == ".whl" and f"-{tag}-{tag}-" in path.name:
            return path
    sources = [path for path in files if path.name.endswith(".tar.gz")]
    if not sources:
        return None
    pip(python, folder, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder / tag, sources[0])
    built, = (folder / tag).glob("*.whl")
    return built


def tested(version, python, numpy, wheel, tests, folder):
    """Does the wheel work in a new environment with this NumPy?"""
    place = folder / f"{version}-{numpy}"
    run([python, "-m", "venv", place], folder, check=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
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
    pip(python, folder, "install", "--quiet", "pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100", "mpmath>=1.3")
    return run([python, "-m", "pytest", "-q", "-n", "2", "--no-header", "-p", "no:cacheprovider", *tests],
               folder / "suite").returncode == 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.wheels", description=__doc__)
    parser.add_argument("files", nargs="+", type=lambda name: Path(name).resolve(), help="wheels, or the sdist")
    parser.add_argument("--tests", nargs="*", default=PARTS, help=f"what pytest runs; without it {' '.join(PARTS)}")
    parser.add_argument("--only", help="one version of Python, such as 3.12")
    options = parser.parse_args(arguments)
    at_hand, failed = pythons(), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "tests", folder / "suite" / "tests")
        shutil.copy(ROOT / "pyproject.toml", folder / "suite")
        for version in [options.only] if options.only else OLDEST:
            if version not in at_hand:
                print(f"Python {version} is not here: skipped.", flush=True)
                continue
            wheel = wheel_for(version, at_hand[version], options.files, folder)
            if wheel is None:
                print(f"Python {version} has no wheel among the files, and there is no sdist to build one: skipped.")
                continue
            for numpy in (OLDEST[version], "newest"):
                if not tested(version, at_hand[version], numpy, wheel, options.tests, folder):
                    failed.append(f"Python {version} with NumPy {numpy}")
    print(f"Failed: {', '.join(failed)}" if failed else "All of them work.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python -m tests.robustness.sanitizers.counts``: reference counts, under a debug build of Python.

Such a Python counts the references to all objects together, and ends where an object has fewer than none.  NumPy must
be compiled for it too, or what it takes and gives back is not counted.  Both are made in build/counted, in minutes;
then each life of tests/robustness/stress is lived, after which there must be as many references as before, and the
tests of the core, autograd and func run.  Other arguments go to pytest.

PYTHON_DEBUG names the debug build; else ``python3.Xd`` is looked for, X as in the Python that runs this.  The exit
status is 1 if something is wrong, and 3 where there is no such Python.
"""

import os
import shutil
import subprocess
import sys

from .__main__ import MARKS, ROOT, TESTS, copy, none_of

FOLDER = ROOT / "build" / "counted"
PYTHON = FOLDER / ".venv" / "bin" / "python"
#: what takes the time of NumPy's build, and changes no count
PLAIN = ["allow-noblas=true", "disable-optimization=true", "buildtype=debug", "cpu-baseline=none", "cpu-dispatch=none"]
PACKAGES = ["pytest", "pytest-xdist", "hypothesis", "mpmath", "ml_dtypes"]
#: Tests that do not run here, with the reason.
LEFT_OUT = {
    "core/kernels/test_fast_paths.py::test_activations_at_special_values":
        "np.maximum(-0.0, 0.0) has another sign without NumPy's vector loops",
    **{f"core/kernels/test_two_paths.py::test_the_kernel_in_c_gives_what_the_general_way_gives[{row}]":
       "the general way has other strides where NumPy does not compute in the memory of a temporary array"
       for row in ("binary_cross_entropy", "binary_cross_entropy_with_logits", "soft_margin_loss")},
}
ROUNDS = 300


def main():
    python = os.environ.get("PYTHON_DEBUG") or shutil.which(f"python3.{sys.version_info[1]}d")
    if not python:
        print("There is no debug build of Python here: apt install python3-dbg, or name one in PYTHON_DEBUG.")
        return 3
    prepare(python)
    lives = f"from tests.robustness.stress import lifetimes\nfor body in lifetimes.SCENARIOS:\n    " \
            f"print(body.__name__, lifetimes.lives(body)({ROUNDS}), flush=True)"
    failed = run(["-c", lives])
    tests = sys.argv[1:] or [f"tests/{name}" for name in TESTS]
    return failed or run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--numprocesses=auto", "--dist=worksteal",
                          "-m", none_of(MARKS), *[f"--deselect=tests/{name}" for name in LEFT_OUT], *tests])


def prepare(python):
    """The environment, once; the sources and tests, as they are now; the core."""
    if not PYTHON.exists():
        subprocess.run([python, "-m", "venv", PYTHON.parent.parent], check=True)
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "-c", ROOT / "constraints.txt"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)      # one from before 23.1 has no -C
    subprocess.run([*pip, "setuptools", "wheel", "cython", *PACKAGES], check=True)
    plain = [f"-Csetup-args=-D{option}" for option in PLAIN]
    subprocess.run([*pip, "--no-binary", "numpy", "numpy", *plain], check=True)
    copy(FOLDER, without=("*.so",))
    for path in (FOLDER / "minigrad" / "_core").rglob("*.c"):
        path.touch()                        # the C is the same, and Cython takes minutes under a debug build
    subprocess.run([PYTHON, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=FOLDER, check=True)


def run(command):
    return subprocess.run([PYTHON, *command], cwd=FOLDER, env={**os.environ, "PYTHONPATH": str(FOLDER)}).returncode


if __name__ == "__main__":
    sys.exit(main())

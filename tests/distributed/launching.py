"""Start a program on several ranks, as ``mpiexec`` does for a user."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).resolve().parent.parent.parent


def mpiexec():
    """The one that pip has installed beside this Python, or that of the machine; a test is skipped without one."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        pytest.skip("there is no mpiexec")
    return found


def started(ranks, program, *arguments, seconds=120):
    """The completed process: what all ranks wrote, and the exit status of the whole."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run([mpiexec(), "-n", str(ranks), sys.executable, str(PROGRAMS / program), *arguments],
                          capture_output=True, text=True, timeout=seconds, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})


def passed(ranks, program, *arguments):
    """Run a program that checks itself with assert; its lines, in order."""
    done = started(ranks, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(done.stdout.splitlines())

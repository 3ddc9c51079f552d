"""Start a program on several ranks, as ``mpiexec`` does for a user."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.distributed import run

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).resolve().parent.parent.parent


def started(ranks, program, *arguments, seconds=120):
    """The completed process: what all ranks wrote, and the exit status of the whole; skipped where there is no MPI."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    if run.mpiexec() is None:
        pytest.skip("there is no mpiexec")
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    # unbuffered, two ranks that print at once would mix their lines
    return subprocess.run([sys.executable, "-m", "minigrad.distributed.run", "-n", str(ranks), str(PROGRAMS / program),
                           *arguments], capture_output=True, text=True, timeout=seconds, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "", "OMP_NUM_THREADS": "1",
                               "OPENBLAS_NUM_THREADS": "1"})


def passed(ranks, program, *arguments):
    """Run a program that checks itself with assert; its lines, in order."""
    done = started(ranks, program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(done.stdout.splitlines())

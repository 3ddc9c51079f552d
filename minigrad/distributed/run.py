"""Start a program on several ranks of this machine: ``python -m minigrad.distributed.run --nproc-per-node 2 train.py``.

It calls the ``mpiexec`` that pip has put beside this Python, or else that of the machine.  For several machines call
``mpiexec`` yourself, with the list of hosts that its documentation describes.
"""

import argparse
import os
import shutil
import subprocess
import sys

__all__ = ["main", "mpiexec"]


def mpiexec():
    """The path of the program that starts the ranks; None if there is none."""
    beside = os.path.join(os.path.dirname(sys.executable), "mpiexec")
    return beside if os.access(beside, os.X_OK) else shutil.which("mpiexec")


def main(arguments=None):
    """Start what the command line says, and return its exit status: not 0 if a rank has failed."""
    parser = argparse.ArgumentParser(prog="python -m minigrad.distributed.run", description=__doc__.partition(":")[0],
                                     allow_abbrev=False)
    parser.add_argument("-n", "--nproc-per-node", "--nproc_per_node", type=int, default=1, metavar="RANKS",
                        help="how many ranks to start (default: 1)")
    parser.add_argument("-m", "--module", action="store_true", help="program is the name of a module, as for python -m")
    parser.add_argument("program", help="the program, which every rank runs")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    given = parser.parse_args(arguments)
    if given.nproc_per_node < 1:
        parser.error(f"--nproc-per-node is the number of ranks, at least 1, not {given.nproc_per_node}")
    path = mpiexec()
    if path is None:
        parser.exit(1, "There is no mpiexec here, which starts the ranks: pip install 'minigrad-autograd[mpi]'\n")
    return subprocess.run([path, "-n", str(given.nproc_per_node), sys.executable, *["-m"] * given.module, given.program,
                           *given.arguments]).returncode


if __name__ == "__main__":
    sys.exit(main())

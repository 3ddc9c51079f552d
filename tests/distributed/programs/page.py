"""A page about an error of several processes, each of which looks at it: ``page.py MG802``."""

import sys

import mpi4py.MPI

import minigrad.distributed as dist
from minigrad import error_pages
from minigrad.error_pages.executing import failures_here
from tests import test_error_pages

name = sys.argv[1]
raised_by = test_error_pages.raised_by


def raised_by_and_ended(program):
    """The program is run once to see what it raises, and once more with its page: both make the group."""
    raised = raised_by(program)
    if dist.is_initialized():
        dist.destroy_process_group()
    return raised


test_error_pages.raised_by, test_error_pages.failures = raised_by_and_ended, failures_here
found = test_error_pages.complaints(name, error_pages.page(name))
assert not found, "\n".join(found)
rank = mpi4py.MPI.COMM_WORLD
print(f"rank {rank.Get_rank()} of {rank.Get_size()} is right")

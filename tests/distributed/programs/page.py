"""Pages about errors of several processes, each of which looks at them: ``page.py MG801 MG802``."""

import sys

import mpi4py.MPI

import minigrad.distributed as dist
from minigrad import error_pages
from minigrad.error_pages.executing import failures_here
from tests import test_error_pages

raised_by = test_error_pages.raised_by


def without_a_group():
    if dist.is_initialized():
        dist.destroy_process_group()


def raised_by_and_ended(program):
    """The program is run once to see what it raises, and once more with its page: both make the group."""
    raised = raised_by(program)
    without_a_group()
    return raised


test_error_pages.raised_by, test_error_pages.failures = raised_by_and_ended, failures_here
rank = mpi4py.MPI.COMM_WORLD
for name in sys.argv[1:]:
    found = test_error_pages.complaints(name, error_pages.page(name))
    without_a_group()
    print(f"{name}: rank {rank.Get_rank()} of {rank.Get_size()} {'; '.join(found) or 'is right'}")

"""The processes that were started together, and the groups of them.

``init_process_group`` loads MPI, which knows the rank of this process and how many there are; ``mpiexec`` told it.
From then on a rank does not end alone.  If an exception leaves its program, it is printed as ever, and MPI ends all
ranks.  If its program just ends while others still want something of it, they hear so as they agree on their next call
(Note [The ranks agree before anything moves] in agreement.py).
"""

import atexit
import datetime
import importlib.util
import sys

from minigrad._core.errors import error

from .process_group import ProcessGroup
from .roll_call import RollCall

__all__ = ["GroupMember", "default_pg_timeout", "destroy_process_group", "get_backend", "get_backend_config",
           "get_global_rank", "get_group_rank", "get_node_local_rank", "get_pg_count", "get_process_group_ranks",
           "get_rank", "get_world_size", "group", "init_process_group", "is_available", "is_backend_available",
           "is_gloo_available", "is_initialized", "is_mpi_available", "is_nccl_available", "is_torchelastic_launched",
           "is_ucc_available", "is_xccl_available", "new_group"]

default_pg_timeout = datetime.timedelta(minutes=30)

#: the group of all processes, first, and the others that were made
_GROUPS = []
_ENDED = "nothing: its program has ended"


class GroupMember:
    """What ``new_group`` returns to a process that is not in the group."""

    NON_GROUP_MEMBER = -100


class _Group(type):
    @property
    def WORLD(cls):
        """The group of all processes; None before ``init_process_group()``."""
        return _GROUPS[0] if _GROUPS else None


class group(metaclass=_Group):
    """``group.WORLD`` is the group of all processes."""


# ------------------------------------------------------------------------------ what there is

def is_available():
    """Can processes compute together here?

    They can if mpi4py is installed: ``pip install 'minigrad-autograd[mpi]'``.
    """
    return importlib.util.find_spec("mpi4py") is not None


is_mpi_available = is_available


def is_gloo_available():
    """Is PyTorch's backend "gloo" here?  The backend is always "mpi".

    >>> torch.distributed.is_gloo_available()
    False
    """
    return False


is_nccl_available = is_ucc_available = is_xccl_available = is_torchelastic_launched = is_gloo_available


def is_backend_available(backend):
    """Is this backend here?  Only "mpi" can be.

    >>> torch.distributed.is_backend_available("nccl")
    False
    """
    return backend.lower() == "mpi" and is_available()


def is_initialized():
    """Has ``init_process_group()`` been called?

    >>> torch.distributed.is_initialized()
    False
    """
    return bool(_GROUPS)


def world():
    """The group of all processes; an error if there is none yet."""
    if not _GROUPS:
        raise error("MG801", "Default process group has not been initialized, please make sure to call "
                             "init_process_group. It is the first thing that a program with several processes does: "
                             'torch.distributed.init_process_group("mpi")')
    return _GROUPS[0]


def chosen(which):
    """The group that ``group=`` names: by default all processes; None for one that this process is not in."""
    if which is None:
        return world()
    if which == GroupMember.NON_GROUP_MEMBER:
        return None
    if not isinstance(which, ProcessGroup):
        raise error("MG205", f"group= is what torch.distributed.new_group() returns, not {type(which).__name__}")
    world()
    return which


# ------------------------------------------------------------------------------ the beginning and the end

def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="",
                       pg_options=None, device_id=None):
    """Become one of the processes that ``mpiexec`` has started.

    Each runs the same program, begins with this call, and finds out with ``get_rank()`` which one it is::

        mpiexec -n 2 python train.py

    ``backend`` is "mpi".  ``timeout``, a ``datetime.timedelta``, by default half an hour, is how long a rank waits for
    the others.  ``world_size`` and ``rank`` need not be given, since MPI knows them; if they are, they must be right.
    The other parameters are for backends of PyTorch, and have no effect.
    """
    if _GROUPS:
        raise error("MG801", "trying to initialize the default process group twice!")
    if backend is not None and backend.lower() != "mpi":
        raise error("MG804", f"there is no backend {backend!r}, only 'mpi': write "
                             "torch.distributed.init_process_group('mpi'), and start the program with "
                             "mpiexec -n 2 python program.py")
    mpi = _mpi()
    communicator = mpi.COMM_WORLD.Dup()
    for name, given, known in (("rank", rank, communicator.Get_rank()),
                               ("world_size", world_size, communicator.Get_size())):
        if given not in (-1, known):
            raise error("MG804", f"{name}={given}, but mpiexec has made it {known}: leave {name} out, or start as many "
                                 "processes as the program expects")
    _GROUPS.append(ProcessGroup(mpi, communicator, list(range(communicator.Get_size())), _seconds(timeout),
                                RollCall(mpi, communicator.Dup())))
    if communicator.Get_size() > 1:
        sys.excepthook = _End(mpi, communicator, sys.excepthook)
        atexit.register(_leave)


def _mpi():
    if not is_available():
        raise error("MG803", "mpi4py is not installed, with which processes talk to each other: "
                             "pip install 'minigrad-autograd[mpi]'")
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as reason:
        raise error("MG803", f"mpi4py does not find the library of MPI ({reason}): pip install mpich") from None
    return MPI


def _seconds(timeout):
    if timeout is None:
        return default_pg_timeout.total_seconds()
    if not isinstance(timeout, datetime.timedelta):
        raise error("MG205", "Expected timeout argument to be of type datetime.timedelta, not "
                             f"{type(timeout).__name__}: write timeout=datetime.timedelta(seconds=60)")
    return timeout.total_seconds()


class _End:
    """What Python calls for an exception that leaves the program: the other ranks must not wait for this one."""

    def __init__(self, mpi, communicator, before):
        self._mpi, self._communicator, self._before = mpi, communicator, before

    def __call__(self, kind, exception, traceback):
        self._before(kind, exception, traceback)
        rank, size = self._communicator.Get_rank(), self._communicator.Get_size()
        print(f"rank {rank} of {size} has failed with {kind.__name__}; MPI ends all ranks.", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        self._communicator.Abort(1)


def _leave():
    """At the end of the program: if the other ranks still want to do something together, they hear that we left."""
    if _GROUPS and _GROUPS[0].calls.is_in_step():
        try:
            _GROUPS[0].post_barrier(_ENDED).wait()
        except RuntimeError:
            pass                        # the others raise the same error, and say what they wanted


def destroy_process_group(group=None):
    """Wait until all ranks have come here, and end the group; without one, all groups.

    After an error that all ranks have raised (MG802, MG803) there is nothing to wait for, and they can begin again with
    ``init_process_group()``.
    """
    which = world() if group is None else chosen(group)
    if which is None:
        return
    if which.calls.is_in_step():
        which.post_barrier("destroy_process_group").wait()
    if which is world():
        _GROUPS.clear()
        if isinstance(sys.excepthook, _End):
            sys.excepthook = sys.excepthook._before
    else:
        _GROUPS.remove(which)


# ------------------------------------------------------------------------------ groups and ranks

def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False,
              group_desc=None, device_id=None):
    """A group of some of the processes.

    All processes call it, those too that are not in it; they get ``GroupMember.NON_GROUP_MEMBER``, with which every
    collective does nothing.
    """
    everyone = world()
    ranks = everyone.ranks if ranks is None else sorted(ranks)
    for each in ranks:
        if each not in everyone.ranks:
            raise error("MG804", f"new_group(): there is no rank {each} among {everyone.size()} processes")
    if len({*ranks}) < len(ranks):
        raise error("MG804", f"new_group(): a rank is named twice in {ranks}")
    everyone.post_barrier(f"new_group of {ranks}").wait()
    mine = everyone.part_of(ranks, everyone.calls.seconds if timeout is None else _seconds(timeout))
    if mine is None:
        return GroupMember.NON_GROUP_MEMBER
    _GROUPS.append(mine)
    return mine


def get_rank(group=None):
    """The number of this process in the group, counted from 0; -1 if it is not in it."""
    which = chosen(group)
    return -1 if which is None else which.rank()


def get_world_size(group=None):
    """How many processes the group has; -1 if this one is not in it."""
    which = chosen(group)
    return -1 if which is None else which.size()


def get_node_local_rank(fallback_rank=None):
    """The number of this process among those on its machine.  MPI knows it; the fallback is never needed."""
    return world().rank_on_machine()


def get_process_group_ranks(group=None):
    """The numbers that the processes of the group have among all."""
    which = chosen(group)
    return [] if which is None else list(which.ranks)


def get_global_rank(group, group_rank):
    """The number among all processes of the one with this number in the group."""
    ranks = get_process_group_ranks(group)
    if not 0 <= group_rank < len(ranks):
        raise error("MG804", f"Group rank {group_rank} is not part of group {group}")
    return ranks[group_rank]


def get_group_rank(group, global_rank):
    """The number in the group of the process with this number among all."""
    ranks = get_process_group_ranks(group)
    if global_rank not in ranks:
        raise error("MG804", f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


def get_backend(group=None):
    """The name of the backend: "mpi"."""
    chosen(group)
    return "mpi"


def get_backend_config(group=None):
    """The backend of each device."""
    chosen(group)
    return "cpu:mpi"


def get_pg_count():
    """How many groups there are."""
    return len(_GROUPS)

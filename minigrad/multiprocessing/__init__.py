"""Python's :mod:`multiprocessing` under PyTorch's name, and ``spawn``, which starts a function in several processes.

A tensor in shared memory (``x.share_memory_()``, ``module.share_memory()``) stays shared when it is sent to another
process; any other arrives as a copy.  A result with a history is not sent at all: ``tensors/processes.py`` says why.
"""

import multiprocessing
import sys
from multiprocessing import *
from multiprocessing import spawn as _starting

from minigrad._as_torch import as_torch as _as_torch
from minigrad.multiprocessing.spawn import (ProcessContext, ProcessExitedException, ProcessRaisedException, spawn,
                                            start_processes)

__all__ = ["get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy", *multiprocessing.__all__]

#: a shared memory is sent as a file descriptor, which needs no name and leaves nothing behind
_STRATEGY = "file_descriptor"


def get_all_sharing_strategies():
    """The ways to share memory: one.

    >>> torch.multiprocessing.get_all_sharing_strategies()
    {'file_descriptor'}
    """
    return {_STRATEGY}


def get_sharing_strategy():
    """``"file_descriptor"``: shared memory is a file without a name, which ends with its last user."""
    return _STRATEGY


def set_sharing_strategy(new_strategy):
    """Nothing: there is one way. ``"file_system"``, which is for systems with few descriptors, gives the same."""
    if new_strategy not in (_STRATEGY, "file_system"):
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}, expected one of {{{_STRATEGY!r}}}")


# ------------------------------------------------------------------------------ PyTorch's name in a spawned process

class _Lent:
    """Lends PyTorch's name where it arrives."""

    def __reduce__(self):
        return _as_torch, ()


def _preparation(name, of_python=_starting.get_preparation_data):
    """What a new process is told before it imports the main program, which there too says ``import torch``."""
    data = of_python(name)
    if sys.modules.get("torch") is sys.modules["minigrad"]:
        data["torch"] = _Lent()
    return data


_starting.get_preparation_data = _preparation

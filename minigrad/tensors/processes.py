"""Tensors in several processes: memory that they share, and what goes through queues and pipes.

The memory of a tensor belongs to one process, until ``x.share_memory_()`` moves it to pages that others can map:

    x.share_memory_()    the array of x -> SharedMemory -> an Arena of Python's multiprocessing: a file without a name
    fork                 the child has the same pages, and writes to the same numbers
    spawn, a queue       the message carries the Arena (its file descriptor), and the tensor there lies on these pages

What is not shared is sent as a copy.  ``Announcement`` (copy_and_pickle.py) brings tensors here from Python's pickler
for other processes.
"""

import pickle
from multiprocessing.heap import Arena

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Node, wrap
from minigrad._core.graph.view_geometry import address
from minigrad.ops.shapes.storage import check_memory, has_other_users
from minigrad.tensors.copy_and_pickle import Memory, rebuild, warn_if_has_hooks
from minigrad.tensors.to_python import memory

__all__ = ["SharedMemory", "rebuild_shared", "reduce_tensor", "share", "shared_behind"]


class SharedMemory:
    """Memory that several processes can map.  An array on it has it at the end of its bases, and so keeps it."""

    def __init__(self, arena):
        self.arena = arena
        self.__array_interface__ = np.frombuffer(arena.buffer, np.uint8).__array_interface__

    def __reduce__(self):
        return SharedMemory, (self.arena,)


def shared_behind(array):
    """The shared memory that an array lies in; None if its memory belongs to this process."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, SharedMemory) else None


def share(tensor):
    """``Tensor.share_memory_``, of a tensor that is not shared yet."""
    check_memory("share_memory_", tensor)
    if tensor._is_view() or has_other_users(tensor):
        raise others_would_stay_behind()
    array = tensor._array
    shared = np.asarray(SharedMemory(Arena(max(array.nbytes, 1))))
    moved = np.ndarray(array.shape, array.dtype, shared, 0, np.empty_like(array).strides)
    moved[...] = array
    tensor.data = wrap(moved)


# ------------------------------------------------------------------------------ queues and pipes

def reduce_tensor(tensor):
    """How ``ForkingPickler`` takes a tensor apart: one that is shared becomes its place in the shared memory."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise crosses_processes(tensor)
    array = None if tensor.is_meta else memory(tensor, "send")
    shared = shared_behind(array)
    if shared is None or not array.size:
        return tensor.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    warn_if_has_hooks(tensor)
    offset = address(array) - address(np.asarray(shared))
    window = tensor.dtype, offset, tuple(tensor.shape), array.strides, tensor.requires_grad
    return rebuild_shared, (type(tensor), shared, *window), tensor.__dict__ or None


def rebuild_shared(cls, shared, *window):
    """The tensor of this window on shared memory."""
    everything = np.asarray(shared)
    return rebuild(cls, Memory(everything, everything), *window)


# ------------------------------------------------------------------------------ errors

def crosses_processes(tensor):
    return error("MG724", "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not "
                          "support crossing process boundaries. If you just want to transfer the data, call detach() "
                          "on the tensor before serializing (e.g., putting it on the queue). This one is the result "
                          f"of {Node.name(tensor.grad_fn)}; a DataLoader with num_workers=0 keeps it in this process.")


def others_would_stay_behind():
    return error("MG724", "share_memory_(): other tensors or arrays look at the memory of this tensor, and would stay "
                          "behind when it moves. Share the base before views are made of it, or share x.clone().")

"""Objects of Python from rank to rank, pickled.

As ever with pickles, the other ranks are trusted: a pickle can run code.
"""

import pickle

import numpy as np

from minigrad._core.errors import error

from .collectives import rank_in
from .reductions import ReduceOp
from .world import chosen

__all__ = ["all_gather_object", "broadcast_object_list", "gather_object", "scatter_object_list"]


def pickled(objects):
    return np.frombuffer(pickle.dumps(objects), np.uint8)


def everywhere(which, mine):
    """The bytes of all ranks: first they agree on the length of the longest."""
    longest = int(which.post_all_reduce(np.array(mine.size), ReduceOp.MAX)._result())
    return which.post_all_gather(np.pad(mine, (0, longest - mine.size)))._result()


def all_gather_object(object_list, obj, group=None):
    """Fill the list with the objects of all ranks, in their order."""
    which = chosen(group)
    if which is not None:
        check_length("all_gather_object", "object_list", object_list, which.size())
        object_list[:] = [pickle.loads(each.tobytes()) for each in everywhere(which, pickled(obj))]


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """Fill the list of the rank ``dst``, by default 0, with the objects of all; the others give no list."""
    which = chosen(group)
    if which is not None:
        rank = rank_in(which, "gather_object", "dst", dst, group_dst, default=0)
        if which.rank() == rank:
            check_length("gather_object", "object_gather_list", object_gather_list, which.size())
        found = everywhere(which, pickled(obj))
        if which.rank() == rank:
            object_gather_list[:] = [pickle.loads(each.tobytes()) for each in found]


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """Replace the list of every rank by that of ``src``, by default 0."""
    which = chosen(group)
    if which is not None:
        rank = rank_in(which, "broadcast_object_list", "src", src, group_src, default=0)
        object_list[:] = from_one(which, object_list, rank)


def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=None, group=None,
                        group_src=None):
    """Put into the first place of one list this rank's place of the other, which ``src``, by default 0, gives."""
    which = chosen(group)
    if which is not None:
        rank = rank_in(which, "scatter_object_list", "src", src, group_src, default=0)
        if which.rank() == rank:
            check_length("scatter_object_list", "scatter_object_input_list", scatter_object_input_list, which.size())
        scatter_object_output_list[0] = from_one(which, scatter_object_input_list, rank)[which.rank()]


def from_one(which, objects, rank):
    """The objects of one rank, on all."""
    mine = pickled(objects if which.rank() == rank else None)
    length = int(which.post_broadcast(np.array(mine.size), rank)._result())
    sent = mine if which.rank() == rank else np.empty(length, np.uint8)
    return pickle.loads(which.post_broadcast(sent, rank)._result().tobytes())


def check_length(function, argument, objects, size):
    if not isinstance(objects, list) or len(objects) != size:
        raise error("MG804", f"{function}(): `{argument}` is a list with a place for each of the {size} ranks, not "
                             + (f"one of {len(objects)}" if isinstance(objects, list) else type(objects).__name__))

"""The collectives that write into tensors, and the messages from one rank to another.

Each takes tensors that already have their shape, fills them, and returns None, or with ``async_op=True`` a Work to wait
for.  A process that is not in the group does nothing.  Autograd does not see what they write, but it counts the write:
a backward pass that needs the old numbers raises.  The forms that can be differentiated are in nn/functional.py.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.runtime.thread_state import is_grad_enabled
from minigrad.autograd.graph import increment_version

from .reductions import ReduceOp
from .world import chosen

__all__ = ["P2POp", "all_gather", "all_gather_into_tensor", "all_gather_single", "all_reduce", "all_to_all",
           "all_to_all_single", "barrier", "batch_isend_irecv", "broadcast", "gather", "irecv", "isend",
           "monitored_barrier", "recv", "reduce", "reduce_scatter", "reduce_scatter_single", "reduce_scatter_tensor",
           "scatter", "send"]


# ------------------------------------------------------------------------------ what they are given

def array_of(function, argument, tensor, written=False):
    """The array of a tensor that goes to other ranks, or that is written when something comes."""
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"{function}(): Expected parameter `{argument}` of type torch.Tensor but got "
                             f"{type(tensor)} instead.")
    array = tensor._array
    if type(array) is not np.ndarray:
        raise error("MG804", f"{function}(): `{argument}` has no numbers in the memory of this process that could "
                             "be sent to other ranks: it is on another device, or inside a transform such as vmap. "
                             "Move it with .cpu(), or use torch.distributed.nn.functional, which can be transformed")
    if written and tensor.requires_grad and not tensor.is_leaf and is_grad_enabled():
        raise error("MG804", f"{function}() would overwrite `{argument}`, which {tensor.grad_fn.name()} has computed, "
                             "and gradients would flow as if it had not. To differentiate through the other ranks use "
                             "torch.distributed.nn.functional; else give it the tensor's .detach()")
    if written and not array.flags.writeable:
        raise error("MG116", f"{function}(): the memory of `{argument}` is read-only (it came from a read-only NumPy "
                             "array). Please clone() the tensor first.")
    if written and 0 in [step for step, size in zip(array.strides, array.shape) if size > 1] and array.size:
        raise error("MG116", f"{function}(): more than one element of `{argument}` refers to a single memory location, "
                             "since it was expanded: what comes for one would overwrite the others. Please clone() the "
                             "tensor first.")
    return array


def arrays_of(function, argument, tensors, size, written=False):
    """The arrays of a list with one tensor for each rank, all of one dtype."""
    if not isinstance(tensors, (list, tuple)) or not all([isinstance(each, Tensor) for each in tensors]):
        raise error("MG205", f"{function}(): Expected parameter `{argument}` of type List[torch.Tensor].")
    if len(tensors) != size:
        raise error("MG804", f"{function}(): `{argument}` has {len(tensors)} tensors, and the group has {size} ranks: "
                             "it needs one for each")
    return [array_of(function, argument, each, written) for each in tensors]


def all_like(function, argument, arrays, like):
    """Check that each of them has the shape and the dtype of ``like``."""
    for each in arrays:
        if each.shape != like.shape or each.dtype != like.dtype:
            raise error("MG804", f"{function}(): each of `{argument}` must be of {like.dtype} and shape "
                                 f"{[*like.shape]}, but one is of {each.dtype} and shape {[*each.shape]}")


def rank_in(which, function, argument, everywhere, in_group, default=None):
    """The rank in the group: given as its number among all processes, or in the group."""
    if everywhere is None and in_group is None:
        in_group = default
    if (everywhere is None) == (in_group is None):
        raise error("MG804", f"{function}(): "
                    + ("Must specify global_rank or group_rank" if everywhere is None else
                       "Can't specify both group_rank and global_rank")
                    + f": {argument}=, the number of a process among all, or group_{argument}=, that in the group")
    known = range(which.size()) if everywhere is None else which.ranks
    rank = in_group if everywhere is None else everywhere
    if rank not in known:
        raise error("MG804", f"{function}(): invalid root rank: {rank}: the group has the ranks {[*known]}")
    return known.index(rank)


def list_at_one(function, argument, tensors, role, which, rank, like, written=False):
    """The list that only one rank gives, with a tensor like this for each rank; an empty one elsewhere."""
    if which.rank() != rank:
        if tensors:
            raise error("MG804", f"{function}(): Argument ``{argument}`` must NOT be specified on non-{role} ranks.")
        return []
    if not tensors:
        raise error("MG804", f"{function}(): Argument ``{argument}`` must be specified on {role} rank.")
    all_like(function, argument, arrays_of(function, argument, tensors, which.size(), written), like)
    return tensors


def in_pieces(function, argument, array, piece, size):
    """The array, in as many pieces along a new first dim as there are ranks; it may have that dim already."""
    stacked = (size, *piece.shape)
    joined = (size * piece.shape[0], *piece.shape[1:]) if piece.ndim else (size,)
    if array.dtype != piece.dtype or array.shape not in (stacked, joined):
        raise error("MG804", f"{function}(): `{argument}` must be of {piece.dtype} and shape {[*joined]} or "
                             f"{[*stacked]}: {size} times {[*piece.shape]}, but it is of "
                             f"{array.dtype} and shape {[*array.shape]}")
    return array.reshape(stacked)


def sizes_of_pieces(argument, tensor, sizes, size):
    """The sizes along the first dim of the pieces of a tensor, one for each rank: those given, or all the same."""
    shape = tensor.shape
    if not sizes:
        if not shape or shape[0] % size:
            raise error("MG804", f"all_to_all_single(): the first dim of `{argument}`, which has shape {[*shape]}, "
                                 f"does not divide by {size} ranks: give {argument}_split_sizes")
        return [shape[0] // size] * size
    if len(sizes) != size or not shape or sum(sizes) != shape[0] or min(sizes) < 0:
        raise error("MG804", f"all_to_all_single(): {argument}_split_sizes={[*sizes]} are not {size} sizes that add "
                             f"up to the first of {[*shape]}, the shape of `{argument}`")
    return [*sizes]


def filling(work, tensors, async_op, arranged=None):
    """Write what comes into the tensors, and count that: now, or as soon as it is there.

    A value is for the only tensor, or ``arranged(value)`` are those for each.
    """
    def write(value):
        if value is None:
            return
        for tensor, each in zip(tensors, [value] if arranged is None else arranged(value)):
            if each is not tensor._array:
                tensor._array[...] = each
            increment_version(tensor)

    work._give_to(write)
    return handed(work, async_op)


def handed(work, async_op):
    """The work, or nothing, when it is over."""
    if async_op:
        return work
    work.wait()
    return None


# ------------------------------------------------------------------------------ the ranks' tensors meet

def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Replace the tensor of every rank by the sum of all, or what ``op`` names."""
    which = chosen(group)
    if which is not None:
        array = array_of("all_reduce", "tensor", tensor, written=True)
        return filling(which.post_all_reduce(array, op, in_place=True), [tensor], async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    """Replace the tensor of the rank ``dst`` by the sum of all; the others keep theirs."""
    which = chosen(group)
    if which is not None:
        array = array_of("reduce", "tensor", tensor, written=True)
        rank = rank_in(which, "reduce", "dst", dst, group_dst)
        return filling(which.post_reduce(array, rank, op), [tensor], async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    """Fill ``output`` with the sum of what all ranks have at this one's place of their lists."""
    which = chosen(group)
    if which is not None:
        out = array_of("reduce_scatter", "output", output, written=True)
        pieces = arrays_of("reduce_scatter", "input_list", input_list, which.size())
        all_like("reduce_scatter", "input_list", pieces, out)
        return filling(which.post_reduce_scatter(np.stack(pieces), op), [output], async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """Fill ``output`` with this rank's piece, along the first dim, of the sum of ``input``."""
    which = chosen(group)
    if which is not None:
        out = array_of("reduce_scatter_tensor", "output", output, written=True)
        pieces = in_pieces("reduce_scatter_tensor", "input", array_of("reduce_scatter_tensor", "input", input), out,
                           which.size())
        return filling(which.post_reduce_scatter(pieces, op), [output], async_op)


# ------------------------------------------------------------------------------ tensors go from rank to rank

def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Replace the tensor of every rank by that of ``src``."""
    which = chosen(group)
    if which is not None:
        array = array_of("broadcast", "tensor", tensor, written=True)
        rank = rank_in(which, "broadcast", "src", src, group_src)
        return filling(which.post_broadcast(array, rank), [tensor], async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Fill the list with the tensors of all ranks, in their order."""
    which = chosen(group)
    if which is not None:
        array = array_of("all_gather", "tensor", tensor)
        all_like("all_gather", "tensor_list",
                 arrays_of("all_gather", "tensor_list", tensor_list, which.size(), written=True), array)
        return filling(which.post_all_gather(array), tensor_list, async_op, list)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """Fill one tensor with those of all ranks, one after the other along its first dim, which may be a new one."""
    which = chosen(group)
    if which is not None:
        array = array_of("all_gather_into_tensor", "input_tensor", input_tensor)
        out = array_of("all_gather_into_tensor", "output_tensor", output_tensor, written=True)
        in_pieces("all_gather_into_tensor", "output_tensor", out, array, which.size())
        work = which.post_all_gather(array)
        return filling(work, [output_tensor], async_op, lambda value: [value.reshape(out.shape)])


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """Fill the list of the rank ``dst``, by default 0, with the tensors of all; the others give no list."""
    which = chosen(group)
    if which is not None:
        array = array_of("gather", "tensor", tensor)
        rank = rank_in(which, "gather", "dst", dst, group_dst, default=0)
        given = list_at_one("gather", "gather_list", gather_list, "destination", which, rank, array, written=True)
        return filling(which.post_gather(array, rank), given, async_op, list)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """Fill the tensor of every rank with its place of the list that ``src``, by default 0, gives."""
    which = chosen(group)
    if which is not None:
        array = array_of("scatter", "tensor", tensor, written=True)
        rank = rank_in(which, "scatter", "src", src, group_src, default=0)
        given = list_at_one("scatter", "scatter_list", scatter_list, "source", which, rank, array)
        pieces = np.stack([each._array for each in given]) if given else None
        return filling(which.post_scatter(pieces, array, rank), [tensor], async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Send each rank its place of one list, and fill another with what they send; the tensors may differ in shape."""
    which = chosen(group)
    if which is not None:
        sent = arrays_of("all_to_all", "input_tensor_list", input_tensor_list, which.size())
        out = arrays_of("all_to_all", "output_tensor_list", output_tensor_list, which.size(), written=True)
        return filling(which.post_exchange(sent, out), output_tensor_list, async_op, list)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Send each rank its piece of ``input`` along the first dim, and fill ``output`` with theirs.

    The pieces are of one size, or ``input_split_sizes`` and ``output_split_sizes`` give that of each.
    """
    which = chosen(group)
    if which is not None:
        sent = array_of("all_to_all_single", "input", input)
        out = array_of("all_to_all_single", "output", output, written=True)
        sent = np.split(sent, np.cumsum(sizes_of_pieces("input", input, input_split_sizes, which.size()))[:-1])
        out = np.split(out, np.cumsum(sizes_of_pieces("output", output, output_split_sizes, which.size()))[:-1])
        return filling(which.post_exchange(sent, out), [output], async_op, lambda pieces: [np.concatenate(pieces)])


def barrier(group=None, async_op=False, device_ids=None, timeout=None):
    """Wait until all ranks have come here."""
    which = chosen(group)
    if which is not None:
        work = which.post_barrier()
        if async_op:
            return work
        work.wait(timeout)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """The same: each barrier says who is late."""
    barrier(group, timeout=timeout)


# ------------------------------------------------------------------------------ messages

def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Begin to send the tensor to the rank ``dst``; wait for the Work before you write to it."""
    which = chosen(group)
    if which is not None:
        rank = rank_in(which, "send", "dst", dst, group_dst)
        if rank == which.rank():
            raise error("MG804", "Invalid destination rank: destination rank should not be the same as the rank of the "
                                 "current process.")
        return which.post_send(array_of("send", "tensor", tensor), rank, tag)


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    """Begin to fill the tensor with what the rank ``src`` sends, or any rank; the Work ends when it is there."""
    which = chosen(group)
    if which is not None:
        array = array_of("recv", "tensor", tensor, written=True)
        rank = None if src is None and group_src is None else rank_in(which, "recv", "src", src, group_src)
        return filling(which.post_recv(array, rank, tag), [tensor], True, lambda value: [value[0]])


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    """Send the tensor to the rank ``dst``."""
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Fill the tensor with what the rank ``src`` sends, or any rank, and return the number of that rank."""
    work = irecv(tensor, src, group, tag, group_src)
    return -1 if work is None else chosen(group).ranks[work._result()[1]]


class P2POp:
    """A message to send or to receive: ``op`` is ``isend`` or ``irecv``."""

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise error("MG204", "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                                 "``torch.distributed.irecv``.")
        self.op, self.tensor, self.peer, self.group = op, tensor, peer, group
        self.tag, self.group_peer = tag, group_peer


def batch_isend_irecv(p2p_op_list):
    """Begin them all, and return the list of their Works."""
    works = [each.op(each.tensor, each.peer, each.group, each.tag, each.group_peer) for each in p2p_op_list]
    return [work for work in works if work is not None]


all_gather_single, reduce_scatter_single = all_gather_into_tensor, reduce_scatter_tensor

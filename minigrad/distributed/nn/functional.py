"""The collectives that can be differentiated: each returns a new tensor.

Each is linear, and its transpose is again a collective (minigrad/ops/collectives.py), in which all ranks take part when
the gradient flows back.  The gradients are those of the sum of all ranks' losses::

    y = torch.distributed.nn.functional.all_reduce(x)       # the sum of the ranks' x
    (y ** 2).sum().backward()                               # x.grad: from the losses of all ranks, 2 y for each
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.autograd.grad_mode import no_grad
from minigrad.distributed.collectives import all_like, rank_in, sizes_of_pieces
from minigrad.distributed.reductions import ReduceOp
from minigrad.distributed.world import chosen, world
from minigrad.ops import collectives as rows
from minigrad.ops.exports import NN_REGISTRY, REGISTRY

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce",
           "reduce_scatter", "scatter"]

cat, stack, pad = REGISTRY["cat"], REGISTRY["stack"], NN_REGISTRY["pad"]


def all_reduce(tensor, op=ReduceOp.SUM, group=None):
    """The sum of the ranks' tensors, or their mean (AVG), on every rank.  Its transpose is itself."""
    which = given("all_reduce", tensor, group)
    return mean_or_sum("all_reduce", rows.all_reduce(tensor, which), op, which)


def broadcast(tensor, src, group=None):
    """The tensor of the rank ``src``, on every rank.  Its transpose is `reduce`."""
    which = given("broadcast", tensor, group)
    return rows.broadcast(tensor, rank_in(which, "broadcast", "src", src, None), which)


def reduce(tensor, dst, op=ReduceOp.SUM, group=None):
    """The sum of the ranks' tensors, or their mean, on the rank ``dst``, and zeros on the others.

    Its transpose is `broadcast`.
    """
    which = given("reduce", tensor, group)
    return mean_or_sum("reduce", rows.reduce(tensor, rank_in(which, "reduce", "dst", dst, None), which), op, which)


def all_gather(tensor, group=None):
    """A tuple of the tensors of all ranks, on every rank.  Its transpose is `reduce_scatter`."""
    which = given("all_gather", tensor, group)
    return tuple(rows.all_gather(tensor, 0, which).unbind(0))


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None):
    """The sum, or the mean, of what all ranks have at this one's place of their lists; it is copied into ``output``.

    Its transpose is `all_gather`.
    """
    which = given("reduce_scatter", output, group)
    pieces = list_for_ranks("reduce_scatter", "input_list", input_list, which)
    all_like("reduce_scatter", "input_list", [*pieces, output], pieces[0])
    result = mean_or_sum("reduce_scatter", rows.reduce_scatter(stack(pieces), 0, which), op, which)
    return copied([output], [result])[0]


def gather(tensor, dst=0, group=None):
    """A tuple of the tensors of all ranks on the rank ``dst``, and of zeros on the others.

    Its transpose is `scatter`.
    """
    which = given("gather", tensor, group)
    return tuple(rows.gather_ranks(tensor, 0, rank_in(which, "gather", "dst", dst, None), which).unbind(0))


def scatter(tensors, src=0, group=None):
    """This rank's place of the list of the rank ``src``; of the lists of the others only the shapes count.

    Its transpose is `gather`.
    """
    which = given("scatter", tensors[0] if tensors else None, group)
    pieces = list_for_ranks("scatter", "tensors", tensors, which)
    all_like("scatter", "tensors", pieces, pieces[0])
    return rows.scatter_ranks(stack(pieces), 0, rank_in(which, "scatter", "src", src, None), which)


def all_to_all(output_tensor_list, input_tensor_list, group=None):
    """A tuple of what the ranks have for this one, copied into the first list; the second has a tensor for each rank.

    The tensors may differ in shape.  Its transpose is itself.
    """
    which = given("all_to_all", input_tensor_list[0] if input_tensor_list else None, group)
    pieces = list_for_ranks("all_to_all", "input_tensor_list", input_tensor_list, which)
    outputs = list_for_ranks("all_to_all", "output_tensor_list", output_tensor_list, which)
    return copied(outputs, exchanged(pieces, outputs, which))


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None):
    """What the ranks have for this one, joined along the first dim, and copied into ``output``.

    The pieces of ``input`` are of one size, or of ``input_split_sizes``; those that come, of ``output_split_sizes``.
    """
    which = given("all_to_all_single", input, group)
    pieces = input.split(sizes_of_pieces("input", input, input_split_sizes, which.size()))
    outputs = output.split(sizes_of_pieces("output", output, output_split_sizes, which.size()))
    return copied([output], [cat(exchanged(pieces, outputs, which))])[0]


# ------------------------------------------------------------------------------ what they have in common

def given(function, tensor, group):
    """The group, with the tensor checked; an error for a process that is not in it, which has nothing to return."""
    which = chosen(group)
    if which is None:
        raise error("MG804", f"{function}(): this process, rank {world().rank()} of all, is not in the group")
    if not isinstance(tensor, Tensor):
        raise error("MG205", f"{function}(): expected a torch.Tensor, but got {type(tensor)}")
    return which


def list_for_ranks(function, argument, tensors, which):
    if len(tensors) != which.size() or not all([isinstance(each, Tensor) for each in tensors]):
        raise error("MG804", f"{function}(): `{argument}` is a list with a tensor for each of the {which.size()} ranks "
                             f"of the group, but it has {len(tensors)}")
    return [*tensors]


def mean_or_sum(function, total, op, which):
    """The sum as it is, or divided for AVG; the other reductions are not linear, and their gradients not rows."""
    if op is ReduceOp.SUM:
        return total
    if op is ReduceOp.AVG:
        return total / which.size()
    raise error("MG804", f"{function}(): {op!r} has no derivative here, only SUM and AVG have: gather the tensors with "
                         "torch.distributed.nn.functional.all_gather, and reduce them with torch.stack(...) and "
                         "amax or prod")


def exchanged(pieces, outputs, which):
    """The pieces that the ranks have for this one, shaped like ``outputs``.

    A row sends pieces of one size.  So the ranks agree on that of the largest, and the others are padded.
    """
    longest = np.array(max([each.numel() for each in [*pieces, *outputs]]))
    room = int(which.post_all_reduce(longest, ReduceOp.MAX)._result())
    padded = [pad(each.flatten(), (0, room - each.numel())) for each in pieces]
    received = rows.all_to_all(stack(padded), 0, which)
    return [each[:like.numel()].reshape(like.shape) for each, like in zip(received.unbind(0), outputs)]


def copied(outputs, results):
    """The results, whose numbers the given tensors get too, as in PyTorch."""
    with no_grad():
        for output, result in zip(outputs, results):
            output.copy_(result)
    return tuple(results)

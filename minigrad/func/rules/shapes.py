"""Map operations on the last dims, and operations that take sizes.

Operations on the last dims (``tril``, the inverse of a matrix) take a batch unchanged, provided that the example
has enough dims: their rows say how many (``last_dims``).  Among the parameters, sizes get the batch in
front: for the batch, ``reshape`` to (2, 3) is ``reshape`` to (B, 2, 3).  If that is all, no rule is needed
(along_dims.py); the rules here are for sizes with a special meaning, or that broadcast.
"""

from math import prod

from minigrad._core.dispatch.levels import apply
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.ops.algebra.products import on_diagonal, trace
from minigrad.ops.copying import as_multiplied, copy, fill, laid_out, to_copy
from minigrad.ops.positions.embedding import one_hot
from minigrad.ops.positions.masking import choose, masked_fill_tensor
from minigrad.ops.reductions.totals import sum_dim
from minigrad.ops.shapes.arranging import repeat_backward, repeat
from minigrad.ops.shapes.broadcasting import expand, sum_to
from minigrad.ops.shapes.copies import view_dtype_copy
from minigrad.ops.shapes.padding import COPIES, constant_pad_nd, constant_unpad, pad_again, pad_backward
from minigrad.ops.shapes.reshaping import clone, reshape_to, unsafe_view, view_dtype, view
from minigrad.ops.shapes.slicing import diagonal, diagonal_backward
from minigrad.ops.shapes.windows import as_strided_view

from .elementwise import align
from .batch_rule import front, front_all, rank_of, ranked, rule, shape_of


# ------------------------------------------------------------------------------ the last dims

def on_last_dims(op, mapped, payloads, size):
    """All tensors get the batch axis, in front of the dims on which the row works.

    Their number may differ between tensors: for a matrix and its singular values it is (2, 1).
    """
    needed = op.last_dims
    tensors = [(x, m) for x, m in zip(payloads, mapped) if isinstance(x, Tensor)]
    for (x, m), n in zip(tensors, needed if isinstance(needed, tuple) else (needed,) * len(tensors)):
        if rank_of(x, m) < n:
            return None
    return apply(op, front_all(mapped, payloads, size))


@rule(constant_pad_nd, constant_unpad, pad_again, *COPIES.values())
def padded(op, mapped, payloads, size):
    """A padding concerns as many of the last dims as it has pairs of numbers."""
    x, padding = payloads[:2]
    return apply(op, payloads) if len(padding) // 2 < x.ndim else None


@rule(view_dtype, view_dtype_copy)
def read_as(op, mapped, payloads, size):
    x, dtype = payloads
    return op(x, dtype) if x.ndim > 1 or dtype.itemsize == x.dtype.itemsize else None


@rule(one_hot)
def one_hot_of(op, mapped, payloads, size):
    if payloads[1] < 0:
        raise without_classes()
    return op(*payloads)


def without_classes():
    return error("MG117", "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
                          "argument: without it the largest class of each example would decide the shape of its "
                          "result.")


@rule(as_multiplied)
def as_multiplied_of(op, mapped, payloads, size):
    """Of the product only the dtype is read."""
    return op(front(payloads[0], mapped[0], size), payloads[1])


@rule(laid_out)
def laid_out_of(op, mapped, payloads, size):
    """Inside a transform the layout of a gradient in memory does not matter."""
    return clone(front(payloads[0], mapped[0], size))


# ------------------------------------------------------------------------------ writes, and arguments that give a shape

@rule(copy)
def copied(op, mapped, payloads, size):
    """The result has the shape of the first argument, whichever of the two is mapped."""
    x, value = payloads[:2]
    rank = rank_of(x, mapped[0])
    return copy(front(x, mapped[0], size), ranked(value, rank) if mapped[1] and rank_of(value, True) <= rank else value)


@rule(fill)
def filled(op, mapped, payloads, size):
    return None if rank_of(payloads[1], mapped[1]) else copied(copy, mapped, payloads, size)


@rule(masked_fill_tensor)
def filled_by_mask(op, mapped, payloads, size):
    """A number for each example is a choice between two tensors."""
    x, mask, value = payloads
    if not mapped[2]:
        return align(op, mapped, payloads, size)
    if rank_of(value, True) or mask.dtype.category or value.dtype.category > x.dtype.category:
        return None
    return align(choose, [mapped[1], True, mapped[0]], [mask, to_copy(value, x.dtype), x], size)


# ------------------------------------------------------------------------------ sizes

@rule(reshape_to, view)
def reshaped(op, mapped, payloads, size):
    x, shape = payloads
    if -1 in shape:
        rest = prod([n for n in shape if n != -1])
        elements = prod(shape_of(x, True))
        if shape.count(-1) > 1 or not rest or elements % rest:
            return None
        shape = [elements // rest if n == -1 else n for n in shape]
    return op(x, (size, *shape))


@rule(unsafe_view)
def reshaped_copy(op, mapped, payloads, size):
    """The copy is contiguous for an example, but need not be for the batch."""
    return reshaped(reshape_to, mapped, payloads, size)


@rule(expand)
def expanded(op, mapped, payloads, size):
    x, shape, _ = payloads
    new = len(shape) - (x.ndim - 1)
    if new < 0 or -1 in shape[:new]:
        return None
    return op(ranked(x, len(shape)), (size, *shape))


@rule(sum_to)
def summed_to(op, mapped, payloads, size):
    x, shape = payloads
    extra = x.ndim - 1 - len(shape)
    if extra < 0:
        return None
    out = op(x, (size, *(1,) * extra, *shape))
    return reshape_to(out, (size, *shape)) if extra else out


@rule(repeat)
def repeated(op, mapped, payloads, size):
    x, repeats = payloads
    return op(ranked(x, len(repeats)), (1, *repeats)) if len(repeats) >= x.ndim - 1 else None


@rule(repeat_backward)
def unrepeated(op, mapped, payloads, size):
    x, repeats, shape = payloads
    wide = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    return reshape_to(op(x, (1, *repeats), (size, *wide)), (size, *shape))


@rule(pad_backward)
def unpadded(op, mapped, payloads, size):
    x, padding, mode, shape = payloads
    return op(x, padding, mode, (size, *shape))


# ------------------------------------------------------------------------------ diagonals, memory

@rule(trace)
def trace_of(op, mapped, payloads, size):
    x, = payloads
    return sum_dim(diagonal(x, 0, 1, 2), 1) if x.ndim == 3 else None


@rule(on_diagonal)
def put_on_diagonal(op, mapped, payloads, size):
    x, shape = payloads
    return diagonal_backward(expand(reshape_to(x, (size, 1)), (size, min(shape))), (size, *shape), 0, 1, 2)


@rule(as_strided_view)
def as_strided(op, mapped, payloads, size):
    raise error("MG117", "as_strided describes memory, and a tensor inside vmap has none of its own: use "
                         "unfold, select or slicing.")

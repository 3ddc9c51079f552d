"""Map sums, sorts, rolls, selections: where parameters count axes, a dim shifts by one and a size gets the batch first.

    sum(x, dim=0)             for a batch:     sum(payload, dim=1)
    select_backward(g, sizes, dim=-1, i)       select_backward(payload, (B, *sizes), dim=len(sizes), i)

The types in the row say which parameters these are: Dim, Dims, NewDim, NewDims, Sizes (see ops/schema.py).  So one
rule, ``Along``, serves some eighty rows.  Three things need care:

- PyTorch allows a reduction of a 0-d tensor over dim 0, as if it had one.  It gets one, which the result loses again;
  except if the row says that it needs dims (``least_dims``).
- None means all dims of the example, that is, all but the first of the batch.  For Dims, () means the same.
- None for a single Dim means the flattened example.
"""

from minigrad._core.dispatch.levels import apply
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.ops.arguments import one_dim
from minigrad.ops.positions.masking import argwhere, indices_by_dim
from minigrad.ops.positions.parts import repeated_index
from minigrad.ops.reductions import extremes
from minigrad.ops.reductions.extremes import amax, amin, argmax, argmin
from minigrad.ops.reductions.sorting import bincount, distinct, distinct_runs
from minigrad.ops.reductions.totals import mean_all, mean_dim, prod_all, prod_dim, restore_dims, sum_all, sum_dim
from minigrad.ops.schema import taken_apart
from minigrad.ops.shapes.arranging import roll, unroll
from minigrad.ops.shapes.reshaping import alias, reshape_to
from minigrad.ops.shapes.transposing import permute, squeeze_all, squeeze_dims, t, transpose, unpermute

from .batch_rule import front_all, in_rows, ranks_of, rule


def behind(dim, rank, op):
    """The axes of the batch that are these dims of an example."""
    if isinstance(dim, (tuple, list)):
        return tuple([one_dim(each, rank, op.shown) + 1 for each in dim])
    return one_dim(dim, rank, op.shown) + 1


def all_behind(rank):
    return tuple(range(1, rank + 1))


def each(out, change):
    """``change`` applied to the result, or to each of several."""
    if isinstance(out, Tensor):
        return change(out)
    return type(out)(*map(change, out)) if type(out) is not tuple else tuple(map(change, out))


# ------------------------------------------------------------------------------ rules that follow from types

def counts_axes(op):
    """Is there a dim or a size among its parameters?"""
    return any([taken_apart(type_).base in ("Dim", "Dims", "NewDim", "NewDims", "Sizes") for type_ in op.types])


class Along:
    """The batch rule of one row: which of its parameters count axes, and how."""

    def __init__(self, op):
        types = [taken_apart(type_) for type_ in op.types]

        def places(*bases, many=False):
            return [i for i, type_ in enumerate(types) if type_.base in bases and type_.many == many]

        self.one, self.lists = places("Dim", "NewDim"), places("Dim", many=True)
        self.several = places("Dims", "NewDims")
        self.sizes, self.lists_of_sizes = places("Sizes"), places("Sizes", many=True)
        self.more = bool(places("NewDim"))                      # dims of a result that has one more dim
        self.keepdim = op.positions.get("keepdim")
        self.none_is_flat = [i for i in self.one if types[i].optional]
        tensors = places("Tensor") + 2 * (places("Tensor", many=True) + self.lists_of_sizes)
        self.alone = tensors[0] if len(tensors) == 1 else None  # the only tensor, which must be mapped

    def __call__(self, op, mapped, payloads, size):
        if self.alone is None:
            rank, payloads = self.common_rank(mapped, payloads), front_all(mapped, payloads, size)
            if rank is None:
                return None
        else:
            rank, payloads = payloads[self.alone].ndim - 1, list(payloads)
        rank = len(payloads[self.sizes[0]]) if self.sizes else rank + self.more
        if rank < op.least_dims:
            return None
        change = None
        if self.none_is_flat and payloads[self.none_is_flat[0]] is None:
            shape = tuple(payloads[0].shape)
            change = lambda y: reshape_to(y, shape)
            self.flatten(payloads, size)
            payloads[self.none_is_flat[0]] = 0
            rank = 1
        elif not rank:
            change = lambda y: reshape_to(y, (size,)) if tuple(y.shape[1:]) == (1,) else y
            self.flatten(payloads, size)
            rank = 1
        for i in self.one:
            payloads[i] = one_dim(payloads[i], rank, op.shown) + 1
        for i in self.several + self.lists:
            dim = payloads[i]
            every = dim is None or (dim == () and i in self.several)
            payloads[i] = all_behind(rank) if every else behind(dim, rank, op)
        for i in self.sizes:
            payloads[i] = (size, *payloads[i])
        for i in self.lists_of_sizes:
            payloads[i] = [(size, *shape) for shape in payloads[i]]
        out = apply(op, payloads)
        return out if change is None else each(out, change)

    def common_rank(self, mapped, payloads):
        """The common rank of all tensors; None if they differ, except in reductions, where it is the largest.

        There, a tensor may already be reduced: a vector of maxima together with its matrix.  Elsewhere, different ranks
        are a special case: a 0-d tensor with a vector of indices, or an empty tensor in ``cat``.
        """
        ranks = ranks_of(mapped, payloads)
        for i in self.lists_of_sizes:
            ranks += map(len, payloads[i])
        return max(ranks) if self.keepdim is not None or min(ranks) == max(ranks) else None

    def flatten(self, payloads, size):
        """Flatten every example to a vector; a 0-d tensor becomes a vector of one element."""
        for i, x in enumerate(payloads):
            if isinstance(x, Tensor):
                payloads[i] = in_rows(x, size)
        for i in self.sizes:
            payloads[i] = payloads[i] or (1,)
        if self.keepdim is not None:
            payloads[self.keepdim] = True           # so that the reduced tensor is a vector too


# ------------------------------------------------------------------------------ special reductions

@rule(argmax, argmin)
def arg_extreme(op, mapped, payloads, size):
    """Without a dim, the index is that of the flattened example."""
    x, dim, keepdim = payloads
    if dim is not None:
        return Along(op)(op, mapped, payloads, size)
    found = op(in_rows(x, size), 1, False)
    return reshape_to(found, (size,) + (1,) * (x.ndim - 1)) if keepdim else found


@rule(sum_all, mean_all)
def total(op, mapped, payloads, size):
    x, dtype = payloads
    if x.ndim == 1:
        x = reshape_to(x, (size, 1))
    return OVER_DIMS[op](x, all_behind(x.ndim - 1), False, dtype=dtype)


@rule(prod_all)
def product(op, mapped, payloads, size):
    x, dtype = payloads
    return prod_dim(in_rows(x, size), 1, dtype=dtype)


@rule(extremes.max_all, extremes.min_all)
def reduced_row(op, mapped, payloads, size):
    return OVER_DIMS[op](in_rows(payloads[0], size), 1)


#: the rows that reduce along dims, by the rows that reduce all elements
OVER_DIMS = {sum_all: sum_dim, mean_all: mean_dim, extremes.max_all: amax, extremes.min_all: amin}


@rule(restore_dims)
def restored(op, mapped, payloads, size):
    """The dims are those of the result, which has more dims than the argument."""
    x, dim, keepdim = payloads
    if keepdim or dim is None or x.ndim == 1:
        return x
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return op(x, behind(dims, x.ndim - 1 + len(dims), op), False)


# ------------------------------------------------------------------------------ orders of dims

@rule(permute, unpermute)
def permuted(op, mapped, payloads, size):
    x, dims = payloads
    return op(x, (0, *behind(dims, x.ndim - 1, op)))


@rule(t)
def transposed(op, mapped, payloads, size):
    x, = payloads
    return transpose(x, 1, 2) if x.ndim == 3 else alias(x) if x.ndim < 3 else None


@rule(squeeze_all)
def squeezed(op, mapped, payloads, size):
    x, = payloads
    return squeeze_dims(x, tuple([axis for axis, n in enumerate(x.shape) if axis and n == 1]))


@rule(roll, unroll)
def rolled(op, mapped, payloads, size):
    x, shifts, dims = payloads
    dims = dims or ()
    if dims or len(shifts) != 1 or x.ndim == 1:
        return op(x, shifts, behind(dims, x.ndim - 1, op)) if x.ndim > 1 else None
    return reshape_to(op(in_rows(x, size), shifts, (1,)), tuple(x.shape))


# ------------------------------------------------------------------------------ shapes that depend on the numbers

@rule(argwhere, indices_by_dim, distinct, distinct_runs, bincount, repeated_index)
def refused(op, mapped, payloads, size):
    raise without_one_shape(CALLED.get(op, op.shown))


#: the user's call, if that says more than the name of the row
CALLED = {argwhere: "aten::nonzero", indices_by_dim: "aten::where (or nonzero, or by a bool mask as an index)",
          repeated_index: "repeat_interleave by a mapped tensor"}


def without_one_shape(called):
    return error("MG117", "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
                          f"over {called}: the number of elements found differs between examples, and results of "
                          "different shapes cannot be stacked. Use torch.where(condition, x, 0) to keep the shape, or "
                          "call it outside vmap.")

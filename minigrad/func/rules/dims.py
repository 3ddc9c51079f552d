"""Batch rules of operations whose parameters count axes: a dim shifts by one, a size gets the batch in front.

    sum(x, dim=0)             of a batch is    sum(payload, dim=1)
    select_backward(g, sizes, dim=-1, i)       select_backward(payload, (B, *sizes), dim=len(sizes), i)

Which parameters those are is read off their names, so that one function, ``along``, serves some eighty rows.
Two things need care.  PyTorch lets a tensor without dims be reduced over dim 0, as if it had one: it is given one.
And ``dim=None`` means all dims, of the example: those after the first, of the batch.
"""

from minigrad._core.levels import apply
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad.ops.dims import one_dim
from minigrad.ops.kinds import ROWS
from minigrad.ops.reductions.totals import mean_dim, prod_dim, sum_dim
from minigrad.ops.shapes.joining import is_nothing
from minigrad.ops.shapes.reshaping import alias, reshape_to
from minigrad.ops.shapes.transposing import squeeze_dims, transpose

from .common import front_all, in_rows, rank_of, rule

DIMS = ("dim", "dims", "dim0", "dim1", "dim2", "dimension")
SIZES = ("input_sizes", "shape", "sizes", "self_sizes")


def behind(dim, rank, op):
    """The axes of a batch for the dims of an example."""
    if isinstance(dim, (tuple, list)):
        return tuple([one_dim(each, rank, op.shown) + 1 for each in dim])
    return one_dim(dim, rank, op.shown) + 1


def all_behind(rank):
    return tuple(range(1, rank + 1))


def shifted(op, payloads, rank, size):
    """The arguments with every dim shifted, and every size with the batch in front."""
    return [behind(x, rank, op) if name in DIMS and x is not None else (size, *x) if name in SIZES else x for name, x in zip(op.params, payloads)]


def first_rank(op, mapped, payloads, more=0):
    """To how many dims the dims of ``op`` refer: those of its size, or of its first tensor, and ``more``."""
    for name in SIZES:
        if name in op.params:
            return len(payloads[op.positions[name]])
    x, m = payloads[0], mapped[0]
    if isinstance(m, list):
        x, m = next((y, n) for y, n in zip(x, m) if y is not None)
    return rank_of(x, m) + more


@rule("transpose", "squeeze_dim", "squeeze_dims", "without_dim", "select", "slice", "diagonal", "diagonal_copy", "unbind", "split_equal",
      "split_with_sizes", "unfold", "rot90", "select_backward", "slice_backward", "diagonal_backward", "unfold_backward", "split_backward",
      "split_with_sizes_backward", "index_select_backward", "flip_dims", "cumsum", "reverse_cumsum", "cumprod_along", "logcumsumexp", "cummax", "cummin",
      "sort", "argsort", "topk", "softmax", "log_softmax", "softmax_backward", "log_softmax_backward", "shift", "shift_in", "scan", "scan_back",
      "exclusive_cumprod", "gather", "gather_backward", "gather_into", "scatter_src", "scatter_value",
      "scatter_multiply", "scatter_times", "scatter_add", "cat")
def along(op, mapped, payloads, size, more=0):
    """All tensors get the batch axis, all dims and sizes count it."""
    rank = first_rank(op, mapped, payloads, more)
    payloads = front_all(mapped, payloads, size)
    if op.name == "cat" and any([is_nothing(tuple(x.shape)[1:]) for x in payloads[0]]):
        return None
    if op.name in IN_A_ROW and payloads[op.positions["dim"]] is None:
        return in_a_row(op, payloads, size)
    if "index" in op.params and len({x.ndim for x in payloads if isinstance(x, Tensor)}) > 1:
        return None                     # a vector with an index or a source without dims
    if not rank and op.name in WITHOUT_DIMS:
        return as_vectors(op, payloads, size)
    return apply(op, shifted(op, payloads, rank, size))


#: what PyTorch does also to tensors without dims
WITHOUT_DIMS = {"transpose", "squeeze_dim", "squeeze_dims", "flip_dims", "cumsum", "reverse_cumsum", "cumprod_along", "logcumsumexp", "cummax", "cummin",
                "sort", "argsort", "topk", "softmax", "log_softmax", "softmax_backward", "log_softmax_backward", "shift", "shift_in", "scan", "scan_back",
                "exclusive_cumprod", "gather", "gather_backward", "gather_into", "scatter_src", "scatter_value",
                "scatter_multiply", "scatter_times", "scatter_add"}


#: helpers of cumulative.py, for which ``dim=None`` means all elements in a row
IN_A_ROW = {"shift", "shift_in", "scan", "scan_back", "exclusive_cumprod"}


def as_vectors(op, payloads, size):
    """Examples without dims get one, and their results lose it."""
    index = payloads[op.positions["index"]] if op.name == "gather" else None
    payloads = [in_rows(x, size) if isinstance(x, Tensor) else x for x in payloads]
    payloads = [(size, *x, *([1] if not x else [])) if name in SIZES else behind(x, 1, op) if name in DIMS else x
                for name, x in zip(op.params, payloads)]
    if index is not None:               # the result has the shape of the index
        return reshape_to(apply(op, payloads), tuple(index.shape))
    return each(apply(op, payloads),
                lambda x: reshape_to(x, (size, *([] if tuple(x.shape[1:]) == (1,) else x.shape[1:]))))


def in_a_row(op, payloads, size):
    """``dim=None`` in the helpers of cumulative.py: over all elements of the example in their order, keeping its shape."""
    shape = tuple(payloads[0].shape)
    flat = [in_rows(x, size) if isinstance(x, Tensor) else 1 if name == "dim" else x for name, x in zip(op.params, payloads)]
    return reshape_to(op(*flat), shape)


def each(out, change):
    """``change`` applied to the result, or to each of several."""
    if isinstance(out, Tensor):
        return change(out)
    return type(out)(*map(change, out)) if type(out) is not tuple else tuple(map(change, out))


@rule("unsqueeze", "diag_embed", "stack", "unbind_backward")
def along_new(op, mapped, payloads, size):
    """The same where the dims refer to the result, which has one more."""
    return along(op, mapped, payloads, size, 1)


@rule("permute_dims", "unpermute")
def permuted(op, mapped, payloads, size):
    x, dims = payloads
    return op(x, (0, *behind(dims, x.ndim - 1, op)))


@rule("t")
def transposed(op, mapped, payloads, size):
    x, = payloads
    return transpose(x, 1, 2) if x.ndim == 3 else alias(x) if x.ndim < 3 else None


@rule("squeeze_all")
def squeezed(op, mapped, payloads, size):
    x, = payloads
    return squeeze_dims(x, tuple([axis for axis, n in enumerate(x.shape) if axis and n == 1]))


@rule("roll_dims", "unroll")
def rolled(op, mapped, payloads, size):
    x, shifts, dims = payloads
    if len(dims) or len(shifts) != 1 or x.ndim == 1:
        return op(x, shifts, behind(dims, x.ndim - 1, op)) if x.ndim > 1 else None
    return reshape_to(op(in_rows(x, size), shifts, (1,)), tuple(x.shape))


@rule("cat_given", "cat_backward")
def with_shapes(op, mapped, payloads, size):
    """The shapes of the joined tensors get the batch in front, each."""
    x, shapes, dim = front_all(mapped, payloads, size)
    if any(map(is_nothing, shapes)):
        return None
    return op(x, [(size, *shape) for shape in shapes], behind(dim, len(shapes[0]), op))


# ------------------------------------------------------------------------------ reductions

@rule("sum_dim", "mean_dim", "nansum", "var_over", "std_over", "logsumexp", "amax", "amin", "norm_0", "norm_1", "norm_2", "norm_inf", "norm_p",
      "count_nonzero", "prod_dim", "max_dim", "min_dim", "kthvalue", "median_dim", "nanmedian_dim", "mode", "deviation")
def reduced(op, mapped, payloads, size):
    """Over dims of the example; None and () mean all of them."""
    x, at = payloads[0], op.positions["dim"]
    rank, dim = x.ndim - 1, payloads[at]
    if op.name in OVER_ONE_DIM:
        dim = one_dim(dim, rank, op.shown)
    every = dim is None or isinstance(dim, (tuple, list)) and not len(dim)
    axes = behind(dim, rank, op) if not every else all_behind(rank) if rank else 1
    if rank:
        return apply(op, [*payloads[:at], axes, *payloads[at + 1:]])
    if isinstance(dim, (tuple, list)) and len(dim) > 1:
        return None
    return each(apply(op, [reshape_to(x, (size, 1)), *payloads[1:at], 1, *payloads[at + 1:]]), lambda y: reshape_to(y, (size,)))


#: the reductions that take one dim, never several or none
OVER_ONE_DIM = {"prod_dim", "max_dim", "min_dim", "kthvalue", "median_dim", "nanmedian_dim", "mode", "argmax", "argmin"}


@rule("all", "any")
def truth(op, mapped, payloads, size):
    """Here () means no dim at all."""
    x, dim, keepdim = payloads
    return op(x, (), keepdim) if isinstance(dim, (tuple, list)) and not len(dim) else reduced(op, mapped, payloads, size)


@rule("argmax", "argmin")
def arg_extreme(op, mapped, payloads, size):
    """Without a dim they count through the flattened example."""
    x, dim, keepdim = payloads
    if dim is not None:
        return reduced(op, mapped, payloads, size)
    found = op(in_rows(x, size), 1, False)
    return reshape_to(found, (size,) + (1,) * (x.ndim - 1)) if keepdim else found


@rule("sum_all", "mean_all")
def total(op, mapped, payloads, size):
    x, dtype = payloads
    along_all = sum_dim if op.name == "sum_all" else mean_dim
    if x.ndim == 1:
        return along_all(reshape_to(x, (size, 1)), 1, False, dtype)
    return along_all(x, all_behind(x.ndim - 1), False, dtype)


@rule("prod_all")
def product(op, mapped, payloads, size):
    return prod_dim(in_rows(payloads[0], size), 1)


@rule("max_all", "min_all")
def extreme(op, mapped, payloads, size):
    return ROWS["amax" if op.name == "max_all" else "amin"](in_rows(payloads[0], size), 1)


# ------------------------------------------------------------------------------ and their formulas

@rule("expand_reduced", "mean_backward")
def spread(op, mapped, payloads, size):
    """A reduced tensor over the shape that was reduced."""
    x, shape, dim, keepdim = payloads
    rank = len(shape)
    if not rank:
        return x
    every = dim is None or isinstance(dim, (tuple, list)) and not len(dim)
    return op(x, (size, *shape), all_behind(rank) if every else behind(dim, rank, op), keepdim)


@rule("restore_dims")
def restored(op, mapped, payloads, size):
    x, dim, keepdim = payloads
    if keepdim or dim is None or x.ndim == 1:
        return x
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return op(x, behind(dims, x.ndim - 1 + len(dims), op), False)


@rule("put_along")
def put(op, mapped, payloads, size):
    grad, indices, shape, dim, keepdim = front_all(mapped, payloads, size)
    if not len(shape):
        return reshape_to(op(reshape_to(grad, (size,)), reshape_to(indices, (size,)), (size, 1), 1, False), (size,))
    return op(grad, indices, (size, *shape), behind(dim, len(shape), op), keepdim)


@rule("take_along")
def taken(op, mapped, payloads, size):
    x, indices, dim, keepdim = front_all(mapped, payloads, size)
    if x.ndim == 1:
        return reshape_to(op(reshape_to(x, (size, 1)), reshape_to(indices, (size,)), 1, False), (size,))
    return op(x, indices, behind(dim, x.ndim - 1, op), keepdim)


@rule("spread_to_ties", "collect_from_ties")
def tied(op, mapped, payloads, size):
    """``self`` is as it was before the reduction, ``result`` as after it."""
    given, x, result, dim, keepdim = front_all(mapped, payloads, size)
    rank = x.ndim - 1
    if not rank:
        given = reshape_to(given, (size,) if op.name == "spread_to_ties" else (size, 1))
        return reshape_to(op(given, reshape_to(x, (size, 1)), reshape_to(result, (size,)), 1, False), (size,))
    every = dim is None or isinstance(dim, (tuple, list)) and not len(dim)
    return op(given, x, result, all_behind(rank) if every else behind(dim, rank, op), keepdim)


@rule("product_of_others")
def others(op, mapped, payloads, size):
    x, result, dim, keepdim = front_all(mapped, payloads, size)
    if dim is None or x.ndim == 1:
        return reshape_to(op(in_rows(x, size), reshape_to(result, (size,)), 1, False), tuple(x.shape))
    return op(x, result, behind(dim, x.ndim - 1, op), keepdim)


# ------------------------------------------------------------------------------ what depends on the numbers

@rule("nonzero_rows", "distinct", "distinct_runs", "bincount", "repeated_index")
def refused(op, mapped, payloads, size):
    called = {"nonzero_rows": "nonzero (or by a bool mask as an index)", "distinct": "unique", "distinct_runs": "unique_consecutive",
              "repeated_index": "repeat_interleave by a mapped tensor"}.get(op.name, op.shown)
    raise error("MG117", f"vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over {called}: how many elements "
                         "it finds differs from example to example, and results of different shapes cannot be stacked. "
                         "Use torch.where(condition, x, 0) to keep the shape, or call it outside of vmap.")

"""Reductions of what is written to one place: scatter_reduce, index_reduce, segment_reduce.

Several elements of a source go to one element of a result, which is their sum, product, mean or extreme, together with
the old element or (``include_self=False``) without it.  Both functions come down to two flat lists: which element of
the source goes to which of the result::

    scatter_reduce(dim=1)     source (2, 3)     0  1  2  3  4  5         numbers in the flat arrays, from `sources`
    index [[0, 0, 1],         goes to           0  0  1  5  4  4         and `targets`
           [2, 1, 1]]         of (2, 3)

Sums and means pass a gradient on, and extremes share it evenly among the elements that are equal to the result, the old
one included.  A product's gradient is the product of all others: the elements are sorted by target, and there it is a
recurrence (cumulative.py) that begins anew with each target, so that it is exact with any number of zeros, and so are
its derivatives.

Neighbours: gathering.py and parts.py among the positions (scatter_add, index_add).
"""

from math import inf

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table_of_networks as kernels

from ..copying import zeros_of
from ..elementwise.arithmetic import divide_or_zero, keep
from ..elementwise.comparison import eq, logical_not
from ..elementwise.complex import conj
from ..elementwise.division import true_divide
from ..composites import composite, in_place
from ..kinds import general, not_differentiable
from ..positions.gathering import aligned, check_bounds, check_index, cut, numbers_along, take, take_backward
from ..positions.masking import choose
from ..positions.parts import check_parts, numbers_of_rows
from ..shapes.reshaping import reshaped
from .cumulative import scan, shift
from ..arguments import as_counts, in_int64, must_be_tensors, one_dim, own, refuse_complex, scalar_name

#: what segment_reduce calls its reductions, and the others take too -> their usual names
SEGMENTS = {"sum": "sum", "mean": "mean", "prod": "prod", "max": "amax", "min": "amin"}
UFUNCS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}

# ------------------------------------------------------------------------------ which goes where


def scatter_targets_kernel(index, dim, self_sizes, src_sizes):
    if not index.size:
        check_index("scatter_reduce", index)
        return np.empty(0, np.int64)
    shape, index, axis = aligned("scatter_reduce", self_sizes, dim, index, src_sizes)
    return numbers_along(shape, index, axis).reshape(-1)


def scatter_sources_kernel(index, src_sizes):
    numbers = np.arange(int(np.prod(src_sizes)), dtype=np.int64).reshape(src_sizes or (1,))
    return cut(numbers, index.shape or (1,)).reshape(-1) if index.size else np.empty(0, np.int64)


def index_targets_kernel(index, dim, self_sizes, source_sizes):
    """``check_parts`` looks at shapes and dtypes; empty arrays of these shapes cost nothing."""
    self, source = [np.broadcast_to(np.int8(0), sizes) for sizes in (self_sizes, source_sizes)]
    axis, index = check_parts("index_reduce", self, dim, index, source)
    check_bounds("index_reduce", index, self_sizes[axis] if self_sizes else 1, axis, "MG206",
                 "index out of range in self: index {} for dimension {} with size {}")
    return numbers_of_rows(self_sizes or (1,), index, axis).reshape(-1)


def private(schema, kernel, doc, fast=None):
    """A row of the formulas that answers with positions, counts or masks."""
    return not_differentiable(schema, kernel, promote=None, public=False, batch="loop", doc=doc, fast=fast)


scatter_targets = private("scatter_targets(Tensor index, int dim, Sizes self_sizes, Sizes src_sizes)",
                          scatter_targets_kernel, "The flat numbers of the elements that are written to.",
                          fast=kernels.targets_of_elements)
scatter_sources = private("scatter_sources(Tensor index, Sizes src_sizes)", scatter_sources_kernel,
                          "The flat numbers of the elements that are written.")
index_targets = private("index_targets(Tensor index, int dim, Sizes self_sizes, Sizes source_sizes)",
                        index_targets_kernel, "The flat numbers of the elements that parts are written to.",
                        fast=kernels.targets_of_parts)


def reduced(op, self, source, targets, reduce, include_self):
    """A copy of ``self`` in which the elements of the flat ``source`` are combined with those at ``targets``."""
    out, targets = self.copy(), own(targets)
    flat = out.reshape(-1)
    if reduce in ("amax", "amin"):
        refuse_complex(self, op)
    if not include_self:
        flat[targets] = identity(reduce, self.dtype)
    UFUNCS[reduce].at(flat, targets, source)
    if reduce == "mean":
        counts = np.maximum(np.bincount(as_counts(targets), minlength=flat.size) + include_self, 1)
        flat[...] = flat // counts if flat.dtype.kind in "iu" else flat / counts.astype(flat.real.dtype)
    return out


def identity(reduce, dtype):
    """What changes nothing: 0, 1, or a bound of all numbers."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    least = reduce == "amax"
    if dtype.kind == "b":
        return not least
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if least else np.iinfo(dtype).max
    return -inf if least else inf


# ------------------------------------------------------------------------------ the parts of the formulas


def touched(size, targets):
    mask = np.zeros(size, np.bool_)
    mask[own(targets)] = True
    return mask


def counts_kernel(self, targets, include_self):
    """How many elements each mean is made of, in the dtype of the elements; 1 where nothing was written."""
    counts = np.bincount(as_counts(own(targets)), minlength=self.size) + include_self
    return np.maximum(counts, 1).astype(self.real.dtype).reshape(self.shape)


def old_counts_kernel(self, targets, include_self):
    """Where the old element has a part in the result."""
    return np.full(self.shape, True) if include_self else ~touched(self.size, targets).reshape(self.shape)


def ties_kernel(self, source, result, targets, include_self):
    """How many elements are equal to each extreme, in the dtype of the elements."""
    targets = own(targets)
    count = ((self == result) & old_counts_kernel(self, targets, include_self)).reshape(-1).astype(np.int64)
    np.add.at(count, targets, source == result.reshape(-1)[targets])
    return count.astype(self.dtype).reshape(self.shape)


def order_kernel(self, targets, include_self):
    """All factors sorted by their target; numbers from ``self.size`` on are those of the source."""
    old = in_int64(np.flatnonzero(old_counts_kernel(self, targets, include_self)))
    return np.concatenate([old, self.size + np.arange(targets.size)])[
        np.argsort(np.concatenate([old, targets]), kind="stable")]


mean_counts = private("mean_counts(Tensor self, Tensor targets, bool include_self)", counts_kernel,
                      "How many elements each mean is made of.")
old_counts = private("old_counts(Tensor self, Tensor targets, bool include_self)", old_counts_kernel,
                     "Where the old element has a part in the result.")
extreme_ties = private("extreme_ties(Tensor self, Tensor source, Tensor result, Tensor targets, bool include_self)",
                       ties_kernel, "How many elements are equal to each extreme.")
factor_order = private("factor_order(Tensor self, Tensor targets, bool include_self)", order_kernel,
                       "All factors sorted by their target.")
is_old = private("is_old(Tensor order, Tensor self)", lambda order, self: order < self.size,
                 "Which of the sorted factors are old elements.")
old_number = private("old_number(Tensor order, Tensor self)", lambda order, self: np.where(order < self.size, order, 0),
                     "Their numbers, and 0 for the others.")
new_number = private("new_number(Tensor order, Tensor self)",
                     lambda order, self: np.maximum(order - self.size, 0),
                     "The numbers of the others in the source, and 0 for old elements.")
factor_target = private("factor_target(Tensor order, Tensor self, Tensor targets)",
                        lambda order, self, targets: np.concatenate([np.arange(self.size), targets])[own(order)],
                        "The target of each sorted factor.")
begins = private("begins(Tensor target, int step)",
                 lambda target, step: np.concatenate(
                     [[True], target[1:] != target[:-1]] if step > 0 else [target[1:] != target[:-1], [True]]
                 )[:target.size],
                 "Where a target is first met, from the front or (step -1) from the end.")


def product_of_the_others(x, target, step):
    """Of each sorted factor, the product of those before it (after it, for step -1) that have the same target."""
    first = begins(target, step)
    return scan(keep(zeros_of(x) + 1, first), keep(shift(x, 0, step), logical_not(first)), 0, step)


def slopes_of_products(d, self, source, targets, include_self):
    """For each sorted factor the gradient of its product times all other factors; and their order."""
    order = factor_order(self, targets, include_self)
    target = factor_target(order, self, targets)
    old = is_old(order, self)
    x = keep(take(self, old_number(order, self)), old) + keep(take(source, new_number(order, self)), logical_not(old))
    others = product_of_the_others(x, target, 1) * product_of_the_others(x, target, -1)
    return take(d, target) * conj(others), order, old


def old_slope(d, self, source, targets, reduce, include_self, result, self_shape):
    """What reaches the old elements."""
    if reduce == "prod":
        if not targets.shape[0]:
            return d
        slopes, order, old = slopes_of_products(d, self, source, targets, include_self)
        return take_backward(keep(slopes, old), self_shape, old_number(order, self))
    if reduce == "sum":
        return keep(d, old_counts(self, targets, include_self))
    if reduce == "mean":
        return keep(d / mean_counts(self, targets, include_self), old_counts(self, targets, include_self))
    share = divide_or_zero(d, extreme_ties(self, source, result, targets, include_self))
    return keep(keep(share, eq(self, result)), old_counts(self, targets, include_self))


def new_slope(d, self, source, targets, reduce, include_self, result, source_shape):
    """What reaches the elements that are written, a flat list."""
    if reduce == "prod":
        if not targets.shape[0]:
            return zeros_of(source)
        slopes, order, old = slopes_of_products(d, self, source, targets, include_self)
        return take_backward(keep(slopes, logical_not(old)), source_shape, new_number(order, self))
    if reduce == "sum":
        return take(d, targets)
    if reduce == "mean":
        return take(d / mean_counts(self, targets, include_self), targets)
    share = divide_or_zero(d, extreme_ties(self, source, result, targets, include_self))
    return keep(take(share, targets), eq(source, take(result, targets)))


def reduced_at(op, node):
    """The row of one of the functions."""
    def kernel(self, source, targets, reduce, include_self):
        return reduced(op, self, source, targets, reduce, include_self)
    return general(f"{op}_at(Tensor self, Tensor source, Tensor targets, str reduce, bool include_self)", kernel,
                   self=old_slope, source=new_slope, node=node, public=False, batch="loop", shown=op,
                   traceable=False, fast=kernels.reduce_at,
                   doc="The elements of a flat source combined with those of ``self`` at flat positions.")


scatter_reduce_at = reduced_at("scatter_reduce", "ScatterReduceBackward0")
index_reduce_at = reduced_at("index_reduce", "IndexReduceBackward0")

# ------------------------------------------------------------------------------ the functions


def check_tensors(op, **tensors):
    if not all([isinstance(each, Tensor) for each in tensors.values()]):
        raise must_be_tensors(op, **tensors)


def scatter_arguments(self, dim, index, src, reduce, include_self):
    check_tensors("scatter_reduce", self=self, index=index, src=src)
    reduce = SEGMENTS.get(reduce, reduce)
    if reduce not in UFUNCS:
        raise error("MG204", "scatter_reduce(): reduce argument must be either sum, prod, mean, amax or amin, got "
                             f"{reduce}")
    if self.dtype is not src.dtype:
        raise error("MG202", f"scatter_reduce(): scatter(): Expected self.dtype to be equal to src.dtype: {self.dtype} "
                             f"and {src.dtype}")
    axis, sizes = one_dim(dim, self.ndim, "scatter_reduce"), tuple(src.shape)
    targets = scatter_targets(index, axis, tuple(self.shape), sizes)
    source = reshaped(src, (-1,)) if tuple(index.shape) == sizes else take(src, scatter_sources(index, sizes))
    return source, targets, reduce, bool(include_self)


@composite(out="exact", types="Tensor Dim Tensor Tensor str bool")
def scatter_reduce(self, dim, index, src, reduce, *, include_self=True):
    """A copy of ``self`` in which ``src`` is reduced into the places ``index`` along ``dim``.

    ``reduce`` is "sum", "prod", "mean", "amax" or "amin"; the old elements take part unless ``include_self=False``.
    Equal extremes share the gradient evenly.

    >>> x, index = torch.tensor([1., 2., 3.]), torch.tensor([0, 0, 2])
    >>> x.scatter_reduce(0, index, torch.tensor([4., 6., 2.]), reduce="mean", include_self=False)
    tensor([5., 2., 2.])
    """
    return scatter_reduce_at(self, *scatter_arguments(self, dim, index, src, reduce, include_self))


@in_place("scatter_reduce_")
def scatter_reduce_into(self, dim, index, src, reduce, *, include_self=True):
    """``src`` is reduced into the places ``index`` of ``self`` along ``dim``; see ``scatter_reduce``.

    >>> torch.tensor([1., 2.]).scatter_reduce_(0, torch.tensor([1, 1]), torch.tensor([3., 4.]), reduce="prod")
    tensor([ 1., 24.])
    """
    return scatter_reduce_at.inplace(self, *scatter_arguments(self, dim, index, src, reduce, include_self))


def index_arguments(self, dim, index, source, reduce, include_self):
    check_tensors("index_reduce", self=self, index=index, source=source)
    reduce = SEGMENTS.get(reduce, reduce)
    if reduce not in UFUNCS or reduce == "sum":
        raise error("MG204", "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
                             f"{reduce}.")
    if self.dtype is not source.dtype:
        raise error("MG202", f"index_reduce(): self ({scalar_name(self.dtype.numpy)}) and source "
                             f"({scalar_name(source.dtype.numpy)}) must have the same scalar type")
    axis = one_dim(dim, self.ndim, "index_reduce")
    targets = index_targets(index, axis, tuple(self.shape), tuple(source.shape))
    return reshaped(source, (-1,)), targets, reduce, bool(include_self)


@composite(out="exact", types="Tensor Dim Tensor Tensor str bool")
def index_reduce(self, dim, index, source, reduce, *, include_self=True):
    """A copy of ``self`` in which the parts of ``source`` are reduced into those with the numbers ``index``.

    ``reduce`` is "prod", "mean", "amax" or "amin"; the old elements take part unless ``include_self=False``.

    >>> torch.ones(2, 2).index_reduce(0, torch.tensor([1, 1]), torch.tensor([[2., 3.], [4., 5.]]), "prod")
    tensor([[ 1.,  1.],
            [ 8., 15.]])
    """
    return index_reduce_at(self, *index_arguments(self, dim, index, source, reduce, include_self))


@in_place("index_reduce_")
def index_reduce_into(self, dim, index, source, reduce, *, include_self=True):
    """The parts of ``source`` along ``dim`` are reduced into those of ``self`` with the numbers ``index``.

    >>> torch.ones(2).index_reduce_(0, torch.tensor([1, 1]), torch.tensor([2., 3.]), "prod")
    tensor([1., 6.])
    """
    return index_reduce_at.inplace(self, *index_arguments(self, dim, index, source, reduce, include_self))


# ------------------------------------------------------------------------------ segments

def segments_of(data, lengths, offsets, axis, unsafe):
    """For each element along ``axis`` the number of its segment, and how many segments there are."""
    if lengths is None and offsets is None:
        raise error("MG204", "segment_reduce(): Either lengths or offsets must be defined.")
    lengths = own((lengths if lengths is not None else offsets.diff()).detach().numpy(force=True))
    if axis != lengths.ndim - 1:
        raise error("MG204", f"segment_reduce(): Expected axis to be the last dimension of lengths but got {axis}.")
    if lengths.size and lengths.min() < 0:
        raise error("MG204", "segment_reduce(): lengths contains negative value!")
    wanted, rows = data.shape[axis], lengths.reshape(-1, lengths.shape[-1])
    if lengths.shape[:-1] != tuple(data.shape[:axis]) or not unsafe and (rows.sum(-1) != wanted).any():
        raise error("MG201", "segment_reduce(): Expected all rows of lengths along axis to sum to "
                             f"data.size(lengths.dim()-1) when !unsafe. They are of {wanted} elements")
    count = lengths.shape[-1]
    found = np.array([np.repeat(np.arange(count), as_counts(row)) for row in rows], np.int64)
    return found.reshape(*lengths.shape[:-1], wanted), lengths, count


@composite(method=False, out=False, types="Tensor str Tensor? Tensor? Tensor? int bool Scalar?")
def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """Each segment of ``data`` along ``axis`` reduced to one element: "sum", "mean", "prod", "max" or "min".

    The segments follow one another and have these ``lengths``, or begin and end at ``offsets``.  ``initial`` takes part
    in each reduction; without it, an empty segment is 0, nan, 1, -inf or inf.

    >>> torch.segment_reduce(torch.tensor([1., 2., 4.]), "max", lengths=torch.tensor([1, 2]))
    tensor([1., 4.])
    """
    if reduce not in SEGMENTS:
        raise error("MG204", "segment_reduce(): reduce argument must be either sum, prod, mean, max or min, got "
                             f"{reduce}")
    if not data.dtype.is_floating_point:
        raise error("MG202", f'"segment_reduce" not implemented for {data.dtype}: it reduces real numbers')
    axis = one_dim(axis, data.ndim, "segment_reduce")
    segments, lengths, count = segments_of(data, lengths, offsets, axis, unsafe)
    behind = (1,) * (data.ndim - axis - 1)
    shape = (*data.shape[:axis], count, *data.shape[axis + 1:])
    index = constant(np.broadcast_to(segments.reshape(segments.shape + behind), tuple(data.shape)).copy(), data)
    how = "sum" if reduce == "mean" else SEGMENTS[reduce]
    extreme = reduce in ("max", "min")
    start = constant(np.full(shape, identity(how, data.dtype.numpy) if initial is None or extreme else initial,
                             data.dtype.numpy), data)
    found = scatter_reduce(start, axis, index, data, how)
    if extreme and initial is not None:                 # beside it, the elements of the data have the gradient
        return choose(found < initial if reduce == "max" else found > initial, initial, found)
    if reduce != "mean":
        return found
    lengths = lengths if initial is None else np.maximum(lengths, 1)
    return true_divide(found, constant(lengths.reshape(lengths.shape + behind).astype(data.dtype.numpy), data))

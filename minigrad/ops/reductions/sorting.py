"""Order: sorting, selection by rank, distinct values, places in an order, counting into bins.

Sorting moves entries and changes none, so its gradient moves back to where the entries came from:
every operation here that returns ``indices`` has the one formula ``put_along``.  Where several entries
are equal, PyTorch leaves open which index is named (it may vary from run to run); here their order is
that of a stable sort, for topk, kthvalue and median too.  nan counts as greater than all numbers.

Neighbours: extremes.py (max and min, ``put_along`` itself), gathering.py (gather).
This module defines its own ``median``, ``mode``, ``sort``, ``unique`` and so on as PyTorch names them.
"""

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels

from ..composites import composite
from ..kinds import general, linear, not_differentiable
from ..positions.gathering import take
from ..positions.parts import index_select
from .extremes import put_along, spread_to_ties
from ..arguments import as_counts, in_int64, in_rows, in_single, own, refuse_complex, refuse_empty, scalar_name

# ------------------------------------------------------------------------------ sort and rank


def order_of(self, axis, descending=False):
    """The indices that sort an array, equal entries in the order in which they come, and nan last."""
    self = own(in_single(self))                 # NumPy's bfloat16 has no place for nan
    if not descending:
        return in_int64(np.argsort(self, axis=axis, kind="stable"))
    # Sorted from the far end and read backwards, equal entries keep their order and nan comes first.
    backwards = in_int64(np.flip(np.argsort(np.flip(self, axis), axis=axis, kind="stable"), axis))
    return self.shape[axis] - 1 - backwards


def with_a_dim(self, op):
    """The array with at least one dim, to sort along."""
    refuse_complex(self, op)
    return self if self.ndim else self.reshape(1)


def sort_kernel(self, dim, descending, stable):
    array = with_a_dim(self, "sort")
    order = order_of(array, dim, descending)
    return np.take_along_axis(array, order, dim).reshape(self.shape), order.reshape(self.shape)


sort = general("sort(Tensor self, Dim dim=-1, bool descending=False, bool? stable=False)", sort_kernel,
               self=lambda d, indices, self_shape, dim: put_along(d, indices, self_shape, dim, True),
               outputs=("values", "indices"), differentiable=("values",),
               fast=kernels.sort,
               layout="self", doc="""The entries sorted along ``dim``, and where they were. The order is always stable.

>>> torch.sort(torch.tensor([3., 1., 2.]))
torch.return_types.sort(
values=tensor([1., 2., 3.]),
indices=tensor([1, 2, 0]))
""")


def argsort_kernel(self, dim, descending, stable):
    return order_of(with_a_dim(self, "argsort"), dim, descending).reshape(self.shape)


argsort = not_differentiable("argsort(Tensor self, Dim dim=-1, bool descending=False, bool stable=False)",
                             argsort_kernel,
                             fast=kernels.argsort,
                             layout="self",
                             doc="""The indices that sort the entries along ``dim``. The order is always stable.

>>> torch.argsort(torch.tensor([3., 1., 2.]), descending=True)
tensor([0, 2, 1])
""")


@composite(out="exact")
def msort(self):
    """The entries sorted along the first dim.

    >>> torch.msort(torch.tensor([[2, 1], [1, 3]]))
    tensor([[1, 1],
            [2, 3]])
    """
    return sort(self, 0)[0]


def topk_kernel(self, k, dim, largest, sorted):
    array = with_a_dim(self, "topk")
    if not 0 <= k <= array.shape[dim]:
        raise fewer_than_k(k, dim, self.shape)
    order = np.take(order_of(array, dim, largest), np.arange(k), dim)
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    return np.take_along_axis(array, order, dim), order


topk = general("topk(Tensor self, int k, Dim dim=-1, bool largest=True, bool sorted=True)", topk_kernel,
               self=lambda d, indices, self_shape, dim: put_along(d, indices, self_shape, dim, True),
               outputs=("values", "indices"), differentiable=("values",),
               fast=kernels.topk,
               doc="""The k greatest entries along ``dim`` (or the least), in order, and where they are.

>>> torch.topk(torch.tensor([1., 4., 2., 3.]), 2)
torch.return_types.topk(
values=tensor([4., 3.]),
indices=tensor([1, 3]))
""")


def picked(self, axis, order, rank, keepdim):
    """The entry of a rank along an axis, and its index; ``rank`` is a number, or an array with a dim of size one."""
    rank = np.broadcast_to(rank, tuple([1 if i == axis else n for i, n in enumerate(order.shape)]))
    indices = np.take_along_axis(order, rank, axis)
    values = np.take_along_axis(self, indices, axis)
    return [in_rows(each if keepdim else each.squeeze(axis)) for each in (values, indices)]


def by_rank(op, rank_of):
    """The kernel of an operation that sorts along a dim and picks one entry: ``rank_of(array, axis, *parameters)``."""
    def kernel(self, *parameters):
        *parameters, axis, keepdim = parameters
        array = with_a_dim(self, op)
        refuse_empty(array, (axis,), op)
        rank = rank_of(array, axis, *parameters)
        values, indices = picked(array, axis, order_of(array, axis), rank, keepdim)
        return (values, indices) if self.ndim else (values.reshape(()), indices.reshape(()))
    return kernel


def kth_rank(array, axis, k):
    if not 1 <= k <= array.shape[axis]:
        raise no_kth_entry(k, axis, array.shape[axis])
    return k - 1


kthvalue = general("kthvalue(Tensor self, int k, Dim dim=-1, bool keepdim=False)", by_rank("kthvalue", kth_rank),
                   self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
                   outputs=("values", "indices"), differentiable=("values",),
                   apart=True, fast=kernels.kthvalue, doc="""
The k-th least entry along ``dim`` (k counts from 1), and where it is.

>>> torch.kthvalue(torch.tensor([5., 1., 3.]), 2).values
tensor(3.)
""")

# ------------------------------------------------------------------------------ median and mode


def missing(array):
    """Which entries are nan."""
    return array != array


def median_rank(array, axis):
    """The rank of the median, the lower of two in the middle; that of nan, which is sorted last, if there is any."""
    count = array.shape[axis]
    nans = np.add.reduce(missing(array), axis=axis, keepdims=True, dtype=np.int64)
    return np.where(nans > 0, count - nans, (count - 1) // 2)


def nanmedian_rank(array, axis):
    """The same among the entries that are not nan."""
    numbers = np.add.reduce(~missing(array), axis=axis, keepdims=True, dtype=np.int64)
    return np.maximum(numbers - 1, 0) // 2


def over_all(op, rank_of):
    """The kernel of median and nanmedian over all entries; nan where there are none."""
    def kernel(self):
        if not self.size:
            if self.dtype.kind in "biu":
                raise no_middle(op, self.dtype)
            return np.full((), np.nan, self.dtype)
        return by_rank(op, rank_of)(self.reshape(-1), 0, False)[0]
    return kernel


median_all = general("median(Tensor self)", over_all("median", median_rank),
                     self=lambda d, self, result: spread_to_ties(self, result, d, None, False),
                     node="MedianBackward0", fast=kernels.median_all, out="exact", batch="loop",
                     doc="The median of all entries.", function_doc="""
The entry in the middle (the lower of two), of all or along ``dim`` with its index; nan if any entry is nan.

>>> torch.median(torch.tensor([4., 1., 3., 2.]))
tensor(2.)
>>> torch.median(torch.tensor([[1., 5., 3.]]), dim=1).indices
tensor([2])
""")

median_dim = general("median.dim(Tensor self, Dim dim, bool keepdim=False)", by_rank("median", median_rank),
                     self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
                     outputs=("values", "indices"), differentiable=("values",), node="MedianBackward1",
                     fast=kernels.median_dim, out="exact",
                     doc="The median along a dim, and where it is.")

nanmedian_all = general("nanmedian(Tensor self)", over_all("nanmedian", nanmedian_rank),
                        self=lambda d, self, result: spread_to_ties(self, result, d, None, False),
                        node="NanmedianBackward0", fast=kernels.nanmedian_all, out="exact", batch="loop",
                        doc="The median of all entries that are not nan.", function_doc="""
``median`` of the entries that are not nan.

>>> torch.nanmedian(torch.tensor([4., float("nan"), 1., 3.]))
tensor(3.)
""")

nanmedian_dim = general("nanmedian.dim(Tensor self, Dim dim, bool keepdim=False)", by_rank("nanmedian", nanmedian_rank),
                        self=lambda d, indices, self_shape, dim, keepdim:
                        put_along(d, indices, self_shape, dim, keepdim),
                        outputs=("values", "indices"), differentiable=("values",), node="NanmedianBackward1",
                        fast=kernels.nanmedian_dim, out="exact",
                        doc="The median along a dim of the entries that are not nan.")


def mode_kernel(self, dim, keepdim):
    """Equal entries are runs in sorted order; the last entry of the longest is the answer, the first of equal ones."""
    array = with_a_dim(self, "mode")
    refuse_empty(array, (dim,), "mode")
    order = order_of(array, dim)
    ranked = np.moveaxis(np.take_along_axis(array, order, dim), dim, -1)
    place = np.arange(ranked.shape[-1])
    starts = np.ones(ranked.shape, np.bool_)
    starts[..., 1:] = ranked[..., 1:] != ranked[..., :-1]
    length = place - np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
    rank = np.moveaxis(length.argmax(axis=-1, keepdims=True), -1, dim)
    values, indices = picked(array, dim, order, rank, keepdim)
    return (values, indices) if self.ndim else (values.reshape(()), indices.reshape(()))


mode = general("mode(Tensor self, Dim dim=-1, bool keepdim=False)", mode_kernel,
               self=lambda d, indices, self_shape, dim, keepdim: put_along(d, indices, self_shape, dim, keepdim),
               outputs=("values", "indices"), differentiable=("values",),
               fast=kernels.mode,
               doc="""The most frequent entry along ``dim`` (of equally frequent ones the least), and its last index.

>>> torch.mode(torch.tensor([1, 2, 2, 3]))
torch.return_types.mode(
values=tensor(2),
indices=tensor(2))
""")

# ------------------------------------------------------------------------------ distinct values


def unique_kernel(self, dim):
    refuse_complex(self, "unique")
    _, firsts, inverse, counts = np.unique(in_single(self), True, True, True, axis=dim if self.ndim else None,
                                           equal_nan=False)
    inverse = inverse.reshape(self.shape if dim is None else -1)
    return [in_int64(each) for each in (firsts, inverse, counts)]


def unique_consecutive_kernel(self, dim):
    rows = self.reshape(-1, 1) if dim is None else np.moveaxis(self, dim, 0).reshape(self.shape[dim], -1)
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    inverse = (np.cumsum(new) - 1).reshape(self.shape if dim is None else -1)
    return [in_int64(each) for each in (starts, inverse, np.diff(starts, append=len(rows)))]


distinct = not_differentiable("distinct(Tensor self, Dim? dim=None)", unique_kernel,
                              outputs=("firsts", "inverse_indices", "counts"), public=False, shown="unique",
                              fast=kernels.distinct,
                              doc="""
The places of the distinct entries in ascending order, the place of each entry among them, and how often each occurs.
""")

distinct_runs = not_differentiable("distinct_runs(Tensor self, Dim? dim=None)", unique_consecutive_kernel,
                                   outputs=("firsts", "inverse_indices", "counts"), public=False,
                                   shown="unique_consecutive", fast=kernels.distinct_runs,
                                   doc="The same with one entry for each run of equal ones.")


def chosen(self, dim, found, return_inverse, return_counts):
    """The values, and the inverse and the counts if they were asked for: a tensor, or a tuple.

    The values are picked from ``self``, each where it comes first, and that entry gets the gradient.
    """
    firsts, inverse, counts = found
    values = take(self, firsts) if dim is None or not self.ndim else index_select(self, dim, firsts)
    out = (values,) + (inverse,) * bool(return_inverse) + (counts,) * bool(return_counts)
    return out if len(out) > 1 else values


@composite(out=False)
def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct entries in ascending order, or the distinct slices along ``dim``. Of equal entries the first gets
    the gradient.

    ``return_inverse`` adds the place of each entry among them, and ``return_counts`` how often each of them occurs.

    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    return chosen(self, dim, distinct(self, dim), return_inverse, return_counts)


@composite(out=False)
def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    """One entry for each run of equal ones.

    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    return chosen(self, dim, distinct_runs(self, dim), return_inverse, return_counts)

# ------------------------------------------------------------------------------ places in an order


def search_kernel(sorted_sequence, input, sorter, out_int32, right, side):
    if side not in (None, "left", "right"):
        raise error("MG204", f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise opposite_sides()
    if not sorted_sequence.ndim:
        raise boundaries_without_dims()
    if sorted_sequence.ndim > 1 and sorted_sequence.shape[:-1] != input.shape[:-1]:
        raise rows_differ(sorted_sequence.shape, input.shape)
    if sorter is not None:
        sorted_sequence = np.take_along_axis(sorted_sequence, own(sorter), -1)
    side = "right" if right or side == "right" else "left"
    found = bisected(in_single(sorted_sequence), in_single(input), np.greater if side == "right" else np.greater_equal)
    return found.astype(np.int32 if out_int32 else np.int64, copy=False)


def bisected(rows, sought, beyond):
    """The places by plain bisection, of all values at once; PyTorch's even where a row is not sorted or has nan."""
    low, high = np.zeros(sought.shape, np.int64), np.full(sought.shape, rows.shape[-1])
    while (going_on := low < high).any():
        middle = np.minimum((low + high) // 2, rows.shape[-1] - 1)
        entries = rows[middle] if rows.ndim == 1 else np.take_along_axis(rows, middle, -1)
        before = beyond(entries, sought)
        high = np.where(going_on & before, middle, high)
        low = np.where(going_on & ~before, middle + 1, low)
    return low


search = not_differentiable("search(Tensor sorted_sequence, Tensor input, Tensor? sorter, bool out_int32, bool right, "
                            "str? side)",
                            search_kernel, promote_args=("sorted_sequence", "input"), public=False,
                            fast=kernels.search,
                            doc="The kernel of ``searchsorted`` and ``bucketize``.")


@composite(method=False, out="exact")
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    """Where to insert each value so that the sequence stays sorted: before equal entries, or after them (``right``).

    A sequence with several dims is searched row by row.

    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([0, 3, 6]))
    tensor([0, 1, 3])
    """
    return search(sorted_sequence, input, sorter, out_int32, right, side)


@composite(method=False, out="exact")
def bucketize(input, boundaries, *, out_int32=False, right=False):
    """The number of the interval between ``boundaries`` in which each value lies.

    >>> torch.bucketize(torch.tensor([0., 1., 2.]), torch.tensor([1., 1.5]))
    tensor([0, 0, 2])
    """
    if isinstance(boundaries, Tensor) and boundaries.ndim != 1:
        raise error("MG201", f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return search(boundaries, input, None, out_int32, right, None)

# ------------------------------------------------------------------------------ counting into bins


def bincount_kernel(self, weights, minlength):
    if self.dtype.kind not in "iu":
        raise not_integers(self.dtype)
    self = own(self)
    if self.ndim != 1 or (self.size and self.min() < 0):
        raise not_counts(self)
    if self.size and self.max() >= np.iinfo(np.int64).max:
        raise too_large_to_count(self.max())            # NumPy would write beyond its memory
    if minlength < 0:
        raise error("MG204", f"minlength should be >= 0, but it is {minlength}")
    if weights is None:
        return in_int64(np.bincount(as_counts(self), minlength=minlength))
    if weights.shape != self.shape:
        raise weights_differ(weights.shape, self.shape)
    kept = weights.dtype if weights.dtype == np.float32 else np.float64
    return np.bincount(as_counts(self), weights.real, minlength).astype(kept, copy=False)


bincount = linear("bincount(Tensor self, Tensor? weights=None, int minlength=0)", bincount_kernel,
                  weights=lambda d, self: take(d, self),
                  fast=kernels.bincount, out=False,
                  doc="""How often each of the numbers 0, 1, 2 ... occurs, or the sum of its weights.

>>> torch.bincount(torch.tensor([1, 2, 2]))
tensor([0, 1, 2])
""")


def histc_kernel(self, bins, min, max):
    kept, self = self.dtype, in_single(self)
    if self.dtype.kind != "f":
        raise not_real(self.dtype)
    if bins <= 0:
        raise error("MG204", f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0 of histc()")
    if min == max and self.size:
        min, max = self.min(), self.max()
    if min == max:
        min, max = min - 1, max + 1
    if min == max and np.isfinite(min):     # so large that 1 makes no difference: all lie in the middle
        return np.where(np.arange(bins) == bins // 2, self.size, 0).astype(kept)
    if max < min:
        raise error("MG204", f"torch.histc: max must be larger than min, but they are {max} and {min}")
    if not (np.isfinite(min) and np.isfinite(max)):
        raise error("MG204", f"torch.histc: range of [{min}, {max}] is not finite")
    return np.histogram(own(self), bins, (min, max))[0].astype(kept)


histc = not_differentiable("histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0)", histc_kernel, batch="loop",
                           fast=kernels.histc,
                           doc="""How many entries fall into each of ``bins`` equal intervals from min to max.

If min and max are equal, they are those of the data.

>>> torch.histc(torch.tensor([1., 2., 1.]), bins=4, min=0, max=3)
tensor([0., 2., 1., 0.])
""")


# ------------------------------------------------------------------------------ errors

def fewer_than_k(k, dim, shape):
    return error("MG204", f"selected index k out of range: topk() was asked for {k} entries along dim {dim} of a "
                          f"tensor of shape {list(shape)}")


def no_kth_entry(k, axis, count):
    return error("MG204", f"kthvalue(): selected number k out of range for dimension {axis}: k is {k}, and there are "
                          f"{count} entries, counted from 1")


def no_middle(op, dtype):
    return error("MG204", f"{op}() of an empty tensor of {scalar_name(dtype)}: no entry is in the middle")


def opposite_sides():
    return error("MG204", "torch.searchsorted(): side and right can't be set to opposites, got side of left while "
                          "right was True. Leave one of them out")


def boundaries_without_dims():
    return error("MG201", "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 "
                          "dimension")


def rows_differ(sequence, values):
    return error("MG201", "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions "
                          "of boundaries tensor and input value tensor must match, but we got boundaries tensor "
                          f"{list(sequence)} and input value tensor {list(values)}")


def not_integers(dtype):
    return error("MG202", f'"bincount_cpu" not implemented for {scalar_name(dtype)!r}: bincount() counts '
                          "non-negative integers")


def not_counts(numbers):
    return error("MG204", "bincount only supports 1-d non-negative integral inputs. "
                          f"This one has shape {numbers.shape}"
                          + (f" and least entry {numbers.min()}" if numbers.size else ""))


def too_large_to_count(greatest):
    return error("MG204", f"maximum value of input overflowed, it should be < {np.iinfo(np.int64).max} but got "
                          f"{greatest}: bincount() has a place for each number from 0 to the greatest")


def weights_differ(weights, numbers):
    return error("MG201", f"weights should be 1-d and have the same length as input: their shapes are {weights} and "
                          f"{numbers}")


def not_real(dtype):
    return error("MG202", f'"histogram_cpu" not implemented for {scalar_name(dtype)!r}: histc() counts real '
                          "numbers, so convert with .float()")

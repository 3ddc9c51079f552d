"""Embeddings of bags: for each bag of numbers, the sum, the mean or the largest of the vectors that they stand for.

    numbers     4 1 3 4 | 2 | | 0 3         the offsets 0 4 5 5 say where the bags begin
    bags        0 0 0 0   1     3 3         the third of these four is empty, and its result is zero

The number i stands for the row n[i] of the matrix W, which it multiplies by p[i] and adds to its bag b[i].  Everything
about sums and means follows from one sum of three factors, in each of which it is linear:

    T(W, p, D) = sum over i of  s[i] p[i] <W[n[i]], D[b[i]]>        s[i] = 1, or 1 / the size of the bag; 0 for padding

    bag_sums = dT/dD        bag_spread = dT/dW        bag_products = dT/dp

So the derivative of each of the three rows is one of the others.  The largest entries are found, and then gathered.

Neighbours: embedding.py, gathering.py; _core/kernels/networks/embedding_bags.pyx.
"""

import numpy as np

from minigrad._core.devices.device_arrays import constant
from minigrad._core.errors import error, warn
from minigrad._core.kernels import table_of_networks as kernels

from ..elementwise.comparison import eq
from ..elementwise.division import div
from ..composites import composite
from ..kinds import linear, multilinear, not_differentiable
from ..positions.embedding import embedding_rows, renorm_rows, sparse_gradient
from ..positions.gathering import check_bounds, gather
from ..positions.masking import masked_fill_value
from ..reductions.extremes import max_dim
from ..reductions.totals import mean_dim, sum_dim
from ..shapes.transposing import unsqueeze
from ..arguments import as_counts, in_int64, in_single, own, scalar_name

SUM, MEAN, MAX = range(3)
MODES = ("sum", "mean", "max")


def bags_kernel(indices, offsets, rows, include_last_offset, padding_idx):
    """Which bag each number belongs to, and how many numbers but the padding each bag has."""
    check_bounds("embedding_bag", indices, rows, 0, "MG204",
                 "Expected idx >= 0 && idx < num_embeddings but found idx to be {0}, which is not in the valid "
                 "range [0, {2})")
    count = indices.size
    starts = offsets[:-1] if include_last_offset else offsets
    sizes = np.diff(np.append(starts, offsets[-1] if include_last_offset else count))
    if (sizes < 0).any():
        raise error("MG204", f"embedding_bag(): offsets must not decrease, but they are {offsets.tolist()}")
    bags = np.repeat(np.arange(starts.size), as_counts(sizes))
    if bags.size != count:
        raise error("MG204", f"embedding_bag(): the offsets end at {bags.size}, and there are {count} numbers")
    if padding_idx >= 0:
        sizes = np.bincount(as_counts(bags[indices != padding_idx]), minlength=starts.size)
    return bags.astype(offsets.dtype), sizes.astype(offsets.dtype)


def largest_kernel(weight, indices, bags, sizes, padding_idx):
    """For each bag and each column, the row of ``weight`` with the largest entry; 0 where a bag is empty."""
    found = np.zeros((sizes.size, weight.shape[1]), np.int64)
    order = np.flatnonzero(indices != padding_idx) if padding_idx >= 0 else np.arange(bags.size)
    rows, bags = in_single(weight)[indices[order]], bags[order]
    starts = np.flatnonzero(np.diff(bags, prepend=-1))
    if starts.size:
        largest = np.maximum.reduceat(rows, starts).repeat(np.diff(starts, append=bags.size), 0)
        places = np.where((rows == largest) | (rows != rows), order[:, None], np.iinfo(order.dtype).max)
        found[bags[starts]] = indices[np.minimum.reduceat(places, starts)]
    return found


def factors(per_sample_weights, indices, bags, sizes, mean, padding_idx, dtype):
    """s[i] p[i], as a column."""
    out = np.ones(indices.size, dtype) if per_sample_weights is None else per_sample_weights
    if mean:
        out = out / np.maximum(sizes, 1)[bags].astype(out.real.dtype)
    return np.where(indices == padding_idx, 0, out)[:, None] if padding_idx >= 0 else out[:, None]


def added(rows, at, count):
    """Each of the rows added to the one with its number, of ``count``."""
    out = np.zeros((count, rows.shape[1]), rows.dtype)
    np.add.at(out, at, rows)
    return out


def counted(rows, indices, padding_idx):
    """Where padding is, zeros: there may be inf."""
    return np.where((indices == padding_idx)[:, None], 0, rows) if padding_idx >= 0 else rows


def sums_kernel(weight, per_sample_weights, indices, bags, sizes, mean, padding_idx):
    indices, bags = own(indices), own(bags)
    rows = counted(weight[indices], indices, padding_idx)
    if per_sample_weights is not None:
        rows = rows * factors(per_sample_weights, indices, bags, sizes, False, padding_idx, rows.dtype)
    out = added(rows, bags, sizes.size)
    return out / np.maximum(sizes, 1)[:, None].astype(out.real.dtype) if mean else out


def spread_kernel(grad, per_sample_weights, indices, bags, sizes, mean, padding_idx, weight_sizes):
    indices, bags = own(indices), own(bags)
    rows = grad[bags] * factors(per_sample_weights, indices, bags, sizes, mean, padding_idx, grad.dtype)
    return added(counted(rows, indices, padding_idx), indices, weight_sizes[0])


def products_kernel(weight, grad, indices, bags, sizes, mean, padding_idx):
    indices, bags = own(indices), own(bags)
    rows = counted(weight[indices] * grad[bags], indices, padding_idx)
    return rows.sum(1) * factors(None, indices, bags, sizes, mean, padding_idx, rows.dtype)[:, 0]


bags_of = not_differentiable(
    "embedding_bags(Tensor indices, Tensor offsets, int rows, bool include_last_offset, int padding_idx)", bags_kernel,
    outputs=("bags", "sizes"), promote=None, public=False, shown="embedding_bag", batch="loop",
    fast=kernels.embedding_bags, doc="The bag of each number, and the sizes of the bags.")

largest_in = not_differentiable(
    "largest_in_bags(Tensor weight, Tensor indices, Tensor bags, Tensor sizes, int padding_idx)", largest_kernel,
    promote=None, public=False, shown="embedding_bag", batch="loop", fast=kernels.largest_in_bags,
    doc="The rows that have the largest entries of the bags.")

bag_sums = multilinear(
    "bag_sums(Tensor weight, Tensor? per_sample_weights, Tensor indices, Tensor bags, Tensor sizes, bool mean, "
    "int padding_idx)", sums_kernel,
    weight=lambda d, per_sample_weights, indices, bags, sizes, mean, padding_idx, weight_shape: bag_spread(
        d, per_sample_weights, indices, bags, sizes, mean, padding_idx, weight_shape),
    per_sample_weights=lambda d, weight, indices, bags, sizes, mean, padding_idx: bag_products(
        weight, d, indices, bags, sizes, mean, padding_idx),
    node="EmbeddingBagBackward0", public=False, shown="embedding_bag", batch="loop", fast=kernels.bag_sums,
    doc="The sum or the mean of each bag.")

bag_spread = multilinear(
    "bag_spread(Tensor grad, Tensor? per_sample_weights, Tensor indices, Tensor bags, Tensor sizes, bool mean, "
    "int padding_idx, Sizes weight_sizes)", spread_kernel,
    grad=lambda d, per_sample_weights, indices, bags, sizes, mean, padding_idx: bag_sums(
        d, per_sample_weights, indices, bags, sizes, mean, padding_idx),
    per_sample_weights=lambda d, grad, indices, bags, sizes, mean, padding_idx: bag_products(
        d, grad, indices, bags, sizes, mean, padding_idx),
    public=False, shown="embedding_bag", batch="loop", fast=kernels.bag_spread,
    doc="What each bag has, added to the rows of its numbers.")

bag_products = multilinear(
    "bag_products(Tensor weight, Tensor grad, Tensor indices, Tensor bags, Tensor sizes, bool mean, int padding_idx)",
    products_kernel,
    weight=lambda d, grad, indices, bags, sizes, mean, padding_idx, weight_shape: bag_spread(
        grad, d, indices, bags, sizes, mean, padding_idx, weight_shape),
    grad=lambda d, weight, indices, bags, sizes, mean, padding_idx: bag_sums(
        weight, d, indices, bags, sizes, mean, padding_idx),
    public=False, shown="embedding_bag", batch="loop", fast=kernels.bag_products,
    doc="The product of the row of each number and what its bag has.")

uses_of = not_differentiable(
    "uses_of_rows(Tensor indices, Sizes weight_sizes)",
    lambda indices, weight_sizes: np.maximum(
        in_int64(np.bincount(as_counts(own(indices)), minlength=weight_sizes[0])), 1)[:, None],
    promote=None, public=False, shown="embedding_bag", batch="loop", doc="How often each row is used.")

by_use = linear(
    "divided_by_use(Tensor weight, Tensor indices)", lambda weight, indices: weight.copy(),
    weight=lambda d, indices, weight_shape: div(d, uses_of(indices, weight_shape)),
    public=False, shown="embedding_bag", batch="loop",
    doc="``weight``, with a gradient that is divided by the number of uses of each row, as is the one of "
        "``embedding``.")


# ------------------------------------------------------------------------------ what users call


def bagged(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
           padding_idx):
    """The result, the bag of each number, the sizes of the bags, and the rows that were the largest."""
    if sparse:
        raise sparse_gradient("embedding_bag")
    check_bags(weight, indices, offsets, include_last_offset, per_sample_weights, mode)
    rows = weight.shape[0]
    if padding_idx is None:
        padding_idx = -1
    elif not -rows <= padding_idx < rows:
        raise error("MG204", f"embedding_bag(): padding_idx must be within the number of embeddings, -{rows} through "
                             f"{rows - 1}, but got {padding_idx}")
    else:
        padding_idx %= rows
    if not offsets.shape[0]:                # no bags at all
        indices = indices[:0]
    elif include_last_offset and type(offsets._array) is np.ndarray:        # what comes behind belongs to no bag
        last = int(offsets._array[-1])
        indices, per_sample_weights = [x if x is None else x[:last] for x in (indices, per_sample_weights)]
    bags, sizes = bags_of(indices, offsets, rows, include_last_offset, padding_idx)
    if mode == MAX:
        chosen = largest_in(weight.detach(), indices, bags, sizes, padding_idx)
        if not indices.shape[0]:
            return bag_sums(weight, None, indices, bags, sizes, False, -1), bags, sizes, chosen
        out = gather(weight, 0, chosen)
        if not all_true(sizes):
            out = masked_fill_value(out, unsqueeze(eq(sizes, 0), 1), 0)
        return out, bags, sizes, chosen.to(indices.dtype)
    if scale_grad_by_freq:
        weight = by_use(weight, indices)
    out = bag_sums(weight, per_sample_weights, indices, bags, sizes, mode == MEAN, padding_idx)
    return out, bags, sizes, indices.new_zeros((0,))


def all_true(x):
    """Are they all true, as far as it is known?  Inside a transform they may not be."""
    return type(x._array) is np.ndarray and bool(x._array.all())


def of_one_length(weight, numbers, mode, scale_grad_by_freq, sparse):
    """The same of bags that all have as many numbers, without padding and weights: a reduction."""
    if sparse:
        raise no_sparse_max() if mode == "max" else sparse_gradient("embedding_bag")
    check_table(weight)
    check_numbers("indices", numbers)
    try:
        read = embedding_rows(weight, numbers, -1, scale_grad_by_freq)
    except IndexError as refused:               # PyTorch raises RuntimeError here, and IndexError for embedding
        raise error("MG204", "embedding_bag(): Expected idx >= 0 && idx < num_embeddings: a number is not in the "
                             f"valid range: {refused}") from None
    if mode == "max":
        return max_dim(read, 1)[0]
    return sum_dim(read, (1,)) if mode == "sum" else mean_dim(read, (1,))


def check_table(weight):
    if weight.ndim != 2:
        raise error("MG204", "embedding_bag(): weight has to be a 2D Tensor, but got Tensor of dimension "
                             f"{weight.ndim}")
    if not weight.dtype.is_floating_point:
        raise error("MG202", "embedding_bag(): Expected tensor for argument #1 'weight' to have one of the following "
                             f"scalar types: Half, BFloat16, Float, Double; but got {scalar_name(weight.dtype.numpy)}")


def check_numbers(name, numbers):
    if numbers.dtype.name not in ("int64", "int32"):
        raise error("MG202", f"embedding_bag(): Expected tensor for argument '{name}' to have one of the following "
                             f"scalar types: Long, Int; but got {scalar_name(numbers.dtype.numpy)}")


def check_bags(weight, indices, offsets, include_last_offset, per_sample_weights, mode):
    check_table(weight)
    if mode not in (SUM, MEAN, MAX):
        raise error("MG204", f"embedding_bag(): `mode` must be sum, mean, or max: 0, 1 or 2, and not {mode}")
    for name, each in (("indices", indices), ("offsets", offsets)):
        check_numbers(name, each)
        if each.ndim != 1:
            raise error("MG204", f"embedding_bag(): {name} has to be a 1D Tensor, but got Tensor of dimension "
                                 f"{each.ndim}")
    array = offsets._array
    if type(array) is np.ndarray:
        if include_last_offset and not array.size:
            raise error("MG204", "embedding_bag(): include_last_offset: number of offset should be at least 1")
        if array.size and array[0] != 0:
            raise error("MG204", "embedding_bag(): offsets[0] has to be 0, i.e., the first sequence in the mini-batch "
                                 f"has to start from position 0. However, got {array[0]}")
        if array.size and array[-1] > indices.shape[0]:
            raise error("MG204", "embedding_bag(): offsets[-1] can not be greater than input's length "
                                 f"{indices.shape[0]} but got offsets[-1] of {array[-1]}")
    if per_sample_weights is not None:
        if mode != SUM:
            raise only_for_sums("MG204", mode)
        if tuple(per_sample_weights.shape) != tuple(indices.shape):
            raise error("MG204", "embedding_bag(): expected per_sample_weights to be 1D and of the shape of the input, "
                                 f"but they are {list(per_sample_weights.shape)} and {list(indices.shape)}")
        if per_sample_weights.dtype is not weight.dtype:
            raise error("MG202", "embedding_bag(): expected weight to have the same type as per_sample_weights, but "
                                 f"got {weight.dtype} and {per_sample_weights.dtype}")


@composite(method=False, out=False, types="Tensor Tensor Tensor bool int bool Tensor? bool int?")
def embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
                  include_last_offset=False, padding_idx=None):
    """``nn.functional.embedding_bag`` with the modes 0 (sum), 1 (mean) and 2 (max), and what it computes on the way.

    These are the bag of each number, the sizes of the bags, and for ``max`` the rows that were largest.

    >>> weight = torch.tensor([[1., 2.], [3., 0.]])
    >>> torch.embedding_bag(weight, torch.tensor([0, 1, 1]), torch.tensor([0, 2]))[0]
    tensor([[4., 2.],
            [3., 0.]])
    """
    return bagged(weight, indices, offsets, scale_grad_by_freq, int(mode), sparse, per_sample_weights,
                  include_last_offset, padding_idx)


@composite(name="embedding_bag", nn=True,
           types="Tensor Tensor Tensor? float? float bool str bool Tensor? bool int?")
def functional_embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False,
                             mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False,
                             padding_idx=None):
    """For each bag of row numbers the sum, the mean or the largest of these rows of the matrix ``weight``.

    ``input`` has one bag in each row; or it has one dim, and ``offsets`` says where the bags begin, and
    with ``include_last_offset`` where the last one ends. ``per_sample_weights``, for sums, multiplies each row.
    ``padding_idx`` does not count. ``max_norm`` and ``scale_grad_by_freq`` are those of :func:`embedding`.

    >>> weight = torch.tensor([[1., 2.], [3., 0.], [5., 5.]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1], [2, 2]]), weight)
    tensor([[2., 1.],
            [5., 5.]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([0, 1, 2]), weight, torch.tensor([0, 2]), mode="max")
    tensor([[3., 2.],
            [5., 5.]])
    """
    if weight.dtype.name == "int64" and input.dtype.is_floating_point:
        warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
             "deprecated, and should now be `embedding_bag(input, weight, ...)`.")
        weight, input = input, weight
    if per_sample_weights is not None and input.shape != per_sample_weights.shape:
        raise error("MG207", f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it "
                             f"must have the same shape as the input ({input.shape})")
    if weight.ndim != 2:
        raise error("MG207", f"embedding_bag: weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if input.ndim == 2:
        if offsets is not None:
            raise error("MG207", "embedding_bag: if input is 2D, then offsets has to be None, as input is treated is a "
                                 "mini-batch of fixed length sequences. However, found offsets of type "
                                 f"{type(offsets)}")
        whole = padding_idx is None and per_sample_weights is None and input.numel() and mode in MODES
        if whole and (mode != "max" or weight._level):      # the largest are found faster below, but one by one in vmap
            if max_norm is not None:
                renorm_rows("embedding_bag", weight, input, max_norm, norm_type)
            return of_one_length(weight, input, mode, scale_grad_by_freq, sparse)
        bags, length = input.shape
        offsets, include_last_offset = constant(np.arange(bags).astype(input.dtype.numpy) * length, input), False
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    elif input.ndim != 1:
        raise error("MG207", "embedding_bag: input has to be 1D or 2D Tensor, but got Tensor of dimension "
                             f"{input.ndim}")
    elif offsets is None or offsets.ndim != 1:
        raise error("MG207", "embedding_bag: offsets has to be a 1D Tensor"
                             + (" but got None" if offsets is None else ""))
    if mode not in MODES:
        raise error("MG207", f"embedding_bag: mode has to be one of sum, mean or max, but got {mode!r}")
    if mode == "max" and scale_grad_by_freq:
        raise no_scaling_of_max()
    if mode == "max" and sparse:
        raise no_sparse_max()
    if max_norm is not None:
        renorm_rows("embedding_bag", weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise only_for_sums("MG503", mode)
    return bagged(weight, input, offsets, scale_grad_by_freq, MODES.index(mode), sparse,
                  per_sample_weights, include_last_offset, padding_idx)[0]


def only_for_sums(code, mode):
    return error(code, "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                          f"mode='sum' (got mode={mode!r}).")


def no_scaling_of_max():
    return error("MG207", "embedding_bag: max mode does not support scaling the gradient, and scale_grad_by_freq asks "
                          "for that")


def no_sparse_max():
    return error("MG207", "embedding_bag: max mode does not support sparse weights")

"""Map pooling, sampling at positions and the like: the batch and the examples of a tensor become one dim.

A pooling takes planes of (channels, ...) or (examples, channels, ...), and nothing else.  For a batch of the first the
payload is of the second form already; for a batch of the second it gets it, as it is the same for all examples.
"""

from math import prod

from minigrad._core.graph import Tensor
from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.windows import grids, pooling, shuffling

from .along_dims import each
from .batch_rule import front_all, rule


#: row -> the dims of its planes
DIMS = {row: ndim for rows in (pooling.MAXIMA, pooling.ADAPTIVE_MAXIMA, pooling.ADAPTIVE_MEANS, pooling.MEANS)
        for ndim, row in rows.items()}
DIMS_AT_RANDOM = {row: ndim for ndim, row in pooling.FRACTIONAL_MAXIMA.items()}


@rule(*DIMS)
def folded(op, mapped, payloads, size):
    x, *parameters = payloads
    ndim, shape = DIMS[op], tuple(x.shape)
    if x.ndim != ndim + 3:
        return op(x, *parameters) if x.ndim == ndim + 2 else None
    out = op(reshape_to(x, (shape[0] * shape[1], *shape[2:])), *parameters)
    return each(out, lambda y: reshape_to(y, (*shape[:2], *y.shape[1:])))


@rule(*DIMS_AT_RANDOM)
def folded_with_samples(op, mapped, payloads, size):
    """The random numbers always have a dim for the examples."""
    x, kernel_size, output_size, samples = front_all(mapped, payloads, size)
    ndim, shape = DIMS_AT_RANDOM[op], tuple(x.shape)
    if x.ndim not in (ndim + 2, ndim + 3) or samples.ndim != 4:
        return None
    lead = shape[:-ndim - 1]
    out = op(reshape_to(x, (prod(lead), *shape[-ndim - 1:])), kernel_size, output_size,
             reshape_to(samples, (prod(samples.shape[:2]), *samples.shape[2:])))
    return each(out, lambda y: reshape_to(y, (*lead, *y.shape[1:])))


@rule(*grids.SAMPLERS.values(), grids.sample_order, grids.sample_back, grids.sample_slope,
      shuffling.channel_shuffle, shuffling.native_channel_shuffle, shuffling.channel_unshuffle)
def folded_examples(op, mapped, payloads, size):
    """Each of its tensors begins with a dim for the examples, and so does a size."""
    payloads = front_all(mapped, payloads, size)
    if any([x.ndim < 2 for x in payloads if isinstance(x, Tensor)]):
        return None
    n = payloads[0].shape[1]
    for i, x in enumerate(payloads):
        if isinstance(x, Tensor):
            payloads[i] = reshape_to(x, (size * x.shape[1], *x.shape[2:]))
        elif op.types[i] == "Sizes":
            payloads[i] = (size * x[0], *x[1:])
    return each(op(*payloads), lambda y: reshape_to(y, (size, n, *y.shape[1:])))


@rule(grids.affine_grid_row, grids.affine_grid_backward)
def affine(op, mapped, payloads, size):
    x, sizes, align_corners = payloads
    out = op(reshape_to(x, (size * x.shape[1], *x.shape[2:])), (size * sizes[0], *sizes[1:]), align_corners)
    return reshape_to(out, (size, sizes[0], *out.shape[1:]))

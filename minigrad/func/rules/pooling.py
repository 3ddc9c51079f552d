"""Map pooling: the batch and the examples of a tensor become one dim.

A pooling takes planes of (channels, ...) or (examples, channels, ...), and nothing else.  For a batch of the first the
payload is of the second form already; for a batch of the second it gets it, as it is the same for all examples.
"""

from math import prod

from minigrad.ops.shapes.reshaping import reshape_to
from minigrad.ops.windows import pooling

from .along_dims import each
from .common import front_all, rule


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

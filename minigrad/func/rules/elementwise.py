"""Map any elementwise operation: its ranks are lined up, so that broadcasting leaves the batch alone."""

import numpy as np

from minigrad import dtypes
from minigrad._core.dispatch.levels import apply, lined_up
from minigrad._core.graph import Tensor
from minigrad._core.runtime.type_promotion import result_dtype
from minigrad.ops.copying import to_copy

from .batch_rule import rank_of, ranked


def align(op, mapped, payloads, size):
    """Put the batch axis in front of as many dims as the largest rank among the examples."""
    if lined_up(mapped, payloads):
        return apply(op, payloads)
    rank, scalar, kind, mixed = 0, False, None, False
    for x, m in zip(payloads, mapped):
        if isinstance(x, Tensor):
            n = x.ndim
            if m:
                n -= 1
                scalar = scalar or not n
            if n > rank:
                rank = n
            if kind is None:
                kind = x.dtype
            elif x.dtype is not kind:
                mixed = True
    if mixed and scalar and op.promote is not None:
        payloads = promoted(mapped, payloads)
    return apply(op, [ranked(x, rank) if m else x for x, m in zip(payloads, mapped)])


def promoted(mapped, payloads):
    """The tensors, converted to the dtype to which type promotion leads for one example.

    In an example, a tensor without dims has a lower priority than one with dims.
    """
    numpy_type = result_dtype([np.empty((1,) * (rank_of(x, m) > 0), x.dtype.numpy) if isinstance(x, Tensor) else x
                               for x, m in zip(payloads, mapped) if x is not None])
    kind = dtypes.of_numpy(numpy_type)
    return [to_copy(x, kind) if isinstance(x, Tensor) and x.dtype is not kind and x.dtype.category else x
            for x in payloads]

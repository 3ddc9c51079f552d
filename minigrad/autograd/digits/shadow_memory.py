"""What tensors would hold with more precision: which dtype the shadow of an array has.

Where shadows lie, and when they are believed: Note [Shadow memory] in _core/profiling/shadow_memory.pyx.
"""

from functools import cache

import numpy as np

from minigrad._core.profiling.shadow_memory import is_inexact

__all__ = ["HAS_EXTENDED", "is_inexact", "wider"]

DOUBLE, EXTENDED = np.dtype(np.float64), np.dtype(np.longdouble)
#: is longdouble more than double?  On x86-64 it has 11 bits more, on some machines 60, on others none.
HAS_EXTENDED = np.finfo(EXTENDED).nmant > np.finfo(DOUBLE).nmant + 8


@cache
def wider(dtype):
    """The dtype of the shadow of numbers of this dtype; None where there is none."""
    is_complex = dtype.kind == "c"
    if dtype.itemsize >> is_complex < 8:
        return np.dtype(np.complex128) if is_complex else DOUBLE
    if not HAS_EXTENDED:
        return None
    return np.dtype(np.clongdouble) if is_complex else EXTENDED

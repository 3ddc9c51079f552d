# Sums of many terms; see pairwise_sums.pyx.

from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport npy_intp


cdef enum Running:
    RUN_SUM                     # s[i] = b[i] + s[i - 1]
    RUN_PRODUCT                 # s[i] = b[i] * s[i - 1]
    RUN_RECURRENCE              # s[i] = b[i] + a[i] * s[i - 1]
    RUN_TRANSPOSED              # s[i] = b[i] + a[i - 1] * s[i - 1]
    RUN_BEFORE                  # s[i] = b[i - 1] * s[i - 1], where s[0] = 1

cdef void sum_middle(real* a, real* o, npy_intp outer, npy_intp n, npy_intp inner, bint numbers=*) noexcept nogil
cdef void run_along(Running what, real* b, real* a, real* o, npy_intp outer, npy_intp n, npy_intp inner,
                    bint backwards) noexcept nogil

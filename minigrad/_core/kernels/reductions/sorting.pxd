# Sorting, and selection by rank; see sorting.pyx.

from minigrad._core.kernels.reductions.lines cimport Lines, What, number
from minigrad._core.runtime.numpy_api cimport int64_t, npy_intp

cdef bint order_lines(What what, Lines* l, number* a) noexcept nogil
cdef npy_intp find_distinct(number* a, npy_intp n, int64_t* firsts, int64_t* inverse, int64_t* counts) noexcept nogil
cdef npy_intp find_runs(number* a, npy_intp n, int64_t* firsts, int64_t* inverse, int64_t* counts) noexcept nogil

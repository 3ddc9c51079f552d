# Memory overlap; see memory_overlap.pyx.

from minigrad._core.runtime.numpy_api cimport ndarray

cdef bint repeats_itself(ndarray a) noexcept
cpdef bint meets_itself(ndarray a) except -1
cdef bint dense(ndarray a) except -1
cdef bint side_by_side(ndarray a, ndarray b) noexcept
cdef bint same_steps(ndarray a, ndarray b) noexcept

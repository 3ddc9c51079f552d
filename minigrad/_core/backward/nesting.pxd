# Backward passes inside backward passes; see nesting.pyx.

from minigrad._core.runtime.modes cimport State

cdef bint is_deep(State* st) except -1
cdef object elsewhere(object function, tuple arguments)
cdef int heed_sender(State* st) except -1

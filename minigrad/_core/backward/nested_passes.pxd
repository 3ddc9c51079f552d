# Backward passes inside backward passes; see nested_passes.pyx.

from minigrad._core.runtime.thread_state cimport State

cdef bint is_deep(State* st) except -1
cdef object elsewhere(object function, tuple arguments)
cdef int heed_sender(State* st) except -1

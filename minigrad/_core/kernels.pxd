# Which C kernel a row has; see kernels.pyx.

from minigrad._core.loops cimport Fast, Loop

cdef class Kernel:
    cdef Fast function
    cdef Loop loop

cdef Fast fast_for(object kernel, Kernel named, Loop* loop) except? NULL

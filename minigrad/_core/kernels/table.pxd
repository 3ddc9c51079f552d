# Which C kernel a row has; see table.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Fast, Into, Loop

cdef class Kernel:
    cdef Fast function
    cdef Into into              # the same into given memory; NULL where that is not written
    cdef Loop loop
    cdef bint reads_options      # it takes calls with options too

cdef bint in_use                 # or does every row run its general way?

cdef Fast fast_for(object kernel, Kernel named, Loop* loop, Into* into) except? NULL
cdef Kernel made(Fast function, ufunc=*)
cdef Kernel told(Kernel kernel, object what)

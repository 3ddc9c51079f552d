# Public functions of Python that are called in C first; see wrapping.pyx.

from minigrad._core.op cimport vectorcall_t


cdef class Wrapping:
    cdef vectorcall_t vectorcall
    cdef readonly object __wrapped__
    cdef dict __dict__

    cdef int wrap(self, object function, void* vectorcall) except -1

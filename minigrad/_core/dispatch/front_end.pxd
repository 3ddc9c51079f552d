# Public functions of Python that are called in C first; see front_end.pyx.

from minigrad._core.dispatch.op cimport vectorcall_t
from minigrad._core.runtime.python_api cimport PyObject

# Takes a call as vectorcall has it, and returns None where the Python function must be called instead.
ctypedef object (*Maker)(PyObject** args, Py_ssize_t n, PyObject* kwnames)

cdef class FrontEnd:
    cdef Maker make

cdef FrontEnd front(Maker make)


cdef class Wrapping:
    cdef vectorcall_t vectorcall
    cdef readonly object __wrapped__
    cdef dict __dict__

    cdef int wrap(self, object function, void* vectorcall) except -1

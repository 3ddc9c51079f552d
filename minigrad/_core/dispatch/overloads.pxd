# One public name, several rows.

from minigrad._core.dispatch.op cimport Op, vectorcall_t
from minigrad._core.runtime.python_api cimport PyObject


cdef class Overloads:
    cdef vectorcall_t vectorcall        # must be first: tp_vectorcall_offset points here
    cdef readonly list rows             # Op, in the order in which they are tried
    cdef readonly bint takes_out
    cdef dict __dict__
    cdef Op chosen(self, PyObject** args, Py_ssize_t n, PyObject* kwnames)

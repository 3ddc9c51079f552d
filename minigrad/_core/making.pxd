# Tensors made in C; see making.pyx.

from cpython.ref cimport PyObject

# Takes a call as vectorcall has it, and returns None where the Python function must be called instead.
ctypedef object (*Maker)(PyObject** args, Py_ssize_t n, PyObject* kwnames)

cdef class FrontEnd:
    cdef Maker make

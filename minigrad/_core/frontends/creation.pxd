# Tensors made in C; see creation.pyx.

from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MAX_DIMS = 32

cdef struct Options:
    int num                     # of the dtype; -1 where none is given
    bint requires_grad
    PyObject* generator         # NULL where none is given, or None

cdef bint read(PyObject** args, PyObject* kwnames, Options* options, bint draws=*, bint like=*) except -1
cdef bint keeps_rows(object memory_format) except -1
cdef int read_sizes(PyObject** args, Py_ssize_t n, npy_intp* sizes) except -2
cdef ndarray array_like(object tensor, int num)
cdef object finished(object array, Options* options)
cdef bint fits(double value, int num) noexcept
cdef bint is_dtype(object x) except -1
cdef bint is_cpu(object device) except -1
cdef object data_as(object data, object dtype)

# Kernels that write into given memory; see fill_and_copy.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef object in_new_memory(Loop* loop, PyObject** args, int n)
cdef bint zero_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint fill_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef bint copy_into(Loop* loop, PyObject** args, int n, ndarray out) except -1
cdef object to_copy(Loop* loop, PyObject** args, int n)
cdef bint element_of(object x, int num, char* element) except -1
cdef int fill_with(ndarray a, char* element) except -1

# The ways back through reductions; see spreading.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object restore_dims(Loop* loop, PyObject** args, int n)
cdef object expand_reduced(Loop* loop, PyObject** args, int n)
cdef object mean_backward(Loop* loop, PyObject** args, int n)
cdef object put_along(Loop* loop, PyObject** args, int n)

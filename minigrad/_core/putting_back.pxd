# The gradients of views; see putting_back.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object select_backward(Loop* loop, PyObject** args, int n)
cdef object slice_backward(Loop* loop, PyObject** args, int n)
cdef object diagonal_backward(Loop* loop, PyObject** args, int n)
cdef object unfold_backward(Loop* loop, PyObject** args, int n)
cdef object as_strided_backward(Loop* loop, PyObject** args, int n)
cdef object written_where_shown(Loop* loop, PyObject** args, int n)
cdef object erased_where_shown(Loop* loop, PyObject** args, int n)

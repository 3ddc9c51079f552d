# The gradients of views; see view_gradients.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object select_backward(Loop* loop, PyObject** args, int n)
cdef object slice_backward(Loop* loop, PyObject** args, int n)
cdef object diagonal_backward(Loop* loop, PyObject** args, int n)
cdef object unfold_backward(Loop* loop, PyObject** args, int n)
cdef object as_strided_backward(Loop* loop, PyObject** args, int n)
cdef object written_where_shown(Loop* loop, PyObject** args, int n)
cdef object erased_where_shown(Loop* loop, PyObject** args, int n)

# Elements chosen one by one; see element_indexing.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object gather(Loop* loop, PyObject** args, int n)
cdef object gather_backward(Loop* loop, PyObject** args, int n)
cdef object gather_into(Loop* loop, PyObject** args, int n)
cdef object scatter(Loop* loop, PyObject** args, int n)
cdef object scatter_reduce(Loop* loop, PyObject** args, int n)
cdef object scatter_add(Loop* loop, PyObject** args, int n)
cdef object take(Loop* loop, PyObject** args, int n)
cdef object take_backward(Loop* loop, PyObject** args, int n)
cdef object put(Loop* loop, PyObject** args, int n)
cdef object put_backward(Loop* loop, PyObject** args, int n)
cdef object masked_select(Loop* loop, PyObject** args, int n)
cdef object masked_select_backward(Loop* loop, PyObject** args, int n)
cdef object masked_scatter(Loop* loop, PyObject** args, int n)
cdef object masked_read(Loop* loop, PyObject** args, int n)
cdef object masked_write(Loop* loop, PyObject** args, int n)
cdef object argwhere(Loop* loop, PyObject** args, int n)
cdef object indices_by_dim(Loop* loop, PyObject** args, int n)
cdef object one_hot(Loop* loop, PyObject** args, int n)
cdef object counted_from_start(Loop* loop, PyObject** args, int n)

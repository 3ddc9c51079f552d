# Blocks chosen by numbers and masks, along some of the dims; see block_indexing.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport Geometry
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef bint write_chosen(Geometry* g, list indices, ndarray target, object value) except -1
cdef object index_select(Loop* loop, PyObject** args, int n)
cdef object index_select_backward(Loop* loop, PyObject** args, int n)
cdef object index_add(Loop* loop, PyObject** args, int n)
cdef object index_copy(Loop* loop, PyObject** args, int n)
cdef object index_fill(Loop* loop, PyObject** args, int n)
cdef object index(Loop* loop, PyObject** args, int n)
cdef object index_backward(Loop* loop, PyObject** args, int n)
cdef object index_put(Loop* loop, PyObject** args, int n)
cdef object index_erase(Loop* loop, PyObject** args, int n)
cdef object embedding(Loop* loop, PyObject** args, int n)
cdef object embedding_backward(Loop* loop, PyObject** args, int n)

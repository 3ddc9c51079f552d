# Elements chosen by number or by mask; see choosing.pyx.

from cpython.ref cimport PyObject
from numpy cimport ndarray, npy_intp
from minigrad._core.geometry cimport Geometry
from minigrad._core.loops cimport Loop

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
cdef object embedding(Loop* loop, PyObject** args, int n)
cdef object embedding_backward(Loop* loop, PyObject** args, int n)
cdef object masked_select(Loop* loop, PyObject** args, int n)
cdef object masked_select_backward(Loop* loop, PyObject** args, int n)
cdef object masked_scatter(Loop* loop, PyObject** args, int n)
cdef object masked_read(Loop* loop, PyObject** args, int n)
cdef object masked_write(Loop* loop, PyObject** args, int n)
cdef object argwhere(Loop* loop, PyObject** args, int n)
cdef object indices_by_dim(Loop* loop, PyObject** args, int n)
cdef object one_hot(Loop* loop, PyObject** args, int n)
cdef object counted_from_start(Loop* loop, PyObject** args, int n)

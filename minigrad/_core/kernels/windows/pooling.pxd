# Pooling; see pooling.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef ndarray plain(PyObject* x, int num)
cdef ndarray real_numbers(PyObject* x)

cdef object max_pool(Loop* loop, PyObject** args, int n)
cdef object adaptive_max_pool(Loop* loop, PyObject** args, int n)
cdef object avg_pool(Loop* loop, PyObject** args, int n)
cdef object avg_pool_again(Loop* loop, PyObject** args, int n)
cdef object avg_pool_backward(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool_again(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool_backward(Loop* loop, PyObject** args, int n)
cdef object resize(Loop* loop, PyObject** args, int n)
cdef object resize_backward(Loop* loop, PyObject** args, int n)
cdef object put_in_planes(Loop* loop, PyObject** args, int n)
cdef object read_in_planes(Loop* loop, PyObject** args, int n)
cdef object unpool(Loop* loop, PyObject** args, int n)

# Pooling; see pooling.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.windows.planes cimport Planes
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef ndarray averaged(Planes* p, ndarray a)
cdef object max_pool(Loop* loop, PyObject** args, int n)
cdef object adaptive_max_pool(Loop* loop, PyObject** args, int n)
cdef object avg_pool(Loop* loop, PyObject** args, int n)
cdef object avg_pool_again(Loop* loop, PyObject** args, int n)
cdef object avg_pool_backward(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool_again(Loop* loop, PyObject** args, int n)
cdef object adaptive_avg_pool_backward(Loop* loop, PyObject** args, int n)

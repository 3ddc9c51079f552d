# The gradients of reductions; see reduction_gradients.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object restore_dims(Loop* loop, PyObject** args, int n)
cdef object expand_reduced(Loop* loop, PyObject** args, int n)
cdef object mean_backward(Loop* loop, PyObject** args, int n)
cdef object put_along(Loop* loop, PyObject** args, int n)

# Resizing; see resizing.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object resize(Loop* loop, PyObject** args, int n)
cdef object resize_backward(Loop* loop, PyObject** args, int n)

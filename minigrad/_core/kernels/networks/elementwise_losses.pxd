# Elementwise losses, and their mean or sum; see elementwise_losses.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.strided cimport Loops
from minigrad._core.runtime.python_api cimport PyObject

cdef class Loss:
    cdef Loops loops
    cdef Py_ssize_t how

cdef object loss(Loop* loop, PyObject** args, int n)
cdef object share_of(Loop* loop, PyObject** args, int n)

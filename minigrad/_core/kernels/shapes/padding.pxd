# Padding; see padding.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object pad(Loop* loop, PyObject** args, int n)
cdef object unpad(Loop* loop, PyObject** args, int n)
cdef object pad_copies(Loop* loop, PyObject** args, int n)
cdef object pad_copies_backward(Loop* loop, PyObject** args, int n)

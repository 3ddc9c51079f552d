# Least squares; see least_squares.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object least_squares(Loop* loop, PyObject** args, int n)

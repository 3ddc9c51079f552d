# Distances between points; see distances.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object distances(Loop* loop, PyObject** args, int n)
cdef object distances_of_pairs(Loop* loop, PyObject** args, int n)
cdef object distances_backward(Loop* loop, PyObject** args, int n)
cdef object square_of_pairs(Loop* loop, PyObject** args, int n)
cdef object pairs_of_square(Loop* loop, PyObject** args, int n)

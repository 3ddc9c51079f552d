# Least squares; see least_squares.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object least_squares(Loop* loop, PyObject** args, int n)

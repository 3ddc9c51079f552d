# Convolutions; see convolving.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object convolve(Loop* loop, PyObject** args, int n)
cdef object convolve_back(Loop* loop, PyObject** args, int n)
cdef object convolve_weight(Loop* loop, PyObject** args, int n)

# The gradient of the weight of a convolution; see correlating.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object convolve_weight(Loop* loop, PyObject** args, int n)

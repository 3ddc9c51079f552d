# The gradient of the weight of a convolution; see correlating.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object convolve_weight(Loop* loop, PyObject** args, int n)

# The gradient of the weight of a convolution; see convolution_weight.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object convolve_weight(Loop* loop, PyObject** args, int n)

# Sampling at positions; see grid_sample.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object grid_sampler(Loop* loop, PyObject** args, int n)
cdef object sample_order(Loop* loop, PyObject** args, int n)
cdef object sample_back(Loop* loop, PyObject** args, int n)
cdef object sample_slope(Loop* loop, PyObject** args, int n)

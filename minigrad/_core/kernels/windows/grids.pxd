# Sampling at positions; see grids.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object grid_sampler(Loop* loop, PyObject** args, int n)
cdef object sample_order(Loop* loop, PyObject** args, int n)
cdef object sample_back(Loop* loop, PyObject** args, int n)
cdef object sample_slope(Loop* loop, PyObject** args, int n)

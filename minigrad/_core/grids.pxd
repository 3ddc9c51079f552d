# Sampling at positions; see grids.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object grid_sampler(Loop* loop, PyObject** args, int n)
cdef object sample_order(Loop* loop, PyObject** args, int n)
cdef object sample_back(Loop* loop, PyObject** args, int n)
cdef object sample_slope(Loop* loop, PyObject** args, int n)

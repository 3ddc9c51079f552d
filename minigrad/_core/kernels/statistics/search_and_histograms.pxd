# Binary search, distinct entries, and counting into bins; see search_and_histograms.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object search(Loop* loop, PyObject** args, int n)
cdef object isin(Loop* loop, PyObject** args, int n)
cdef object distinct(Loop* loop, PyObject** args, int n)
cdef object distinct_runs(Loop* loop, PyObject** args, int n)
cdef object bincount(Loop* loop, PyObject** args, int n)
cdef object histc(Loop* loop, PyObject** args, int n)

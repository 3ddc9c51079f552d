# Places in an order, distinct entries, and counting into bins; see binning.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object search(Loop* loop, PyObject** args, int n)
cdef object distinct(Loop* loop, PyObject** args, int n)
cdef object distinct_runs(Loop* loop, PyObject** args, int n)
cdef object bincount(Loop* loop, PyObject** args, int n)
cdef object histc(Loop* loop, PyObject** args, int n)

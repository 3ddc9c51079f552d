# Elimination; see eliminating.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object lu(Loop* loop, PyObject** args, int n)
cdef object solve_triangular(Loop* loop, PyObject** args, int n)

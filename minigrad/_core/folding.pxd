# Windows as columns, and columns added up; see folding.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object columns_of(Loop* loop, PyObject** args, int n)
cdef object image_of(Loop* loop, PyObject** args, int n)

# Windows as columns, and columns added up; see folding.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object columns_of(Loop* loop, PyObject** args, int n)
cdef object image_of(Loop* loop, PyObject** args, int n)

# Windows as columns, and columns added up; see unfold_fold.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object columns_of(Loop* loop, PyObject** args, int n)
cdef object image_of(Loop* loop, PyObject** args, int n)

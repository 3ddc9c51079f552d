# Reductions of what is written to one place; see at_positions.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object reduce_at(Loop* loop, PyObject** args, int n)
cdef object targets_of_elements(Loop* loop, PyObject** args, int n)
cdef object targets_of_parts(Loop* loop, PyObject** args, int n)

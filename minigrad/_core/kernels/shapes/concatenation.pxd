# Arrays joined, and taken apart; see concatenation.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MOST_PIECES = 1 << 26       # of a tensor taken apart: more are left to the general way, which refuses them

cdef object cat(Loop* loop, PyObject** args, int n)
cdef object stack(Loop* loop, PyObject** args, int n)
cdef object unbind(Loop* loop, PyObject** args, int n)
cdef object split_with_sizes(Loop* loop, PyObject** args, int n)
cdef object unbind_backward(Loop* loop, PyObject** args, int n)
cdef object split_backward(Loop* loop, PyObject** args, int n)
cdef object cat_backward(Loop* loop, PyObject** args, int n)
cdef object split(Loop* loop, PyObject** args, int n)

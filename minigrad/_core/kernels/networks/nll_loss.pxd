# The loss of classification in one pass over its input; see nll_loss.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

# Each takes its first argument, a plain array, and with it a pointer to its numbers.
ctypedef object (*OnFloats)(ndarray a, float* x, PyObject** args)
ctypedef object (*OnDoubles)(ndarray a, double* x, PyObject** args)

cdef class ByDtype:
    cdef OnFloats single
    cdef OnDoubles double_

cdef object by_dtype(Loop* loop, PyObject** args, int n)
cdef object nll_loss(ndarray a, real* x, PyObject** args)
cdef object nll_loss_backward(ndarray a, real* g, PyObject** args)

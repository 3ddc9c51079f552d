# The loss of classification in one pass over its input; see nll_loss.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object nll_loss(Loop* loop, PyObject** args, int n)
cdef object nll_loss_backward(Loop* loop, PyObject** args, int n)

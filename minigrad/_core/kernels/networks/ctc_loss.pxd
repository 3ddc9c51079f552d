# Connectionist temporal classification; see ctc_loss.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object ctc_loss(Loop* loop, PyObject** args, int n)
cdef object ctc_slopes(Loop* loop, PyObject** args, int n)

# Connectionist temporal classification; see ctc.pyx.

from minigrad._core.kernels.loops.loops cimport Loop
from minigrad._core.runtime.python_c cimport PyObject

cdef object ctc_loss(Loop* loop, PyObject** args, int n)
cdef object ctc_slopes(Loop* loop, PyObject** args, int n)

# Connectionist temporal classification; see ctc.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object ctc_loss(Loop* loop, PyObject** args, int n)
cdef object ctc_slopes(Loop* loop, PyObject** args, int n)

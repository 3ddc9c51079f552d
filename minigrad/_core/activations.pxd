# Activations and gates; see activations.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object glu(Loop* loop, PyObject** args, int n)
cdef object glu_backward(Loop* loop, PyObject** args, int n)

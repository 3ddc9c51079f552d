# Activations and gates; see activations.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object glu(Loop* loop, PyObject** args, int n)
cdef object glu_backward(Loop* loop, PyObject** args, int n)

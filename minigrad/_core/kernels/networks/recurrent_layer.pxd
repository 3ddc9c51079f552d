# One layer of a recurrent network over all steps, and the way back; see recurrent_layer.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object recurrent_layer(Loop* loop, PyObject** args, int n)
cdef object recurrent_layer_backward(Loop* loop, PyObject** args, int n)

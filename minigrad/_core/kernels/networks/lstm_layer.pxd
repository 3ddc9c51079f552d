# One layer of an LSTM over all steps, and the way back; see lstm_layer.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object lstm_layer(Loop* loop, PyObject** args, int n)
cdef object lstm_layer_backward(Loop* loop, PyObject** args, int n)

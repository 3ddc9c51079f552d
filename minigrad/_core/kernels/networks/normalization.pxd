# Layer, group, batch and RMS norm, and the ways back; see normalization.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object of_halves_too(Loop* loop, PyObject** args, int n)
cdef object layer_norm(Loop* loop, PyObject** args, int n)
cdef object rms_norm(Loop* loop, PyObject** args, int n)
cdef object group_norm(Loop* loop, PyObject** args, int n)
cdef object batch_norm(Loop* loop, PyObject** args, int n)
cdef object fixed_batch_norm(Loop* loop, PyObject** args, int n)
cdef object norm_backward(Loop* loop, PyObject** args, int n)
cdef object norm_weight_backward(Loop* loop, PyObject** args, int n)
cdef object parameter_sum(Loop* loop, PyObject** args, int n)

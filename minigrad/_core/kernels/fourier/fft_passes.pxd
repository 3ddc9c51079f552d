# Fourier transforms along dims; see fft_passes.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object c2c(Loop* loop, PyObject** args, int n)
cdef object c2c_backward(Loop* loop, PyObject** args, int n)
cdef object r2c(Loop* loop, PyObject** args, int n)
cdef object r2c_backward(Loop* loop, PyObject** args, int n)
cdef object c2r(Loop* loop, PyObject** args, int n)
cdef object c2r_backward(Loop* loop, PyObject** args, int n)

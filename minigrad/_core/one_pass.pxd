# Kernels that do in one pass what takes NumPy several; see one_pass.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object relu(Loop* loop, PyObject** args, int n)
cdef object threshold_backward(Loop* loop, PyObject** args, int n)
cdef object tanh_backward(Loop* loop, PyObject** args, int n)
cdef object sigmoid_backward(Loop* loop, PyObject** args, int n)
cdef object softmax(Loop* loop, PyObject** args, int n)
cdef object softmax_backward(Loop* loop, PyObject** args, int n)
cdef object log_softmax(Loop* loop, PyObject** args, int n)
cdef object log_softmax_backward(Loop* loop, PyObject** args, int n)
cdef object nll_loss(Loop* loop, PyObject** args, int n)
cdef object nll_loss_backward(Loop* loop, PyObject** args, int n)

# Factorizations of matrices; see factorizations.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.python_api cimport PyObject

cdef object matrix_loop(str name)
cdef object by_loop(Loop* loop, PyObject** args, int n)
cdef object qr(Loop* loop, PyObject** args, int n)
cdef object reflectors(Loop* loop, PyObject** args, int n)
cdef object spectral(Loop* loop, PyObject** args, int n)
cdef object qr_r(Loop* loop, PyObject** args, int n)
cdef object reflected(Loop* loop, PyObject** args, int n)
cdef object pinv(Loop* loop, PyObject** args, int n)

# Dividing by matrices; see solving.pyx.

from cpython.ref cimport PyObject
from minigrad._core.loops cimport Loop

cdef object inverse(Loop* loop, PyObject** args, int n)
cdef object determinant(Loop* loop, PyObject** args, int n)
cdef object sign_and_logarithm(Loop* loop, PyObject** args, int n)
cdef object complex_logarithm(Loop* loop, PyObject** args, int n)
cdef object cofactors(Loop* loop, PyObject** args, int n)
cdef object solution(Loop* loop, PyObject** args, int n)
cdef object cholesky(Loop* loop, PyObject** args, int n)
cdef object singular_values(Loop* loop, PyObject** args, int n)

# Sums of arrays; see reductions.pyx.

from cpython.ref cimport PyObject
from numpy cimport ndarray
from minigrad._core.loops cimport Loop

cdef object sum_of(ndarray a)
cdef object sum_rows(ndarray a)
cpdef object total(array, axes=*, bint keepdims=*)
cdef object sum_to(Loop* loop, PyObject** args, int n)

# Sums of arrays; see array_sums.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.python_api cimport PyObject

cdef object sum_of(ndarray a)
cdef object sum_rows(ndarray a)
cpdef object total(array, axes=*, bint keepdims=*)
cdef object sum_to(Loop* loop, PyObject** args, int n)

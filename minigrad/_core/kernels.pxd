# C kernels: each takes its arguments in the order of the op's schema and returns None where the layout
# is not plain, so that the op's general kernel, which does the same, takes over.

from cpython.ref cimport PyObject
from numpy cimport ndarray, npy_intp

cdef extern from "numpy/ufuncobject.h":
    ctypedef void (*PyUFuncGenericFunction)(char**, npy_intp*, npy_intp*, void*) noexcept nogil

cdef struct Loop:
    # NumPy's own inner loops of one ufunc, for float32 and float64; NULL where there is none.
    PyUFuncGenericFunction f[2]
    void* data[2]
    PyObject* ufunc

ctypedef object (*Fast)(Loop* loop, PyObject** args, int n)

cdef object binary(Loop* loop, PyObject** args, int n)
cdef object binary_into(Loop* loop, object a, object b, object out)
cdef Fast fast_for(object name, object kernel, Loop* loop) except? NULL
cdef Loop ADD
cdef object add(object a, object b)
cdef object add_into(object a, object b)
cdef object sum_rows(ndarray a)
cdef object sum_of(ndarray a)
cpdef object total(array, axes=*, bint keepdims=*)
cdef bint same_shape(ndarray a, ndarray b) noexcept

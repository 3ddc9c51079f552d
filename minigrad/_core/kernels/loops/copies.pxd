# Copies between arrays of any layout and dtype; see copies.pyx.

from minigrad._core.runtime.numpy_api cimport NPY_ORDER, PyUFuncGenericFunction, ndarray, npy_intp

cdef enum Stored:
    # how the elements of an operand are stored, while they are computed with as float32
    AS_IT_IS = 0
    FLOAT16 = 1
    BRAIN_FLOAT16 = 2

cdef struct Halves:
    # the data of the loop `in_halves`, which is mg_halves in halves.h
    PyUFuncGenericFunction loop                 # of float32
    void* data
    int n                                       # operands, with the result; 0 where the loop is another one
    int kinds[7]                                # of each, as it is Stored

cdef void in_halves(char** p, const npy_intp* n, const npy_intp* s, void* halves) noexcept nogil
cdef bint half_holds(int kind, double value, void* half) noexcept
cdef Stored stored_as(int num) noexcept nogil
cdef void move_elements(int ndim, npy_intp* dims, char* to, npy_intp* to_strides, char* source,
                        npy_intp* from_strides, npy_intp item) noexcept nogil
cdef int copy_elements(ndarray to, ndarray source) except -1
cdef ndarray new_copy(ndarray a, NPY_ORDER order)
cdef ndarray new_like(ndarray a, int num)
cdef ndarray in_dtype(ndarray a, int num)

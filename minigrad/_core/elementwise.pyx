"""Elementwise functions that NumPy has not, as ufuncs: masks, bounds, and what networks put between their layers.

In a row such a ufunc is the fast kernel (``fast=elementwise.clamp``); the general kernel beside it says in NumPy what
it computes, and a test holds the two against each other.  The inner loops are in ``elementwise.h``.
"""

cimport numpy as cnp
from numpy cimport (NPY_BOOL, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64, NPY_UINT8,
                    PyUFunc_FromFuncAndData, npy_intp)
from minigrad._core.numpy_c cimport PyUFuncGenericFunction

cnp.import_array()
cnp.import_ufunc()

cdef extern from "elementwise.h":
    void keep_1(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void keep_2(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void keep_4(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void keep_8(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void where_1(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void where_2(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void where_4(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void where_8(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void masked_fill_1(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void masked_fill_2(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void masked_fill_4(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void masked_fill_8(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void clamp_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void clamp_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void threshold_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void threshold_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void leaky_relu_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void leaky_relu_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void rsqrt_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void rsqrt_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void softplus_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void softplus_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void rsub_float(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil
    void rsub_double(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil

# What a ufunc is made of must live as long as it does.
cdef PyUFuncGenericFunction loops[16][10]
cdef char types[16][40]
cdef void* NO_DATA[10]
cdef int made = 0

cdef int* BY_SIZE = [NPY_BOOL, NPY_UINT8, NPY_INT8, NPY_INT16, NPY_INT32, NPY_FLOAT, NPY_INT64, NPY_DOUBLE, NPY_CFLOAT]


cdef object of_reals(const char* name, PyUFuncGenericFunction single, PyUFuncGenericFunction double_, int n_in):
    """A ufunc for float32 and float64."""
    global made
    cdef int k
    loops[made][0], loops[made][1] = single, double_
    for k in range(n_in + 1):
        types[made][k] = <char>NPY_FLOAT
        types[made][n_in + 1 + k] = <char>NPY_DOUBLE
    made += 1
    return PyUFunc_FromFuncAndData(<cnp.PyUFuncGenericFunction*><void*>loops[made - 1], NO_DATA, types[made - 1], 2,
                                   n_in, 1, cnp.PyUFunc_None, <char*>name, NULL, 0)


cdef object of_sizes(const char* name, PyUFuncGenericFunction one, PyUFuncGenericFunction two,
                     PyUFuncGenericFunction four, PyUFuncGenericFunction eight, int n_in, int mask):
    """A ufunc that moves elements of 1, 2, 4 or 8 bytes, whatever they are; operand `mask` is of bools."""
    global made
    cdef int i, k
    for i in range(9):
        loops[made][i] = one if i < 3 else two if i == 3 else four if i < 6 else eight
        for k in range(n_in + 1):
            types[made][i * (n_in + 1) + k] = <char>(NPY_BOOL if k == mask else BY_SIZE[i])
    made += 1
    return PyUFunc_FromFuncAndData(<cnp.PyUFuncGenericFunction*><void*>loops[made - 1], NO_DATA, types[made - 1], 9,
                                   n_in, 1, cnp.PyUFunc_None, <char*>name, NULL, 0)


keep = of_sizes("keep", keep_1, keep_2, keep_4, keep_8, 2, 1)
where = of_sizes("where", where_1, where_2, where_4, where_8, 3, 0)
masked_fill = of_sizes("masked_fill", masked_fill_1, masked_fill_2, masked_fill_4, masked_fill_8, 3, 1)
clamp = of_reals("clamp", clamp_float, clamp_double, 3)
threshold = of_reals("threshold", threshold_float, threshold_double, 3)
leaky_relu = of_reals("leaky_relu", leaky_relu_float, leaky_relu_double, 2)
softplus = of_reals("softplus", softplus_float, softplus_double, 3)
rsqrt = of_reals("rsqrt", rsqrt_float, rsqrt_double, 1)
rsub = of_reals("rsub", rsub_float, rsub_double, 2)

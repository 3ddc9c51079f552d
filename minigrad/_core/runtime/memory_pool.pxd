# The memory pool: blocks of large arrays, kept for the next ones; see memory_pool.pyx.

from minigrad._core.runtime.array_freelist cimport spare
from minigrad._core.runtime.numpy_api cimport PyArray_New, PyArray_SimpleNew, PyArray_ZEROS, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF

cdef enum:
    LARGE_BYTES = 65536         # from here on the C library tends to give memory back to the system

cdef object pooling             # the handler, for NumPy's own ways of making arrays
cdef ndarray large_array(int ndim, npy_intp* dims, int num, npy_intp* strides, bint zeros)


cdef inline bint perhaps_large(int ndim, npy_intp* dims) noexcept:
    """Could an array of these sizes be large?  The largest element has 16 bytes."""
    cdef npy_intp n = 1
    cdef int i
    for i in range(ndim):
        if dims[i] >= LARGE_BYTES // 16:
            return True
        n *= dims[i]            # at most 2**48, before it is looked at
        if n >= LARGE_BYTES // 16:
            return True
    return False


cdef inline ndarray new_array(int ndim, npy_intp* dims, int num):
    """PyArray_SimpleNew; a large array has its memory from the pool, and a small one may be one that has died."""
    cdef PyObject* small = spare(ndim, dims, num)
    cdef ndarray a
    if small != NULL:
        a = <ndarray>small
        Py_DECREF(a)                    # it comes with a reference, and `a` is another one
        return a
    return (large_array(ndim, dims, num, NULL, False) if perhaps_large(ndim, dims) else
            PyArray_SimpleNew(ndim, dims, num))


cdef inline ndarray new_zeros(int ndim, npy_intp* dims, int num):
    return (large_array(ndim, dims, num, NULL, True) if perhaps_large(ndim, dims) else
            PyArray_ZEROS(ndim, dims, num, 0))


cdef inline ndarray new_array_with_strides(int ndim, npy_intp* dims, int num, npy_intp* strides):
    """An array without gaps between its elements, in whatever order these lie."""
    return (large_array(ndim, dims, num, strides, False) if perhaps_large(ndim, dims) else
            PyArray_New(ndarray, ndim, dims, num, strides, NULL, 0, 0, None))

# What the core needs of NumPy's C API and NumPy's own numpy/__init__.pxd does not declare, or not so that it can be
# called without the GIL.  All the rest (PyArray_NDIM, PyArray_DIMS, NPY_DOUBLE ...) comes from there, and is declared
# nowhere else: `from numpy cimport ndarray, PyArray_NDIM`.

from numpy cimport npy_intp

cdef extern from "numpy/arrayobject.h":
    int NPY_HALF
    int NPY_USERDEF             # from here on, dtypes from outside NumPy, such as bfloat16

cdef extern from "numpy/ufuncobject.h":
    # the inner loop of a ufunc: operands, length, strides, data
    ctypedef void (*PyUFuncGenericFunction)(char**, const npy_intp*, const npy_intp*, void*) noexcept nogil

cdef extern from *:
    """
    static inline const char *mg_types_of(PyObject *ufunc)
    {
        return ((PyUFuncObject *)ufunc)->types;
    }
    """
    # The numbers of the dtypes of all loops, one after the other; numpy/__init__.pxd no longer has them in NumPy 2.5.
    const char* types_of "mg_types_of"(object ufunc)

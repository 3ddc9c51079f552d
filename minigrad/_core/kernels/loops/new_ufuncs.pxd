# Ufuncs from lists of inner loops in C; see new_ufuncs.pyx.

from minigrad._core.runtime.numpy_api cimport PyUFuncGenericFunction


cdef extern from "kernels/loops/ufunc_loops.h":
    ctypedef struct mg_function:
        const char* name
        const char* types
        int n_loops
        PyUFuncGenericFunction loops[13]
    ctypedef struct mg_verdict:
        bint raises
        int refused
    void refuse_operands(void* data) noexcept nogil

cdef mg_verdict TO_NUMPY        # the data of all loops of our ufuncs, where NumPy calls them
cdef object ufunc_of(mg_function* function)

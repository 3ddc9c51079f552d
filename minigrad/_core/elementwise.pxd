# Ufuncs from lists of inner loops in C; see elementwise.pyx.

from minigrad._core.numpy_c cimport PyUFuncGenericFunction

cdef extern from "ufunc_loops.h":
    ctypedef struct mg_function:
        const char* name
        const char* types
        int n_loops
        PyUFuncGenericFunction loops[9]
    void refuse_operands() noexcept nogil

cdef object ufunc_of(mg_function* function)

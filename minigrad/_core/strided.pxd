# Elementwise operations on arrays of any layout and dtype; see strided.pyx.

from cpython.ref cimport PyObject
from minigrad._core.numpy_c cimport PyUFuncGenericFunction
from minigrad._core.promotion cimport MAX_NUMS

cdef enum:
    MAX_OPERANDS = 5            # of a loop, with the result

cdef class Loops:
    # The inner loops of a ufunc, by the number of the dtype to which its operands are promoted.
    cdef object ufunc
    cdef int n_in
    cdef bint to_float          # integers are promoted to the default dtype
    cdef bint promotes[MAX_OPERANDS]
    cdef unsigned int refused   # a bit for each dtype that the row refuses
    cdef bint looked_for[MAX_NUMS]              # each is looked for when it is first needed
    cdef PyUFuncGenericFunction f[MAX_NUMS]
    cdef void* data[MAX_NUMS]
    cdef int types[MAX_NUMS][MAX_OPERANDS]      # the numbers of the dtypes of operands and result

cdef Loops loops_of(object ufunc, object promote, promotes, str refuse)
cdef object elementwise(Loops loops, PyObject** args)

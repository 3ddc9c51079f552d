# Elementwise operations on arrays of any layout and dtype; see strided.pyx.

from minigrad._core.runtime.numpy_api cimport PyUFuncGenericFunction
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.type_promotion cimport MAX_NUMS

cdef enum:
    MAX_OPERANDS = 7            # of a loop, with the result

cdef enum Layout:
    # of a result: Note [The walk]; or, from 0 on, that of this operand before the others
    AS_OPERANDS = -1            # the first operand decides, and then the next
    ROWS = -2                   # row by row, however they lie
    CHANNELS = -3               # in channels_last where an operand does so, else row by row

cdef class Loops:
    # The inner loops of a ufunc, by the number of the dtype to which its operands are promoted.
    cdef object ufunc
    cdef int n_in
    cdef int source[MAX_OPERANDS]               # which argument each operand is; -1 where it is always `number`
    cdef double number[MAX_OPERANDS]            # what stands for an argument that is None, where it may be
    cdef bint may_be_none[MAX_OPERANDS]
    cdef int n_arguments               # how many arguments it looks at
    cdef dict by_name           # instead of a ufunc, several: what the argument `named` says -> Loops
    cdef int named
    cdef bint to_float          # integers are promoted to the default dtype
    cdef bint promotes[MAX_OPERANDS]
    cdef int layout             # a Layout, or the operand that decides
    cdef bint rounded           # a number is rounded to 16 bits if the operands have no more
    cdef bint moves             # it computes nothing, and a number must fit the dtype
    cdef bint is_array[MAX_OPERANDS]            # it does not promote, and a number is none
    cdef unsigned int refused   # a bit for each dtype that the row refuses
    cdef bint looked_for[MAX_NUMS]              # each is looked for when it is first needed
    cdef PyUFuncGenericFunction f[MAX_NUMS]
    cdef void* data[MAX_NUMS]
    cdef int types[MAX_NUMS][MAX_OPERANDS]      # the numbers of the dtypes of operands and result
    cdef bint in_float32[MAX_NUMS]              # the loop is that of float32, for operands of 16 bits

cdef Loops loops_of(object fast, tuple params, tuple types, list counts, object promote, str refuse, bint moves=*,
                    bint rounded=*, int layout=*)
cdef PyUFuncGenericFunction loop_for(Loops loops, int num, void** data) except? NULL
cdef object add(object a, object b)
cdef object add_into(object a, object b)
cdef object elementwise(Loops loops, PyObject** args)
cdef bint elementwise_into(Loops loops, PyObject** args, object out) except -1
cdef bint pack(object x, int num, char* to) except -1

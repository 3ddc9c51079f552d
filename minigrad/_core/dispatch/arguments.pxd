# What a parameter of a schema takes.

from minigrad._core.runtime.python_api cimport (PyLong_CheckExact, PyObject, PyTuple_CheckExact, PyTuple_GET_ITEM,
                                                PyTuple_GET_SIZE)


cdef enum Takes:
    ANYTHING                    # tensors, which dispatch looks at, and what only the kernel knows
    AN_INT                      # int
    A_DIM                       # Dim
    A_NEW_DIM                   # NewDim
    A_FLOAT                     # float
    A_NUMBER                    # Scalar
    A_BOOL                      # bool
    A_STR                       # str
    A_DTYPE                     # DType
    A_GENERATOR                 # Generator
    A_FORMAT                    # MemoryFormat
    INTS                        # int[], Sizes
    INT_OR_INTS                 # int[1], int..., Sizes...
    DIM_LIST                    # Dim[1], Dim...
    DIMS                        # Dims
    NEW_DIMS                    # NewDims

cdef enum:
    OR_NONE = 32                # added for a "?"

cdef int taken_by(str type_) except -1
cdef PyObject* usual_type(int takes) except? NULL
cdef object taken(int takes, object x)
cdef bint fits(int takes, object x) except -1
cdef str complaint(int takes, object x)
cdef object gathered(PyObject** args, Py_ssize_t n)

cdef inline bint takes_one_int(int takes) noexcept:
    """An int, or a dim?"""
    return AN_INT <= takes & ~OR_NONE <= A_NEW_DIM


cdef inline bint takes_ints(int takes) noexcept:
    """One or several?"""
    return takes_one_int(takes) or takes & ~OR_NONE >= INTS


cdef inline bint all_ints(PyObject* x) noexcept:
    """A tuple of Python's own ints, as sizes mostly are?"""
    cdef Py_ssize_t k
    if not PyTuple_CheckExact(<object>x):
        return False
    for k in range(PyTuple_GET_SIZE(<object>x)):
        if not PyLong_CheckExact(<object>PyTuple_GET_ITEM(<object>x, k)):
            return False
    return True

# What a parameter of a schema takes.

from cpython.ref cimport PyObject

cdef enum Takes:
    ANYTHING                    # tensors, which dispatch looks at, and what only the kernel knows: a dtype, a generator
    AN_INT                      # int, Dim, NewDim
    A_FLOAT                     # float
    A_NUMBER                    # Scalar
    A_BOOL                      # bool
    A_STR                       # str
    INTS                        # int[], Sizes
    DIMS                        # one int or several: Dims, NewDims

cdef enum:
    OR_NONE = 16                # added for a "?"

cdef int taken_by(str type_) except -1
cdef PyObject* usual_type(int takes) noexcept
cdef bint fits(int takes, object x) except -1
cdef str complaint(int takes, object x)

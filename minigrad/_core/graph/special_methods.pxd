# The class from which Tensor inherits its C slots, and what these call; see special_methods.pyx.

cdef struct Later:                  # called by the slots, and filled in above: Note [Told later] in provided.pyx
    object (*binary)(object op, object a, object b)                     # a + b: operators.pyx
    object (*unary)(object op, object a)                                # -a: operators.pyx
    object (*in_place)(object op, object a, object b)                   # a += b: inplace_methods.pyx
    object (*read)(object self, object key)                             # x[key]: subscripting.pyx
    int (*write)(object self, object key, object value) except -1       # x[key] = value: subscripting.pyx
cdef Later later


cdef class SpecialMethods:
    pass

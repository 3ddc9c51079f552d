# The class from which Tensor inherits its C slots, and what these call; see special_methods.pyx.

cdef struct Arithmetic:             # filled in by operators.pyx and write.pyx
    object (*binary)(object op, object a, object b)
    object (*unary)(object op, object a)
    object (*in_place)(object op, object a, object b)
cdef Arithmetic arithmetic

cdef dict methods                   # the rarer ones, by name


cdef class SpecialMethods:
    pass

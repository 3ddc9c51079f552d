# The class that Tensor inherits its C slots from, and what these lead to.

cdef struct Arithmetic:             # told by operators.pyx and inplace.pyx
    object (*binary)(object op, object a, object b)
    object (*unary)(object op, object a)
    object (*in_place)(object op, object a, object b)
cdef Arithmetic arithmetic

cdef dict methods                   # the rarer ones, by name


cdef class SpecialMethods:
    pass

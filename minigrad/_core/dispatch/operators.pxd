cdef bint acceptable(object x) except -1

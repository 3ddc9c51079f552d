cdef class Tracer:
    cdef list steps             # [(Op, [key, ...])]
    cdef list constants
    cdef int n_inputs


cdef class Symbol:
    cdef Tracer tracer
    cdef readonly object key    # ("input", i), ("constant", i) or ("step", i)


cpdef object emit(object op, list args)
cdef Symbol symbol(Tracer tracer, tuple key)
cdef object key_of(Tracer tracer, object x)

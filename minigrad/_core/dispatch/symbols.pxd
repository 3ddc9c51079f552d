# What is noted down while a formula is traced; formulas.pyx turns it into a Program.

from minigrad._core.runtime.python_api cimport PyObject


cdef class Tracer:
    cdef list steps             # [(Op, [key of each argument, ...])]
    cdef list constants
    cdef int n_inputs           # d, and what the formula names


cdef class Symbol:
    cdef Tracer tracer
    cdef readonly object key    # ("input", i) or ("step", i); a constant, ("constant", i), is not a Symbol


cpdef object emit(object op, list args)
cdef Symbol symbol(Tracer tracer, tuple key)
cdef bint has_symbol(PyObject** args, int n) except -1
cdef object key_of(Tracer tracer, object x)

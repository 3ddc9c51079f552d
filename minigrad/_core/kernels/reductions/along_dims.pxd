# Operations along the dims of an array; see along_dims.pyx.

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.reductions.lines cimport What
from minigrad._core.runtime.python_api cimport PyObject

cdef enum Taken:                # the dims that a row takes
    ONE                         # Dim
    SOME                        # Dim[1]: one or several
    ALL_OR_SOME                 # Dims: the same, and an empty tuple means all

cdef enum:                      # an argument of a row
    DIM
    KEEPDIM
    NUMBER
    K
    FLAG
    OTHER                       # a second operand
    RESULT                      # what came of a reduction, and its gradient
    GRAD
    DTYPE                       # to which the operand is converted first, or None
    IGNORED
    WORDS

cdef class LineOperation:
    # What a row wants, and where its arguments are.
    cdef What what
    cdef int traits
    cdef bint values, places    # of the two results, those that it returns
    cdef Taken dims
    cdef int at[WORDS]          # 0 where it has none such

cdef object along(Loop* loop, PyObject** args, int n)

# The differential of one operation, and how a tangent fits its result; see differentials.pyx.

from minigrad._core.dispatch.op cimport Op


cdef int refuse_tangents(Op op, tangents, bint inplace=*) except -1
cdef object fitted(object tangent, object result)

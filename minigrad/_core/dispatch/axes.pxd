# Dims as axes, before a kernel sees them.

from minigrad._core.dispatch.op cimport Op

cdef int with_axes(Op op, list args) except -1

# Tensors that have tangents: what writes in place need of them; see forward.pyx.

from minigrad._core.op cimport Op
from minigrad._core.graph cimport Node, Tensor


cpdef object tangent_of(Tensor t)
cdef tuple before_writing(Op op, list args)
cpdef int put_tangent(Tensor target, object tangent) except -1
cdef int carry_write(Op op, tuple before, Tensor target, Node node) except -1

# Tensors that have tangents: what writes in place need of them; see dual_tensors.pyx.

from minigrad._core.dispatch.op cimport Op
from minigrad._core.graph cimport Node, Tensor


cpdef object tangent_of(Tensor t)
cdef tuple before_writing(Op op, list args, bint recorded)
cdef tuple tangents_after(Op op, tuple before, Tensor target, Tensor written)
cdef Tensor owner_of(Tensor t)
cpdef int put_tangent(Tensor target, object tangent) except -1
cpdef int remember(Node n, int nr, object tangent) except -1

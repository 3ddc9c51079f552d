# Saved tensors: checked, and given back to the formulas; see saved_tensors.pyx.

from minigrad._core.graph cimport Node, Tensor, Version


cdef object payload_of(Node n, int i)
cdef object unpack(Node n, int i)
cpdef object shown_slot(Node n, int i)
cdef int lend_own_tangent(Node n, Tensor t) except -1
cdef object second_time(Node n)
cdef object modified(Node n, int i, Tensor t, Version now, long long then)

# Gradients are added up: in buffers, and in .grad; see accumulate_grad.pyx.

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Node, Tensor

cdef object sum_two(Pass p, object a, object b)
cdef int accumulate(Pass p, Tensor leaf, object g) except -1
cdef int retain_all(Pass p, Node n, object g) except -1
cdef object wrong_shape(Tensor t, object g)

# The user's code in a backward pass; see hooks.pyx.

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Node, Tensor, TensorHooks

cdef object ask(Pass p, object function, tuple arguments)
cdef int hear_signals(Pass p, int grad_off) except -1
cdef object boxed(Pass p, object x)
cdef object unboxed(Pass p, object x)
cdef tuple all_boxed(Pass p, object gradients)
cdef list all_unboxed(Pass p, object tensors)
cdef tuple arrived(Pass p, Node n, object g)
cdef int check_level(Pass p, object gradient, object giver) except -1
cdef object before_tensors(Pass p, Node n, object g)
cdef object before_node(Pass p, Node n, object g)
cdef tuple after_node(Pass p, Node n, tuple outgoing, tuple incoming)
cdef int after_accumulating(Pass p, Tensor leaf, TensorHooks hooks) except -1

# Captured gradients: those that were asked for.

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Node

cdef bint goes_on(Pass p, Node n, object g) except -1
cdef list captured_results(Pass p, list inputs, bint raw)

# A backward pass that is watched; see watched_pass.pyx.

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Node
from minigrad._core.runtime.thread_state cimport State

ctypedef int (*Run)(Pass p, Node n) except -1

cdef int set_watch(Pass p, State* st, list roots, list gradients) except -1
cdef int watch(Pass p, Node n, Run run) except -1
cdef int look_for_nan(Pass p, Node n, object g, list results) except -1
cdef int tell_delivery(Pass p, Node n, int e, object gradient) except -1

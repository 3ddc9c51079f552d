# A pass that the user's own engine runs; see user_engines.pyx.

cimport cython
from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.graph cimport Node
from minigrad._core.runtime.thread_state cimport State


@cython.final
cdef class Delegation:
    """A backward pass that the user's engine walks."""
    cdef Pass p
    cdef object engine
    cdef list inputs                # tensors; None where every leaf accumulates
    cdef bint accumulate            # the gradients of the inputs are added to .grad, not returned
    cdef set retained               # the captured nodes whose tensors the engine has asked to fill their .grad


cdef int engines                    # how many threads have an engine; if none has, no thread needs to be looked at
cdef object engine_of_thread()
cdef Delegation delegated(Pass p, State* st, object engine, list inputs, bint accumulate)
cdef int walk(Delegation d, list roots, list gradients) except -1
cdef Pass pass_for(Node n)

# Listeners: who hears of every operation of a thread, while it runs.

from minigrad._core.modes cimport State

cdef enum Kind:
    OP
    FUNCTION                    # the forward of a custom Function
    NODE                        # a node in the backward pass
    USER                        # a range that the user named
    MEMORY                      # what was allocated and freed between operations


cdef class Listener:
    cdef readonly bint shapes   # it wants to know the shapes of arguments
    cdef unsigned long thread   # that it listens to; 0 when it does not
    cdef int begin(self, object name, Kind kind, long long seq, object arguments) except -1
    cdef int end(self, int place) except -1
    cdef int made(self, int place, long long seq) except -1

cdef long long seq_now(State* st) noexcept

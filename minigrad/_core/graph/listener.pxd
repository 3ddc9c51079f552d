# Listeners, which are told of every operation that a thread runs; see listener.pyx.

from minigrad._core.runtime.thread_state cimport State

cdef enum EventKind:
    OP
    FUNCTION                    # the forward of a custom Function
    NODE                        # a node in the backward pass
    USER                        # a range that the user named
    MEMORY                      # what was allocated and freed between operations


cdef class Announced:
    """A function that has been called, and may turn out to be the row inside it: Note [The call that was written]."""
    cdef object name, arguments
    cdef long long seq
    cdef int event              # its number; -1 while it has not begun


cdef class Listener:
    cdef readonly bint shapes   # it wants to know the shapes of arguments
    cdef readonly bint calls    # it wants the calls themselves: Note [Calls in full] in listener.pyx
    cdef bint watches           # and only looks at the numbers: what it need not see may go its fast way
    cdef unsigned long thread   # the thread to which it listens; 0 if to none
    cdef Announced announced    # Note [The call that was written]
    cdef int hear(self, object name, EventKind kind, long long seq, object arguments) except -1
    cdef Announced announce(self, object name, long long seq, object arguments)
    cdef int settle(self, Announced call) except -1
    cdef int begin(self, object name, EventKind kind, long long seq, object arguments) except -1
    cdef int end(self, int event) except -1
    cdef int made(self, int event, long long seq) except -1
    cdef object calling(self, object op, list arguments, bint in_place)
    cdef int called(self, object op, list arguments, object before, object result, bint in_place) except -1
    cdef int copied(self, object source, object to) except -1
    cdef object taken(self, object tensor, object how, object number)

cdef long long seq_now(State* st) noexcept


cdef inline bint only_watched(State* st) noexcept:
    """Is a listener that watches the only mode?  What it need not see may go its fast way."""
    return st.active == 1 and st.listener != NULL and (<Listener>st.listener).watches

"""Backward passes inside backward passes: how deep they go, and where.

A hook or a custom Function may start a backward pass while one is running (checkpointing does), and in that pass
another may start.  Each takes some of the C stack, and Python counts it towards its recursion limit.  How passes share
nodes is another matter: Note [Claims] in pass_state.pyx.

Note [Passes in other threads]
------------------------------
Beyond some depth, or when the stack is nearly used up, a pass runs in a new thread, with a stack of its own, while the
thread that asked for it waits::

    thread 1    pass 1 > pass 2 > ... > pass 40 > waits ............................ goes on
    thread 2                                      pass 41 > ... > pass 80 > waits .. ends
    thread 3                                                                pass 81  ends

The program does not notice.  The switches of the thread (``State`` in thread_state.pxd) are handed over and come back,
with the number by which it holds locks, and so does the context (context variables, NumPy's error state).  Signal
handlers run in the thread that waits, as Python runs them in the main thread only; what a handler raises ends the
passes of all threads that work for it.
"""

from libc.string cimport memset

from _thread import allocate_lock, get_ident, stack_size, start_new_thread

from minigrad._core.errors import error
from minigrad._core.runtime.python_api cimport PyContext_CopyCurrent, PyContext_Enter, PyContext_Exit, PyObject
from minigrad._core.runtime.thread_state cimport State, state

cdef extern from "runtime/platform.h":
    char* mg_stack_floor() nogil

cdef extern from "Python.h":
    int PyThreadState_SetAsyncExc(unsigned long, object) except -1


# ------------------------------------------------------------------------------ how deep

# Two things can run out: the stack of the thread, of which we know the lowest address, and the calls that Python allows
# inside each other, usually 1000. A pass goes to another thread before either is used up.

cdef enum:
    DEEP = 40                       # passes in one thread: Python's recursion limit leaves 25 calls for each
    TOO_DEEP = 2000                 # passes in all threads together: no program means to do that
    ROOM = 160 * 1024               # bytes of stack that a pass, and what it calls, should have before it
    STACK = 16 * 1024 * 1024        # the stack of a new thread; the system gives it memory as it is used


cdef bint is_deep(State* st) except -1:
    """True if the next pass, inside another one, should run in a new thread."""
    cdef char here
    if st.stack_floor == NULL:
        st.stack_floor = mg_stack_floor()
    return st.depth >= DEEP or st.nested >= TOO_DEEP or (st.stack_floor != NULL and &here - st.stack_floor < ROOM)


# ------------------------------------------------------------------------------ in another thread

# The thread that asks is the *sender*. It makes an Errand, starts a thread that calls it, and waits for the lock
# `done`. A pass in that thread may start another errand; all of them refer to the first, whose sender is the thread
# that the user started.

cdef class Errand:
    """A call that another thread makes for us; see Note [Passes in other threads]."""
    cdef object function, context, result, raised, done
    cdef tuple arguments
    cdef State* sender
    cdef Errand first                   # the errand of the user's thread; None if that is this one
    cdef list threads                   # of the first: the threads that work for it
    cdef object stopped                 # of the first: the class of what a signal handler raised

    def __call__(self):
        cdef State* st = state()
        cdef object thread = get_ident()
        cdef Errand first = self if self.first is None else self.first
        hand_over(self.sender, st)
        st.errand = <PyObject*>self
        try:
            first.threads.append(thread)
            PyContext_Enter(self.context)
            try:
                self.result = self.function(*self.arguments)
            finally:
                PyContext_Exit(self.context)
        except BaseException as e:
            self.raised = e
        finally:
            st.errand = self.sender.errand
            hand_over(st, self.sender)
            memset(st, 0, sizeof(State))
            self.function = self.arguments = self.context = None
            first.threads.remove(thread)
            self.done.release()


cdef void hand_over(State* of, State* to) noexcept:
    """Copy the switches of one thread to another, except for those that belong to its stack."""
    cdef State own = to[0]
    to[0] = of[0]
    to.dying, to.draining, to.stack_floor, to.depth = own.dying, own.draining, own.stack_floor, own.depth


cdef object elsewhere(object function, tuple arguments):
    """``function(*arguments)``, called in a new thread while we wait."""
    cdef State* st = state()
    cdef Errand errand = Errand.__new__(Errand)
    cdef Errand sent = None if st.errand == NULL else <Errand>st.errand
    cdef object interrupted = None
    cdef Py_ssize_t usual
    if st.nested >= TOO_DEEP:
        raise without_end()
    errand.function, errand.arguments, errand.sender = function, arguments, st
    errand.context = PyContext_CopyCurrent()
    errand.threads = []
    if sent is not None:
        errand.first = sent if sent.first is None else sent.first
    errand.done = allocate_lock()
    errand.done.acquire()
    usual = stack_size(STACK)
    try:
        start_new_thread(errand, ())
    except RuntimeError as e:
        raise no_thread(st.nested, e) from e
    finally:
        stack_size(usual)
    while True:
        try:
            errand.done.acquire()
            break
        except BaseException as e:      # from a signal handler
            interrupted = e
            errand.stopped = type(e)
            for thread in errand.threads:
                PyThreadState_SetAsyncExc(thread, type(e))
    if interrupted is not None:
        raise interrupted
    if errand.raised is not None:
        raise errand.raised
    return errand.result


# ------------------------------------------------------------------------------ signals

# Python runs signal handlers in the main thread only. If that waits in `elsewhere`, what a handler raises is passed on
# to the threads at work: as an exception that Python raises there as soon as Python code runs, and, for a pass that
# runs none, as a mark on the first errand, which every pass checks when it lets signal handlers run (`hear_signals`).

cdef int heed_sender(State* st) except -1:
    """In a pass that runs for another thread: end it if a signal handler there has ended what it is part of."""
    cdef Errand first = <Errand>st.errand
    with nogil:                         # if the sender waits for Python's lock, it takes it here and runs its handlers
        pass
    if first.first is not None:
        first = first.first
    if first.stopped is not None:
        raise first.stopped()
    return 0


# ------------------------------------------------------------------------------ what the errors say

cdef object without_end():
    return error("MG129", f"maximum recursion depth exceeded: {TOO_DEEP} backward passes have begun inside each other, "
                          "each in a hook or in the backward of a custom Function that the one before called. Probably "
                          "the backward of a graph runs that same graph again, without end: detach() what it starts "
                          "from.")


cdef object no_thread(int nested, object refusal):
    return error("MG129", f"backward passes are nested {nested} deep, and the next one needs a thread of its own, "
                          f"which the system refuses: {refusal}")

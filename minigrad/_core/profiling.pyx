"""Listeners: who hears of every operation of a thread, while it runs.

What they hear of, from dispatch, from the in-place forms, from custom Functions, from the engine and from the user::

    begin  linear                       a public function that is made of others
      begin  mm                         an operation
      end
      begin  add
      end
    end
    begin  MulBackward0                 a node in the backward pass
      begin  mul                        a step of its formula
      end
    end

A thread has one listener or none.  Without one nothing here runs: dispatch asks one question for all modes
together, and the engine one for a whole pass.  What becomes of it, the two in recorders.pyx decide; the profiler is
built on these (minigrad/autograd/profiler).

Note [The call that was written]
--------------------------------
The outermost event is the function that the program called: `linear` with its `addmm` inside.  But `x.sum(0)` is a
function that only chooses the row, and the row is called `sum` too; one event is enough::

    x.sum(0)         announced: sum         the row sum begins: it is the call that was announced
    x.reshape(9)     announced: reshape     the row view begins: so reshape begins first, and view lies inside

A function whose name a row bears is therefore announced, and begins only where the first row inside has another name.
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF

from minigrad._core.errors import error
from minigrad._core.graph cimport coming_seq
from minigrad._core.modes cimport State, state, thread_number
from minigrad._core cimport modes


@cython.binding(False)
@cython.embedsignature(True)
cdef class Listener:
    """One that does nothing; the two in recorders.pyx fill in what to do."""

    cdef int begin(self, object name, Kind kind, long long seq, object arguments) except -1:
        """Something begins; `arguments` are looked at, and needed, only where shapes are wanted.

        What is returned is for `end`.
        """
        return 0

    cdef int end(self, int event) except -1:
        return 0

    cdef int made(self, int event, long long seq) except -1:
        """What began there has made the node `seq`.

        It is not the one foreseen, if another thread took that number meanwhile.
        """
        return 0

    cdef int hear(self, object name, Kind kind, long long seq, object arguments) except -1:
        """An operation begins; with it the function around it, if one was announced and has another name."""
        cdef Announced call = self.announced
        if call is not None:
            self.announced = None
            if call.name != name:
                call.event = self.begin(call.name, OP, call.seq, call.arguments)
        return self.begin(name, kind, seq, arguments)

    cdef Announced announce(self, object name, long long seq, object arguments):
        """A function is called, whose name a row bears; None where it is that which was announced before."""
        cdef Announced call = self.announced
        if call is not None and call.name == name:
            return None
        if call is not None:
            call.event = self.begin(call.name, OP, call.seq, call.arguments)
        call = Announced.__new__(Announced)
        call.name, call.seq, call.arguments, call.event = name, seq, arguments, -1
        self.announced = call
        return call

    cdef int settle(self, Announced call) except -1:
        """The function has returned."""
        if self.announced is call:
            self.announced = None           # no row has run
        elif call.event >= 0:
            self.end(call.event)
        return 0

    def start(self):
        """Listen to this thread from now on."""
        cdef State* st = state()
        if st.listener != NULL:
            raise error("MG505", "a profiler is already on in this thread, and a thread has one at a time: profile, "
                                 "emit_nvtx and emit_itt cannot be nested. End the other one first.")
        self.thread = thread_number()
        Py_INCREF(self)
        st.listener = <PyObject*>self
        st.active += 1
        modes.listeners += 1

    def stop(self):
        """Listen no longer."""
        cdef State* st = state()
        if st.listener != <PyObject*>self:
            raise error("MG505", "this profiler cannot be stopped here: it was started in another thread, or was "
                                 "stopped before.")
        st.listener = NULL
        st.active -= 1
        modes.listeners -= 1
        self.thread = 0
        Py_DECREF(self)

    def enter(self, label):
        """A range that the user names begins; what is returned is for ``leave``."""
        return self.begin(label, USER, seq_now(state()), None)

    def leave(self, int event):
        """The range ends.  It may end when those that began after it have not: tasks take turns.

        In another thread, whose clock of memory is another, it does not end: it lasts as long as the listener listens.
        """
        if self.thread == thread_number():
            self.end(event)


def listening():
    """The listener of this thread; None where there is none."""
    cdef State* st = state()
    return None if st.listener == NULL else <object>st.listener


cdef long long seq_now(State* st) noexcept:
    """The number that a node made now would get; 0 where none is made."""
    return 0 if st.grad_off else coming_seq()

"""Listeners: they are told of every operation that a thread runs, as it runs.

Dispatch, the in-place forms, custom Functions, the engine and the user tell them when something begins and ends::

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

A thread has one listener or none.  Without one nothing here runs: dispatch asks one question for all modes together,
and the engine one for a whole pass.  There are four kinds of listeners, in recorders.pyx: the profiler is built on
two of them (minigrad/autograd/profiler), what is written down of a program on the third (minigrad/viz), and the fourth
*watches* the numbers (minigrad/autograd/digits).

Note [The call that was written]
--------------------------------
The outermost event is the function that the program called: `linear`, with its `addmm` inside.  But `F.relu(x)` only
asks whether it is to work in place, and then calls a row of the same name: one event is enough for both::

    F.relu(x)        announced: relu        the row relu begins: it is the call that was announced
    x.reshape(9)     announced: reshape     the row view begins: so reshape begins first, and view lies inside

So a function that has the name of a row is announced, and begins only if the first row inside has another name.

Note [Calls in full]
--------------------
A profiler needs names and shapes.  Whoever wants to compute the same again needs the row, its arguments and its result,
and of a write the target as it was before::

    y = x.exp()         calling(exp, [x])               called(exp, [x], y)
    y.mul_(2)           calling(mul, [y, 2]), a write   called(mul, [y, 2], y), a write

    if y.item() > 3:                                    taken(y, "item", 7.4)

A listener with `calls` is told that.  A backward pass that it hears runs its formulas on Tensors, so that their steps
are calls too, and the sums at its edges and in its buffers as well.
"""

cimport cython

from minigrad._core.errors import error
from minigrad._core.graph cimport coming_seq
from minigrad._core.runtime cimport thread_state
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF
from minigrad._core.runtime.thread_state cimport State, state, thread_number


@cython.binding(False)
@cython.embedsignature(True)
cdef class Listener:
    """A listener that does nothing: those in recorders.pyx say what to do."""

    cdef int begin(self, object name, EventKind kind, long long seq, object arguments) except -1:
        """Something begins; `arguments` are needed only if the listener wants shapes.

        Returns the number of the event, for `end`.
        """
        return 0

    cdef int end(self, int event) except -1:
        """The event ends."""
        return 0

    cdef int made(self, int event, long long seq) except -1:
        """The event has made node `seq`.

        That is not the number told at its beginning if another thread took that one in between.
        """
        return 0

    cdef object calling(self, object op, list arguments, bint in_place):
        """A row is about to be called: Note [Calls in full].  What is returned goes to `called`."""
        return None

    cdef int called(self, object op, list arguments, object before, object result, bint in_place) except -1:
        """It has returned; after an error nothing is told."""
        return 0

    cdef int copied(self, object source, object to) except -1:
        """The numbers of `source`, an array or a tensor, were written to the tensor `to`, by no row."""
        return 0

    cdef object taken(self, object tensor, object how, object number):
        """The program takes a ``number`` out of a tensor by a function, such as item; it gets what is returned."""
        return number

    cdef int hear(self, object name, EventKind kind, long long seq, object arguments) except -1:
        """An operation begins, and before it the function around it, if one with another name was announced."""
        cdef Announced call = self.announced
        if call is not None:
            self.announced = None
            if call.name != name:
                call.event = self.begin(call.name, OP, call.seq, call.arguments)
        return self.begin(name, kind, seq, arguments)

    cdef Announced announce(self, object name, long long seq, object arguments):
        """A function with the name of a row is called; None if the one announced before it has that name too."""
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
        """The announced function has returned."""
        if self.announced is call:
            self.announced = None           # no row has run
        elif call.event >= 0:
            self.end(call.event)
        return 0

    def start(self):
        """Listen to this thread from now on."""
        cdef State* st = state()
        if st.listener != NULL:
            raise already_on()
        self.thread = thread_number()
        Py_INCREF(self)
        st.listener = <PyObject*>self
        st.active += 1
        thread_state.listeners += 1

    def stop(self):
        """Listen no longer."""
        cdef State* st = state()
        if st.listener != <PyObject*>self:
            raise not_on()
        st.listener = NULL
        st.active -= 1
        thread_state.listeners -= 1
        self.thread = 0
        Py_DECREF(self)

    def enter(self, label):
        """A range that the user has named begins; returns its number, for ``leave``."""
        return self.begin(label, USER, seq_now(state()), None)

    def leave(self, int event):
        """The range ends, perhaps before ranges that began later: tasks take turns.

        In another thread, which counts memory of its own, this does nothing: the range ends with the listener.
        """
        if self.thread == thread_number():
            self.end(event)


def listening():
    """The listener of this thread; None where there is none."""
    cdef State* st = state()
    return None if st.listener == NULL else <object>st.listener


def hears_calls():
    """Is a listener of this thread told each call, so that no write may go past the rows?"""
    cdef State* st = state()
    return st.listener != NULL and (<Listener>st.listener).calls


def is_written_down():
    """Are the calls of this thread written down for a reader, who wants to see the steps of a layer?"""
    cdef State* st = state()
    return st.listener != NULL and (<Listener>st.listener).calls and not (<Listener>st.listener).watches


class Labelled:
    """A block that is an event with the label ``name``: the C half of ``record_function``."""

    def __enter__(self):
        listener = listening()
        self._open = listener, listener and listener.enter(self.name), self._open       # and what was open before
        return self

    def __exit__(self, kind, value, traceback):
        opened = self._open             # to take it apart would need memory
        if opened is None:
            self._refuse_to_end()
        self._open = opened[2]
        if opened[0] is not None:
            opened[0].leave(opened[1])


cdef long long seq_now(State* st) noexcept:
    """The number that the next node will get; 0 if none is made, as nothing is recorded."""
    return 0 if st.grad_off else coming_seq()


# ------------------------------------------------------------------------------ what the errors say

cdef object already_on():
    return error("MG505", "a profiler is already on in this thread, and a thread has one at a time: profile, "
                          "emit_nvtx, emit_itt, viz.recording and digits cannot be nested. End the other one first.")


cdef object not_on():
    return error("MG505", "this profiler cannot be stopped here: it was started in another thread, or was stopped "
                          "before.")

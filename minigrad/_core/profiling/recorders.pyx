"""The listeners: a `Recorder` writes down when everything began and ended, an `Emitter` hands it on at once, a `Scribe`
hands on the calls themselves, and a `Watcher` shows a function of Python their numbers.

The profiler (minigrad/autograd/profiler) makes its tables and traces from the records of a Recorder.  An Emitter speaks
to a profiler outside Python, a Scribe to the recording of a program (minigrad/viz/recording.py), and a Watcher to
minigrad/autograd/digits.  listener.pyx says what there is to hear.
"""

cimport cython

import numpy as np

from minigrad._core.graph cimport Tensor
from minigrad._core.graph.listener cimport MEMORY, USER, EventKind, Listener
from minigrad._core.runtime.allocation_counter cimport counting, handler_in_force, set_handler
from minigrad._core.runtime.malloc cimport with_room
from minigrad._core.runtime.python_api cimport PyMem_Free, PyObject, Py_DECREF, Py_INCREF
from minigrad._core.runtime.source_lines cimport current_frame, users_code
from minigrad._core.runtime.thread_state cimport State, state

cdef extern from "runtime/platform.h":
    long long mg_now() nogil

_KINDS = ("op", "function", "node", "user", "memory")       # the names of EventKind


cdef object shapes_of(object arguments):
    """[[2, 3], []]: a list of sizes for each argument, and an empty one for anything that is not a tensor."""
    if arguments is None:
        return None
    return [shape_of(x) for x in arguments]


cdef object shape_of(object x):
    if isinstance(x, (Tensor, np.ndarray)):
        return list(x.shape)
    if isinstance(x, (list, tuple)) and any([isinstance(y, (Tensor, np.ndarray)) for y in x]):
        return [shape_of(y) for y in x]
    return []


# ------------------------------------------------------------------------------ writing down

cdef struct Record:
    PyObject* name
    PyObject* shapes            # a list, or None
    PyObject* stack             # a tuple, or None
    long long start, end        # nanoseconds; end 0 while it is open
    long long seq
    long long allocated, freed  # while it is open: the counters at its start
    int parent                  # the record in which it lies, or -1
    EventKind kind
    bint asynchronous           # it overlaps another one that does not lie inside it


@cython.binding(False)
@cython.embedsignature(True)
cdef class Recorder(Listener):
    """Writes down when everything began and ended.

    The records are in one block of memory, in the order in which they began, and the number of an event is its index;
    `open` has the numbers of those that have not ended.  Usually the innermost ends first.  Where tasks take turns (the
    user names ranges around an ``await``) another one may, and then those that overlap are marked as asynchronous.
    """
    cdef Record* written
    cdef int n
    cdef Py_ssize_t room
    cdef int* open              # the records that have not ended, innermost last
    cdef int n_open
    cdef Py_ssize_t room_open
    cdef bint stacks, memory
    cdef dict shared            # stacks, each once: there are many events and few places
    cdef object handler         # NumPy's, as it was before
    cdef object reserve         # memory with which it can be put back if there is no other
    cdef long long allocated, freed     # the counters when the last outermost event ended

    def __init__(self, bint shapes=False, bint stacks=False, bint memory=False):
        self.shapes, self.stacks, self.memory = shapes, stacks, memory
        self.shared = {}

    def __dealloc__(self):
        for i in range(self.n):
            Py_DECREF(<object>self.written[i].name)
            Py_DECREF(<object>self.written[i].shapes)
            Py_DECREF(<object>self.written[i].stack)
        PyMem_Free(self.written)
        PyMem_Free(self.open)

    def start(self):
        """Listen to this thread from now on."""
        if self.memory:
            self.reserve = bytes(4096)
            self.handler = handler_in_force()
        Listener.start(self)
        if self.memory:
            try:
                set_handler(counting)
            except MemoryError:
                Listener.stop(self)
                self.put_back()                 # it can fail after it was set
                raise
            self.allocated, self.freed = state().allocated, state().freed

    def stop(self):
        """Listen no longer; events that have not ended end now."""
        Listener.stop(self)
        while self.n_open:
            self.close(self.open[self.n_open - 1])
        if self.memory:
            self.put_back()
            self.between()

    cdef int put_back(self) except -1:
        """Let NumPy take its memory from where it did before.  To set a context variable takes some memory, too.

        It is freed first: where both pieces that Python needs are refused, Python 3.11 crashes.
        """
        self.reserve = None
        try:
            set_handler(self.handler)
        except MemoryError:             # it may have been set all the same
            set_handler(self.handler)
        return 0

    cdef int begin(self, object name, EventKind kind, long long seq, object arguments) except -1:
        cdef Record* r
        if not self.thread:             # a hook has stopped it, and the pass goes on
            return 0
        if self.memory and not self.n_open:
            self.between()
        if self.n_open == self.room_open:
            self.open = <int*>with_room(self.open, &self.room_open, sizeof(int))
        r = self.append(name, kind, seq, shapes_of(arguments) if self.shapes else None)
        self.open[self.n_open] = self.n - 1
        self.n_open += 1
        r.start = mg_now()
        return self.n - 1

    cdef Record* append(self, object name, EventKind kind, long long seq, object shapes) except NULL:
        cdef Record* r
        cdef State* st = state()
        stack = frames() if self.stacks and kind != MEMORY else None
        stack = self.shared.setdefault(stack, stack)
        if self.n == self.room:
            self.written = <Record*>with_room(self.written, &self.room, sizeof(Record))
        r = &self.written[self.n]
        for kept in (name, shapes, stack):
            Py_INCREF(kept)
        r.name, r.shapes, r.stack = <PyObject*>name, <PyObject*>shapes, <PyObject*>stack
        r.kind, r.seq, r.end, r.asynchronous = kind, seq, 0, False
        r.parent = self.open[self.n_open - 1] if self.n_open else -1
        r.allocated, r.freed = st.allocated, st.freed
        self.n += 1
        return r

    cdef int end(self, int event) except -1:
        cdef int i, k
        for i in range(self.n_open - 1, -1, -1):
            if self.open[i] == event:
                break
        else:
            return 0                    # it was closed when the recorder stopped
        if i < self.n_open - 1:         # tasks take turns: this one overlaps those above it, or they outlive it
            if self.written[event].kind == USER:
                self.written[event].asynchronous = True
            else:
                for k in range(i + 1, self.n_open):
                    self.written[self.open[k]].asynchronous = True
        self.close(event)
        return 0

    cdef int made(self, int event, long long seq) except -1:
        if self.thread and 0 < self.written[event].seq < seq:
            self.written[event].seq = seq
        return 0

    cdef int close(self, int event) except -1:
        cdef State* st = state()
        cdef Record* r = &self.written[event]
        cdef int i = self.n_open - 1
        r.end = mg_now()
        r.allocated = st.allocated - r.allocated
        r.freed = st.freed - r.freed
        while self.open[i] != event:
            i -= 1
        self.n_open -= 1
        for i in range(i, self.n_open):
            self.open[i] = self.open[i + 1]
        if not self.n_open:
            self.allocated, self.freed = st.allocated, st.freed
        return 0

    cdef int between(self) except -1:
        """Write down what was allocated and freed since the last event ended."""
        cdef State* st = state()
        cdef Record* r
        if st.allocated == self.allocated and st.freed == self.freed:
            return 0
        r = self.append("[memory]", MEMORY, 0, None)
        r.allocated, r.freed = st.allocated - self.allocated, st.freed - self.freed
        r.start = r.end = mg_now()
        self.allocated, self.freed = st.allocated, st.freed
        return 0

    def records(self):
        """The events, in the order in which they began.

        [(name, kind, start, end, parent, seq, shapes, stack, allocated, freed, asynchronous)]: times in nanoseconds,
        memory in bytes with that of the events inside; ``parent`` is an index into this list, or -1.
        """
        cdef Record* r
        cdef int i
        cdef list found = []
        for i in range(self.n):
            r = &self.written[i]
            found.append((<object>r.name, _KINDS[<int>r.kind], r.start, r.end, r.parent, r.seq,
                          <object>r.shapes, <object>r.stack, r.allocated, r.freed, r.asynchronous))
        return found


class Recorded:
    """A block that a Recorder hears: the C half of ``profile``.  See Note [Ctrl-C at the edge of a block]."""

    def __enter__(self):
        if self.enabled:
            self._begin()
            self._recorder.start()      # last: what fails before it leaves nobody listening
            self.entered = True
        return self

    def __exit__(self, kind, value, traceback):
        if self.enabled:
            if not self.entered or self.ended:
                self._refuse_to_end()
            self._recorder.stop()
            self.ended = True
            self._end()


cdef tuple frames():
    """The frames of the program: ((file, line, function), ...), innermost first, without those of minigrad itself."""
    cdef list found = []
    frame = current_frame()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))       # in code run by exec it may be anything
        if module.partition(".")[0] != "minigrad":
            found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname))
        frame = frame.f_back
    return tuple(found)


# ------------------------------------------------------------------------------ handing on

@cython.binding(False)
@cython.embedsignature(True)
cdef class Emitter(Listener):
    """Hands on at once: ``push(name, kind, seq, shapes)`` when something begins, ``pop()`` when it ends."""
    cdef object when_begun, when_ended      # Cython would take an attribute `pop` for the method of a list
    cdef int depth                          # how many ranges are open

    def __init__(self, push, pop, bint shapes=False):
        self.when_begun, self.when_ended, self.shapes = push, pop, shapes

    cdef int begin(self, object name, EventKind kind, long long seq, object arguments) except -1:
        if not self.thread:
            return 0
        self.when_begun(name, _KINDS[<int>kind], seq, shapes_of(arguments) if self.shapes else None)
        self.depth += 1
        return 0

    cdef int end(self, int event) except -1:
        if self.depth:
            self.depth -= 1
            self.when_ended()
        return 0

    def stop(self):
        """Hand on no longer; events that have not ended end now."""
        Listener.stop(self)
        while self.depth:
            self.end(0)


# ------------------------------------------------------------------------------ the calls themselves

@cython.binding(False)
@cython.embedsignature(True)
cdef class Scribe(Listener):
    """Hands on the calls of rows to a ``writer``, whose own operations it does not hear: Note [Calls in full].

    ``writer.calling(op, arguments, in_place)`` comes before a call, ``writer.called(op, arguments, result, in_place)``
    after it; in between ``writer.begin(name, kind, seq)`` and ``writer.end()`` say what it is part of; ``seq`` is the
    number that the next node will get.
    """
    cdef object writer

    def __init__(self, writer):
        self.writer, self.calls = writer, True

    cdef object tell(self, object method, tuple arguments):
        """Call a method of the writer's with the listener switched off."""
        cdef State* st = state()
        if not self.thread or st.listener != <PyObject*>self:
            return None
        st.listener = NULL
        st.active -= 1
        try:
            return method(*arguments)
        finally:
            st.listener = <PyObject*>self
            st.active += 1

    cdef int begin(self, object name, EventKind kind, long long seq, object arguments) except -1:
        self.tell(self.writer.begin, (name, _KINDS[<int>kind], seq))
        return 0

    cdef int end(self, int event) except -1:
        self.tell(self.writer.end, ())
        return 0

    cdef object calling(self, object op, list arguments, bint in_place):
        return self.tell(self.writer.calling, (op, arguments, in_place))

    cdef int called(self, object op, list arguments, object before, object result, bint in_place) except -1:
        self.tell(self.writer.called, (op, arguments, result, in_place))
        return 0


def flags_now(Tensor t not None):
    """Does it require grad, and is it a leaf?

    As it stands: a view whose history lags behind is not brought up to date, as ``t.requires_grad`` would do.
    """
    return t.requires_grad_ != 0, t.node is None


# ------------------------------------------------------------------------------ watching

# What a Watcher calls computes with tensors itself, in the middle of a program that may be in any mode: in a transform,
# in a dual level, under saved-tensor hooks.  So all modes of the thread are off meanwhile, and recording is too.

@cython.binding(False)
@cython.embedsignature(True)
cdef class Watcher(Listener):
    """Shows each call of a row: ``before(op, arguments)`` only ahead of a write, and what that returns goes to
    ``after(op, arguments, before, out)``.  ``copied(source, to)`` tells of numbers that no row has copied, and what
    ``taken(tensor, how, number)`` returns is what the program gets out of a tensor."""
    cdef object when_called, when_returned, when_copied, when_taken

    def __init__(self, before, after, copied, taken):
        self.when_called, self.when_returned, self.when_copied, self.when_taken = before, after, copied, taken
        self.calls = self.watches = True

    cdef object calling(self, object op, list arguments, bint in_place):
        return self.undisturbed(self.when_called, (op, arguments)) if in_place and self.thread else None

    cdef int called(self, object op, list arguments, object before, object result, bint in_place) except -1:
        if self.thread:
            self.undisturbed(self.when_returned, (op, arguments, before, result))
        return 0

    cdef int copied(self, object source, object to) except -1:
        if self.thread:
            self.undisturbed(self.when_copied, (source, to))
        return 0

    cdef object taken(self, object tensor, object how, object number):
        return self.undisturbed(self.when_taken, (tensor, how, number)) if self.thread else number

    def undisturbed(self, function, tuple arguments not None):
        """``function(*arguments)`` while no mode of this thread is on, and this listener is not told."""
        cdef State* st = state()
        cdef State was = st[0]
        st.active = st.inference = st.forward = st.anomaly = st.hooked = 0
        st.grad_off = 1
        st.listener = st.levels = st.owners = NULL
        try:
            return function(*arguments)
        finally:
            st.active, st.inference, st.forward, st.anomaly = was.active, was.inference, was.forward, was.anomaly
            st.hooked, st.grad_off = was.hooked, was.grad_off
            st.listener, st.levels, st.owners = was.listener, was.levels, was.owners

    def line(self):
        """(code, instruction) of the line of the user's program that runs; (None, 0) if none does."""
        cdef int instruction = 0
        cdef PyObject* code = users_code(&instruction)
        return (None, 0) if code == NULL else (<object>code, instruction)

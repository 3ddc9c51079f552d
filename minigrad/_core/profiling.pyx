"""Listeners: who hears of every operation of a thread, while it runs.

A profiler (minigrad/autograd/profiler) is one of two listeners: a `Recorder` writes down when each operation
began and ended; an `Emitter` hands that on at once, to a profiler outside of Python.  What they hear of, from
dispatch, from the in-place forms, from custom Functions, from the engine and from the user::

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
together, and the engine one for a whole pass.

Note [The call that was written]
--------------------------------
The outermost event is the function that the program called: `linear` with its `addmm` inside.  But `x.sum(0)` is a
function that only chooses the row, and the row is called `sum` too; one event is enough::

    x.sum(0)         announced: sum         the row sum begins: it is the call that was announced
    x.reshape(9)     announced: reshape     the row view begins: so reshape begins first, and view lies inside

A function whose name a row bears is therefore announced, and begins only where the first row inside has another name.

Note [Counting memory]
----------------------
NumPy lets a program bring an allocator of its own (NEP 49), and every array remembers the one that it came from.
Ours asks NumPy's and adds to two counters of the thread; in front of each block it keeps the size::

    what NumPy's allocator gave    | size | the memory of the array ... |
                                          ^ what the array gets

So a block is counted with the same size when it comes and when it goes, whoever frees it and when.  It is in
force only while a `Recorder` counts memory, in its own context; arrays that were made before are not counted
when they go.  What an event used is what the counters gained between its beginning and its end.
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport uint8_t
from libc.string cimport strcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec
cimport numpy as cnp

import numpy as np

from minigrad._core.errors import error
from minigrad._core.graph cimport Node, Tensor, coming_seq, with_room
from minigrad._core.modes cimport State, state, thread_number
from minigrad._core.places cimport current_frame
from minigrad._core cimport modes

cnp.import_array()

cdef extern from "Python.h":
    void PyMem_Free(void*)

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyDataMemAllocator:
        void* ctx
        void* (*malloc)(void*, size_t) noexcept nogil
        void* (*calloc)(void*, size_t, size_t) noexcept nogil
        void* (*realloc)(void*, void*, size_t) noexcept nogil
        void (*free)(void*, void*, size_t) noexcept nogil
    ctypedef struct PyDataMem_Handler:
        char name[127]
        uint8_t version
        PyDataMemAllocator allocator
    object PyDataMem_SetHandler(object)
    PyObject* PyDataMem_DefaultHandler


# ------------------------------------------------------------------------------ what all listeners have

@cython.binding(False)
@cython.embedsignature(True)
cdef class Listener:
    """One that does nothing; the two below fill in what to do."""

    cdef int begin(self, object name, Kind kind, long long seq, object arguments) except -1:
        """Something begins; `arguments` are looked at, and needed, only where shapes are wanted.  What is returned is for `end`."""
        return 0

    cdef int end(self, int place) except -1:
        return 0

    cdef int made(self, int place, long long seq) except -1:
        """What began there has made the node `seq`: not the one foreseen, if another thread took that number meanwhile."""
        return 0

    cdef int hear(self, object name, Kind kind, long long seq, object arguments) except -1:
        """An operation begins; with it the function around it, if one was announced and has another name."""
        cdef Announced call = self.announced
        if call is not None:
            self.announced = None
            if call.name != name:
                call.place = self.begin(call.name, OP, call.seq, call.arguments)
        return self.begin(name, kind, seq, arguments)

    cdef Announced announce(self, object name, long long seq, object arguments):
        """A function is called, whose name a row bears; None where it is that which was announced before."""
        cdef Announced call = self.announced
        if call is not None and call.name == name:
            return None
        if call is not None:
            call.place = self.begin(call.name, OP, call.seq, call.arguments)
        call = Announced.__new__(Announced)
        call.name, call.seq, call.arguments, call.place = name, seq, arguments, -1
        self.announced = call
        return call

    cdef int settle(self, Announced call) except -1:
        """The function has returned."""
        if self.announced is call:
            self.announced = None           # no row has run
        elif call.place >= 0:
            self.end(call.place)
        return 0

    def start(self):
        """Listen to this thread from now on."""
        cdef State* st = state()
        if st.listener != NULL:
            raise error("MG505", "a profiler is already on in this thread, and a thread has one at a time: profile, emit_nvtx and emit_itt "
                                 "cannot be nested. End the other one first.")
        self.thread = thread_number()
        Py_INCREF(self)
        st.listener = <PyObject*>self
        st.active += 1
        modes.listeners += 1

    def stop(self):
        """Listen no longer."""
        cdef State* st = state()
        if st.listener != <PyObject*>self:
            raise error("MG505", "this profiler cannot be stopped here: it was started in another thread, or was stopped before.")
        st.listener = NULL
        st.active -= 1
        modes.listeners -= 1
        self.thread = 0
        Py_DECREF(self)

    def enter(self, label):
        """A range that the user names begins; what is returned is for ``leave``."""
        return self.begin(label, USER, seq_now(state()), None)

    def leave(self, int place):
        """The range ends.  It may end when those that began after it have not: tasks take turns.

        In another thread, whose clock of memory is another, it does not end: it lasts as long as the listener listens.
        """
        if self.thread == thread_number():
            self.end(place)


def listening():
    """The listener of this thread; None where there is none."""
    cdef State* st = state()
    return None if st.listener == NULL else <object>st.listener


cdef long long seq_now(State* st) noexcept:
    """The number that a node made now would get; 0 where none is made."""
    return 0 if st.grad_off else coming_seq()


cdef object shapes_of(object arguments):
    """[[2, 3], []]: a list of sizes for each argument, and an empty one for what is no tensor."""
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
    Kind kind
    bint asynchronous           # it did not end in the order in which it began


cdef long long now() noexcept nogil:
    """The clock of time.perf_counter_ns."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <long long>t.tv_sec * 1000000000 + t.tv_nsec


@cython.binding(False)
@cython.embedsignature(True)
cdef class Recorder(Listener):
    """Writes down when everything began and ended."""
    cdef Record* written
    cdef int n
    cdef Py_ssize_t room
    cdef int* open              # the records that have not ended, innermost last
    cdef int n_open
    cdef Py_ssize_t room_open
    cdef bint stacks, memory
    cdef dict shared            # stacks, each once: there are many events and few places
    cdef object handler         # NumPy's, as it was before
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
        Listener.start(self)
        if self.memory:
            try:
                self.handler = PyDataMem_SetHandler(counting)
            except MemoryError:
                Listener.stop(self)
                raise
            self.allocated, self.freed = state().allocated, state().freed

    def stop(self):
        """Listen no longer; what has not ended, ends now."""
        Listener.stop(self)
        while self.n_open:
            self.close(self.open[self.n_open - 1])
        if self.memory:
            PyDataMem_SetHandler(self.handler)
            self.between()

    cdef int begin(self, object name, Kind kind, long long seq, object arguments) except -1:
        cdef Record* r
        if not self.thread:             # a hook has stopped it, and the pass that it began goes on
            return 0
        if self.memory and not self.n_open:
            self.between()
        if self.n_open == self.room_open:
            self.open = <int*>with_room(self.open, &self.room_open, sizeof(int))
        r = self.append(name, kind, seq, shapes_of(arguments) if self.shapes else None)
        self.open[self.n_open] = self.n - 1
        self.n_open += 1
        r.start = now()
        return self.n - 1

    cdef Record* append(self, object name, Kind kind, long long seq, object shapes) except NULL:
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

    cdef int end(self, int place) except -1:
        cdef int i, k
        for i in range(self.n_open - 1, -1, -1):
            if self.open[i] == place:
                break
        else:
            return 0                    # it was closed when the recorder stopped
        if i < self.n_open - 1:         # tasks take turns: either this one overlaps those above it, or they outlive it
            if self.written[place].kind == USER:
                self.written[place].asynchronous = True
            else:
                for k in range(i + 1, self.n_open):
                    self.written[self.open[k]].asynchronous = True
        self.close(place)
        return 0

    cdef int made(self, int place, long long seq) except -1:
        if self.thread and 0 < self.written[place].seq < seq:
            self.written[place].seq = seq
        return 0

    cdef int close(self, int place) except -1:
        cdef State* st = state()
        cdef Record* r = &self.written[place]
        cdef int i = self.n_open - 1
        r.end = now()
        r.allocated = st.allocated - r.allocated
        r.freed = st.freed - r.freed
        while self.open[i] != place:
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
        r.start = r.end = now()
        self.allocated, self.freed = st.allocated, st.freed
        return 0

    def records(self):
        """What was written down, in the order in which it began.

        [(name, kind, start, end, parent, seq, shapes, stack, allocated, freed, asynchronous)]: times in nanoseconds, memory
        in bytes, what is inside an event included; ``parent`` is a place in this list, or -1.
        """
        cdef Record* r
        cdef int i
        cdef list found = []
        for i in range(self.n):
            r = &self.written[i]
            found.append((<object>r.name, _KINDS[<int>r.kind], r.start, r.end or r.start, r.parent, r.seq, <object>r.shapes, <object>r.stack,
                          r.allocated, r.freed, r.asynchronous))
        return found


_KINDS = ("op", "function", "node", "user", "memory")


cdef tuple frames():
    """Where the program is: ((file, line, function), ...), innermost first; minigrad's own frames are left out."""
    cdef list found = []
    frame = current_frame()
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] != "minigrad":     # of what exec runs it may be anything
            found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname))
        frame = frame.f_back
    return tuple(found)


# ------------------------------------------------------------------------------ handing on

@cython.binding(False)
@cython.embedsignature(True)
cdef class Emitter(Listener):
    """Hands on at once: ``push(name, kind, seq, shapes)`` when something begins, ``pop()`` when it ends."""
    cdef object when_begun, when_ended      # of an attribute `pop` Cython would make the method of a list
    cdef int depth                          # how many ranges are open

    def __init__(self, push, pop, bint shapes=False):
        self.when_begun, self.when_ended, self.shapes = push, pop, shapes

    cdef int begin(self, object name, Kind kind, long long seq, object arguments) except -1:
        if not self.thread:
            return 0
        self.when_begun(name, _KINDS[<int>kind], seq, shapes_of(arguments) if self.shapes else None)
        self.depth += 1
        return 0

    cdef int end(self, int place) except -1:
        if self.depth:
            self.depth -= 1
            self.when_ended()
        return 0

    def stop(self):
        """Hand on no longer; what has not ended, ends now."""
        Listener.stop(self)
        while self.depth:
            self.end(0)


# ------------------------------------------------------------------------------ custom Functions

def begin_function(function, Node ctx not None, tuple args):
    """Switch recording off for the forward of a custom Function, and tell who listens; what is returned is for ``end_function``."""
    cdef State* st = state()
    cdef bint before = not st.grad_off
    cdef Listener listener
    cdef int place
    if st.listener == NULL:
        st.grad_off = 1
        return before
    listener = <Listener>st.listener
    place = listener.begin(function.__name__, FUNCTION, 0 if st.grad_off else ctx.seq, args if listener.shapes else None)
    st.grad_off = 1
    return before, listener, place


def end_function(begun):
    """Switch recording back."""
    if type(begun) is not tuple:
        state().grad_off = not begun
        return
    before, listener, place = begun
    state().grad_off = not before
    (<Listener>listener).end(place)


# ------------------------------------------------------------------------------ counting memory

cdef enum:
    HEAD = 16                   # as far as memory is aligned

cdef PyDataMemAllocator usual


cdef void* counted(char* block, size_t size) noexcept nogil:
    """The memory of a new block, from behind its head."""
    if block == NULL:
        return NULL
    (<size_t*>block)[0] = size
    state().allocated += size
    return block + HEAD


cdef void* counted_malloc(void* ctx, size_t size) noexcept nogil:
    return counted(<char*>usual.malloc(usual.ctx, size + HEAD), size)


cdef void* counted_calloc(void* ctx, size_t n, size_t size) noexcept nogil:
    if size and n > (<size_t>-1 - HEAD) / size:
        return NULL
    return counted(<char*>usual.calloc(usual.ctx, 1, n * size + HEAD), n * size)


cdef void* counted_realloc(void* ctx, void* memory, size_t size) noexcept nogil:
    cdef char* block
    cdef size_t before
    if memory == NULL:
        return counted_malloc(ctx, size)
    block = <char*>memory - HEAD
    before = (<size_t*>block)[0]
    block = <char*>usual.realloc(usual.ctx, block, size + HEAD)
    if block != NULL:
        state().freed += before
    return counted(block, size)


cdef void counted_free(void* ctx, void* memory, size_t size) noexcept nogil:
    cdef char* block
    if memory != NULL:
        block = <char*>memory - HEAD
        size = (<size_t*>block)[0]
        state().freed += size
        usual.free(usual.ctx, block, size + HEAD)


cdef PyDataMem_Handler handler
cdef object counting


cdef object make_handler():
    global usual
    usual = (<PyDataMem_Handler*>PyCapsule_GetPointer(<object>PyDataMem_DefaultHandler, "mem_handler")).allocator
    strcpy(handler.name, "minigrad_counting")
    handler.version = 1
    handler.allocator.malloc = counted_malloc
    handler.allocator.calloc = counted_calloc
    handler.allocator.realloc = counted_realloc
    handler.allocator.free = counted_free
    return PyCapsule_New(&handler, "mem_handler", NULL)


counting = make_handler()

"""The switches of a thread: grad mode, inference mode, open transform levels, saved-tensor hooks.

``no_grad`` and its relatives (minigrad/autograd/grad_mode.py) flip them; dispatch reads them once
per operation.  They live in one thread-local C struct, because a Python ``threading.local`` costs
as much as a whole small operation.

Note [Stacks that cannot fail to shrink]
----------------------------------------
What was switched on must be switched off again even where there is no memory left, or whatever comes later is
computed in the wrong mode.  A list may have to move when it gets shorter.  So levels and pairs of saved-tensor hooks
are tuples, each of which holds the one around it; to open one makes a tuple, to close one puts a pointer back::

    levels ---> (2, vmap, {}, *) ---> (1, grad, {}, None)
"""

from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF, Py_XDECREF

import os

from minigrad._core.errors import error

cdef extern from *:
    """
    #if defined(_MSC_VER)
    static __declspec(thread) mg_State mg_state;
    #else
    static __thread mg_State mg_state;
    #endif
    """
    State mg_state


cdef State* state() noexcept nogil:
    return &mg_state


listeners = 0


# ------------------------------------------------------------------------------ threads

# Note [Numbers of threads]
# -------------------------
# Who holds a lock is said by the number of a thread, which no other will ever have (the system gives its idents out
# again).  A forked process has one thread, whatever the others held: theirs are the numbers up to that of the fork.

cdef unsigned long _last_thread = 0     # the number that was given out last
cdef unsigned long _left_behind = 0     # threads up to this one are not in this process,
cdef unsigned long _survivor = 0        # but for the one that forked


cdef unsigned long thread_number() noexcept:
    """The number, never 0, of this thread."""
    global _last_thread
    if mg_state.number == 0:
        _last_thread += 1
        mg_state.number = _last_thread
    return mg_state.number


cdef bint is_alive(unsigned long thread) noexcept:
    """Can the thread of this number still do anything, as far as forks are concerned?"""
    return thread > _left_behind or thread == _survivor


def _forked():
    global _left_behind, _survivor
    _left_behind = _last_thread
    _survivor = mg_state.number


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


# ------------------------------------------------------------------------------ grad mode and inference mode

def is_grad_enabled():
    """True where operations on tensors that require grad are recorded."""
    return not mg_state.grad_off


def set_grad_enabled(bint enabled):
    """Switch recording on or off in this thread; returns what it was."""
    cdef bint before = not mg_state.grad_off
    mg_state.grad_off = not enabled
    return before


def is_inference():
    return bool(mg_state.inference)


def set_inference(bint enabled):
    """Switch inference mode in this thread; returns what it was.  inference_mode() switches recording too."""
    cdef bint before = mg_state.inference != 0
    if enabled != before:
        mg_state.inference = enabled
        mg_state.active += 1 if enabled else -1
    return before


# ------------------------------------------------------------------------------ transform levels

cdef int push(PyObject** stack, tuple entry) except -1:
    """One more entry, of which the last item holds the one before."""
    cdef PyObject* outer = stack[0]
    Py_INCREF(entry)
    stack[0] = <PyObject*>entry
    Py_XDECREF(outer)                   # the entry holds it
    return 0


cdef void pop(PyObject** stack) noexcept:
    """Without the innermost entry; see Note [Stacks that cannot fail to shrink]."""
    cdef PyObject* entry = stack[0]
    cdef object outer = (<tuple>entry)[-1]
    stack[0] = NULL
    if outer is not None:
        Py_INCREF(outer)
        stack[0] = <PyObject*>outer
    Py_DECREF(<object>entry)


cdef object innermost(PyObject* stack):
    return None if stack == NULL else <object>stack


cdef int _last_level = 0            # of all threads; see push_level


def levels():
    """The interpreters of the open transform levels of this thread, outermost first."""
    cdef list found = []
    entry = innermost(mg_state.levels)
    while entry is not None:
        found.append(entry[1])
        entry = entry[3]
    return found[::-1]


def push_level(interpreter):
    """Open a transform level and return its number.

    An inner level has a higher number than an outer one, and no number comes twice: so a tensor that outlived its
    transform is never taken for one of another.
    """
    global _last_level
    cdef object number              # made before anything changes
    if mg_state.levels == NULL and _last_level > 1 << 30:
        _last_level = 0             # nobody keeps a tensor for so long
    number = _last_level + 1
    push(&mg_state.levels, (number, interpreter, {}, innermost(mg_state.levels)))
    _last_level += 1
    mg_state.active += 1
    return number


def pop_level():
    """Close the innermost transform level."""
    if mg_state.levels != NULL:
        mg_state.active -= 1
        pop(&mg_state.levels)


cdef class Level:
    """``with Level(interpreter) as n``: level ``n`` is open, and closed at the end, whatever happened."""
    cdef object interpreter

    def __init__(self, interpreter):
        self.interpreter = interpreter

    def __enter__(self):
        level = push_level(self.interpreter)
        try:
            self.interpreter.level = level
        except BaseException:
            pop_level()
            raise
        return level

    def __exit__(self, kind, value, traceback):
        pop_level()


def interpreter(int level, what=""):
    """The interpreter of an open level.

    Raises, in the name of the function ``what``, where that has ended, or is another thread's.
    """
    found = interpreter_of(level)
    if found is None:
        raise error("MG117", f"{f'{what}(): ' if what else ''}this tensor comes from a transform (vmap, grad, jvp "
                             "...) that has already ended. Return it from the transformed function instead of "
                             "storing it elsewhere.")
    return found


cdef object interpreter_of(int level):
    entry = innermost(mg_state.levels)
    while entry is not None:
        if entry[0] == level:
            return entry[1]
        entry = entry[3]
    return None


cdef int note_birth(object tensor, object reference) except -1:
    """``tensor`` was made while a level is open; ``reference`` is weak."""
    if mg_state.levels != NULL:
        (<dict>(<tuple>mg_state.levels)[2])[id(tensor)] = reference(tensor)
    return 0


def was_made_inside(tensor, int level):
    """Was ``tensor``, an ordinary one, made since the level was opened, rather than captured from outside?"""
    entry = innermost(mg_state.levels)
    while entry is not None and entry[0] >= level:
        made = entry[2]
        if id(tensor) in made and made[id(tensor)]() is tensor:
            return True
        entry = entry[3]
    return False


# ------------------------------------------------------------------------------ anomaly mode

def set_anomaly(bint enabled, bint check_nan):
    """Switch anomaly mode in this thread."""
    mg_state.anomaly = (ANOMALY if enabled else 0) | (0 if check_nan else NAN_ALLOWED)


def is_anomaly():
    """True where anomaly mode is on, in this thread."""
    return bool(mg_state.anomaly & ANOMALY)


def checks_nan():
    """True where anomaly mode, when it is on, looks for nan."""
    return not mg_state.anomaly & NAN_ALLOWED


# ------------------------------------------------------------------------------ saved-tensor hooks

def push_saved_hooks(pack, unpack):
    """From now on, in this thread, what is saved goes through ``pack``, and through ``unpack`` when it is needed.

    Only the innermost pair is in force.  ``pack`` may also be the context of ``allow_mutation_on_saved_tensors``,
    with None for ``unpack``: then tensors are kept, and copied when somebody writes to them.
    """
    if mg_state.hooks_off != NULL:
        raise error("MG122", <object>mg_state.hooks_off)
    push(&mg_state.saved_hooks, (pack, unpack, innermost(mg_state.saved_hooks)))
    mg_state.hooked += 1
    mg_state.active += 1


def pop_saved_hooks():
    """Take the innermost pair away."""
    if not mg_state.hooked:
        raise error("MG122", "pop_saved_hooks(): no saved-tensor hooks are in force in this thread")
    mg_state.hooked -= 1
    mg_state.active -= 1
    pop(&mg_state.saved_hooks)


def saved_hooks_depth():
    """How many pairs of hooks are open in this thread."""
    return mg_state.hooked


def disable_saved_hooks(message):
    """Refuse saved-tensor hooks in this thread with ``message``; None allows them again.  Returns what it was."""
    before = None if mg_state.hooks_off == NULL else <object>mg_state.hooks_off
    if message is not None and mg_state.hooked:
        raise error("MG122", message)
    if message is not None:
        Py_INCREF(message)
    Py_XDECREF(mg_state.hooks_off)
    mg_state.hooks_off = NULL if message is None else <PyObject*>message
    return before

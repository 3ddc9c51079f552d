"""The switches of a thread: grad mode, inference mode, open transform levels, saved-tensor hooks.

``no_grad`` and its relatives (minigrad/autograd/grad_mode.py) flip them; dispatch reads them once per operation.  They
are in one thread-local C struct, because a Python ``threading.local`` costs as much as a whole small operation.

Note [Stacks that cannot fail to shrink]
----------------------------------------
What was switched on must be switched off again even if no memory is left, or everything that follows is computed in
the wrong mode.  A Python list may need memory even to become shorter.  So levels and pairs of saved-tensor hooks are
tuples, each of which holds the one around it.  Opening a level makes a tuple; closing it only puts a pointer back::

    levels ---> (2, vmap, {}, *) ---> (1, grad, {}, None)
"""

import os

from minigrad._core.errors import error
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF, Py_XDECREF

cdef extern from *:
    """
    static _Thread_local mg_State mg_state;
    """
    State mg_state


cdef State* state() noexcept nogil:
    return &mg_state


listeners = 0


# ------------------------------------------------------------------------------ threads

# Note [Numbers of threads]
# -------------------------
# A lock says by a number which thread holds it.  No two threads ever have the same number (the identifiers of the
# system are given out again).  After a fork only one thread is left, and what the others held is held for ever: so
# the numbers of all threads before the fork, except for its own, count as dead.

cdef unsigned long _last_thread = 0     # the number that was given out last
cdef unsigned long _left_behind = 0     # threads up to this number are not in this process,
cdef unsigned long _survivor = 0        # except for the one that forked


cdef unsigned long thread_number() noexcept:
    """The number, never 0, of this thread."""
    global _last_thread
    if mg_state.number == 0:
        _last_thread += 1
        mg_state.number = _last_thread
    return mg_state.number


cdef bint is_alive(unsigned long thread) noexcept:
    """False for a thread that a fork has left behind."""
    return thread > _left_behind or thread == _survivor


def _forked():
    global _left_behind, _survivor
    _left_behind = _last_thread
    _survivor = mg_state.number


if hasattr(os, "register_at_fork"):         # Windows has no forks
    os.register_at_fork(after_in_child=_forked)


# ------------------------------------------------------------------------------ grad mode and inference mode

def is_grad_enabled():
    """True where operations on tensors that require grad are recorded."""
    return not mg_state.grad_off


def is_recording():
    """True where operations on tensors that require grad really are recorded: in inference mode they never are."""
    return records(&mg_state)


def set_grad_enabled(bint enabled):
    """Switch recording on or off in this thread; returns what it was."""
    cdef bint before = not mg_state.grad_off
    mg_state.grad_off = not enabled
    return before


def is_inference():
    """True in inference mode."""
    return bool(mg_state.inference)


cdef void switch_inference(State* st, bint enabled) noexcept:
    """Switch inference mode alone: inference_mode() switches recording too."""
    if enabled != (st.inference != 0):
        st.inference = enabled
        st.active += 1 if enabled else -1


def set_inference(bint enabled):
    """The same from Python; returns what it was."""
    cdef bint before = mg_state.inference != 0
    switch_inference(&mg_state, enabled)
    return before


# ------------------------------------------------------------------------------ the default device

class WithinDevice:
    """A block in which tensors are made on this device: see Note [Ctrl-C at the edge of a block].

    The class ``device`` says which device that is (`_placed`), and where a thread has those of its open blocks.
    """
    __slots__ = ()

    def __enter__(self):
        chosen, blocks = self._placed(), self._of_thread
        blocks.within = chosen, blocks.within
        if chosen is not provided.cpu:
            other_device(True)
        return self

    def __exit__(self, kind, value, traceback):
        blocks = self._of_thread
        left = blocks.within            # to take it apart, as to shorten a list, would need memory
        blocks.within = left[1]
        if left[0] is not provided.cpu:
            other_device(False)


def other_device(bint begins):
    """From now on, or no longer, this thread makes tensors on another device than the CPU if a call does not say."""
    mg_state.active += 1 if begins else -1


cdef int switch_devices(State* st, object chosen, object within) except -1:
    """Make tensors on `chosen` and in the blocks `within` again: what the class ``device`` has of this thread."""
    cdef object blocks = provided.cpu._of_thread
    st.active += elsewhere(chosen, within) - elsewhere(blocks.set, blocks.within)
    blocks.set, blocks.within = chosen, within
    return 0


cdef int elsewhere(object chosen, object within) except -1:
    """How many of these devices are not the CPU."""
    cdef int many = chosen is not provided.cpu
    while within:
        many += within[0] is not provided.cpu
        within = within[1]
    return many


# ------------------------------------------------------------------------------ transform levels

cdef int push(PyObject** stack, tuple entry) except -1:
    """Put `entry` on a stack; its last item holds the entry below.  See Note [Stacks that cannot fail to shrink]."""
    cdef PyObject* outer = stack[0]
    Py_INCREF(entry)
    stack[0] = <PyObject*>entry
    Py_XDECREF(outer)                   # the entry holds it
    return 0


cdef void pop(PyObject** stack) noexcept:
    """Take the innermost entry away."""
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
        entry = entry[2]
    return found[::-1]


def push_level(interpreter, again=None):
    """Open a transform level and return its number; ``again`` is that of a level to open once more, for a pass.

    An inner level has a higher number than an outer one, and no number is given twice: so a tensor that outlives its
    transform is never taken for a tensor of another one.
    """
    global _last_level
    cdef object number = again      # made before anything changes
    if number is None:
        if mg_state.levels == NULL and _last_level > 1 << 30:
            _last_level = 0         # no tensor is kept for so long
        number = _last_level + 1
    push(&mg_state.levels, (number, interpreter, innermost(mg_state.levels)))
    if again is None:
        _last_level += 1
    mg_state.active += 1
    return number


def pop_level():
    """Close the innermost transform level."""
    if mg_state.levels != NULL:
        mg_state.active -= 1
        pop(&mg_state.levels)


cdef class Level:
    """``with Level(interpreter) as n``: level ``n`` is open inside the block, and closed afterwards in any case.

    Level ``again`` was closed before, and is opened once more.
    Inference mode is left outside, but for a map: it stops the derivatives of a level only where it is entered there.
    """
    cdef object interpreter, again
    cdef bint inference

    def __init__(self, interpreter, again=None):
        self.interpreter, self.again = interpreter, again

    def __enter__(self):
        level = push_level(self.interpreter, self.again)
        try:
            self.interpreter.level = level
            maps = self.interpreter.maps
        except BaseException:
            pop_level()
            raise
        self.inference = mg_state.inference != 0
        switch_inference(&mg_state, self.inference and bool(maps))
        return level

    def __exit__(self, kind, value, traceback):
        switch_inference(&mg_state, self.inference)
        pop_level()


def interpreter(int level, what=""):
    """The interpreter of an open level.

    Raises an error, in the name of the function ``what``, if the transform has ended or belongs to another thread.
    """
    found = interpreter_of(level)
    if found is None:
        raise transform_has_ended(what)
    return found


cdef object interpreter_of(int level):
    """The interpreter of a level, or None if it is not open in this thread."""
    entry = innermost(mg_state.levels)
    while entry is not None:
        if entry[0] == level:
            return entry[1]
        entry = entry[2]
    return None


cdef int drawing_level() except -1:
    """The innermost open map where random numbers must still be drawn for each example; 0 where there is none."""
    entry = innermost(mg_state.levels)
    while entry is not None:
        if entry[1].maps and entry[1].draws_for_each():
            return entry[0]
        entry = entry[2]
    return 0


cdef int innermost_level() except -1:
    """The number of the innermost open level; 0 outside transforms."""
    return 0 if mg_state.levels == NULL else (<tuple>mg_state.levels)[0]


cdef bint is_inside(int born, int level) except -1:
    """Is level `born` open, and the same as `level` or inside it?"""
    entry = innermost(mg_state.levels)
    while entry is not None:            # a level that is open again is above younger ones
        if entry[0] == born:
            return True
        entry = None if entry[0] == level else entry[2]
    return False


# ------------------------------------------------------------------------------ anomaly mode

def set_anomaly(bint enabled, bint check_nan):
    """Switch anomaly mode in this thread."""
    mg_state.anomaly = (ANOMALY if enabled else 0) | (0 if check_nan else NAN_ALLOWED)


def put_anomaly(tuple mode not None):
    """The same with (enabled, check_nan), as a change of a Scope: returns what it was."""
    cdef tuple before = (is_anomaly(), checks_nan())
    set_anomaly(mode[0], mode[1])
    return before


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
    with None for ``unpack``: then tensors are kept, and copied before they are written to.
    """
    if mg_state.hooks_off != NULL:
        raise error("MG122", <object>mg_state.hooks_off)
    push(&mg_state.saved_hooks, (pack, unpack, innermost(mg_state.saved_hooks)))
    mg_state.hooked += 1
    mg_state.active += 1


def pop_saved_hooks():
    """Take the innermost pair away."""
    if not mg_state.hooked:
        raise no_hooks_in_force()
    mg_state.hooked -= 1
    mg_state.active -= 1
    pop(&mg_state.saved_hooks)


cdef void switch_hooks(State* st, object pair, int many, object off) noexcept:
    """Put `many` pairs in force, the innermost of which is `pair`, and refuse further ones with the message `off`."""
    cdef PyObject* before = st.saved_hooks
    cdef PyObject* message = st.hooks_off
    st.active += many - st.hooked
    st.hooked = many
    Py_INCREF(pair)
    Py_INCREF(off)
    st.saved_hooks = NULL if pair is None else <PyObject*>pair
    st.hooks_off = NULL if off is None else <PyObject*>off
    Py_XDECREF(before)
    Py_XDECREF(message)


class SavedHooks:
    """A block with the pair ``pack_hook`` and ``unpack_hook``: see Note [Ctrl-C at the edge of a block]."""
    __slots__ = ()

    def __enter__(self):
        push_saved_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, kind, value, traceback):
        if not mg_state.hooked:
            raise block_not_entered(type(self).__name__)
        pop_saved_hooks()


def saved_hooks_alone(context):
    """Let ``context`` be in force without ``unpack``, as a change of a Scope; None takes it away again."""
    if context is None:
        pop_saved_hooks()
    else:
        push_saved_hooks(context, None)


def saved_hooks_depth():
    """How many pairs of hooks are open in this thread."""
    return mg_state.hooked


def swap_saved_hooks(state):
    """Put the pairs of ``state`` in force, for None no pair; returns those that were, to be given back."""
    before = (innermost(mg_state.saved_hooks), mg_state.hooked,
              None if mg_state.hooks_off == NULL else <object>mg_state.hooks_off)
    pair, many, off = (None, 0, None) if state is None else state
    switch_hooks(&mg_state, pair, many, off)
    return before


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


# ------------------------------------------------------------------------------ what the errors say

cdef object transform_has_ended(str what):
    return error("MG117", f"{f'{what}(): ' if what else ''}this tensor comes from a transform (vmap, grad, jvp ...) "
                          "that has already ended: your tensor may have escaped from inside a function being vmapped "
                          "or differentiated. Return it from the transformed function instead of storing it elsewhere.")


cdef object block_not_entered(str name):
    return error("MG122", f"{name}: this thread leaves a block of saved-tensor hooks that it has not entered")


cdef object no_hooks_in_force():
    return error("MG122", "pop_saved_hooks(): no saved-tensor hooks are in force in this thread")

"""The switches of a thread: grad mode, inference mode, open transform levels, saved-tensor hooks.

``no_grad`` and its relatives (minigrad/autograd/grad_mode.py) flip them; dispatch reads them once
per operation.  They live in one thread-local C struct, because a Python ``threading.local`` costs
as much as a whole small operation.
"""

from cpython.ref cimport PyObject, Py_INCREF, Py_XDECREF

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
    """Switch inference mode in this thread; returns what it was.  Recording is the other flag: inference_mode() switches both."""
    cdef bint before = mg_state.inference != 0
    if enabled != before:
        mg_state.inference = enabled
        mg_state.active += 1 if enabled else -1
    return before


cdef list _open_levels():
    """(number, interpreter, what was made inside) of the open transform levels of this thread, outermost first."""
    if mg_state.levels == NULL:
        opened = []
        Py_INCREF(opened)
        mg_state.levels = <PyObject*>opened
    return <list>mg_state.levels


cdef int _last_level = 0            # of all threads; see push_level


def levels():
    """The interpreters of the open transform levels of this thread, outermost first."""
    return [interpreter for _, interpreter, _ in _open_levels()]


def push_level(interpreter):
    """Open a transform level and return its number.

    An inner level has a higher number than an outer one, and no number comes twice: so a tensor that outlived its
    transform is never taken for one of another.
    """
    global _last_level
    opened = _open_levels()
    if not opened and _last_level > 1 << 30:
        _last_level = 0             # nobody keeps a tensor for so long
    _last_level += 1
    opened.append((_last_level, interpreter, {}))
    mg_state.active += 1
    return _last_level


def pop_level():
    _open_levels().pop()
    mg_state.active -= 1


def interpreter(int level):
    """The interpreter of an open level; None where that has ended, or is another thread's."""
    return interpreter_of(level)


cdef object interpreter_of(int level):
    if mg_state.levels != NULL:
        for number, found, _ in reversed(<list>mg_state.levels):
            if number == level:
                return found
    return None


cdef int note_birth(object tensor, object reference) except -1:
    """``tensor`` was made while a level is open; ``reference`` is weak."""
    if mg_state.levels != NULL and <list>mg_state.levels:
        (<dict>(<list>mg_state.levels)[-1][2])[id(tensor)] = reference(tensor)
    return 0


def was_made_inside(tensor, int level):
    """Was ``tensor``, an ordinary one, made since the level was opened, rather than captured from outside?"""
    for number, _, made in _open_levels():
        if number >= level and id(tensor) in made and made[id(tensor)]() is tensor:
            return True
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
    if mg_state.saved_hooks == NULL:
        stack = []
        Py_INCREF(stack)
        mg_state.saved_hooks = <PyObject*>stack
    (<list>mg_state.saved_hooks).append((pack, unpack))
    mg_state.hooked += 1
    mg_state.active += 1


def pop_saved_hooks():
    """Take the innermost pair away."""
    if not mg_state.hooked:
        raise error("MG122", "pop_saved_hooks(): no saved-tensor hooks are in force in this thread")
    (<list>mg_state.saved_hooks).pop()
    mg_state.hooked -= 1
    mg_state.active -= 1


def saved_hooks_depth():
    """How many pairs of hooks are open in this thread."""
    return mg_state.hooked


def disable_saved_hooks(message):
    """Refuse saved-tensor hooks in this thread with ``message``; None allows them again.  Returns what it was."""
    before = None if mg_state.hooks_off == NULL else <object>mg_state.hooks_off
    if message is not None and mg_state.hooked:
        raise error("MG122", message)
    Py_XDECREF(mg_state.hooks_off)
    mg_state.hooks_off = NULL
    if message is not None:
        Py_INCREF(message)
        mg_state.hooks_off = <PyObject*>message
    return before

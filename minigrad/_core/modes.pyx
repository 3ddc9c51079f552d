"""The switches of a thread: grad mode, inference mode, open transform levels.

``no_grad`` and its relatives (minigrad/autograd/grad_mode.py) flip them; dispatch reads them once
per operation.  They live in one thread-local C struct, because a Python ``threading.local`` costs
as much as a whole small operation.
"""

from cpython.ref cimport PyObject, Py_INCREF

cdef extern from *:
    """
    #if defined(_MSC_VER)
    static __declspec(thread) mg_State mg_state;
    #else
    static __thread mg_State mg_state;
    #endif
    """
    State mg_state


cdef State* state() noexcept:
    return &mg_state


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


def levels():
    """The list of open transform levels of this thread, outermost first."""
    if mg_state.levels == NULL:
        opened = []
        Py_INCREF(opened)
        mg_state.levels = <PyObject*>opened
    return <list>mg_state.levels


def push_level(interpreter):
    """Open a transform level and return its number (1 is the outermost)."""
    opened = levels()
    opened.append(interpreter)
    mg_state.active += 1
    return len(opened)


def pop_level():
    levels().pop()
    mg_state.active -= 1

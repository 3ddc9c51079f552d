"""Computing without warnings: 1/0 is inf, as in PyTorch, and NumPy does not warn."""

cimport cython

import numpy as np

from minigrad._core.runtime.allocation_counter cimport PyDataMem_DefaultHandler, PyDataMem_GetHandler, set_handler
from minigrad._core.runtime.memory_pool cimport pooling
from minigrad._core.runtime.python_api cimport (PyContextVar_Set, PyContext_Enter, PyContext_Exit, PyContext_New,
                                                PyObject, Py_INCREF)

cdef enum:
    MAX_QUIET = 8


# Note [Quiet contexts]
# ---------------------
# Floating-point flags are ignored (1/0 is inf, silently, as in PyTorch).  What NumPy does about them is a context
# variable.  To put a variable back takes memory, of which there may be none left; to leave a context takes none:
#
#     silence       enter a context in which the variable is set
#     unsilence     leave it: the variable is what it was
#     pause         leave it for a while: the user's code runs in the context that it knows
#     resume        enter the same again
#
# A context can be entered once at a time, so each that is left waits for the next who needs one (`_unused`): another
# thread, or an operation inside.  They have no other variables, and keep nothing of the user's alive.  np.errstate
# would set the variable too, but in Python, which takes longer than most kernels.
#
# Where NumPy takes its memory from is a context variable as well.  If that is not its usual allocator (a profiler
# counts memory, or the operands are large: memory_pool.pyx), there is a context for this one time, which is not kept.
try:
    from numpy._core.umath import _extobj_contextvar as _error_state
    with np.errstate(all="ignore"):
        _ignore = _error_state.get()
except ImportError:                     # a NumPy that keeps it elsewhere: the plain way
    _error_state = None

cdef PyObject* _kept[MAX_QUIET]         # the contexts that are used again and again,
cdef PyObject* _unused[MAX_QUIET]       # and those of them in which nobody is
cdef int _n_kept = 0, _n_unused = 0


cdef object silence(bint large=False):
    """Ignore floating-point flags until `unsilence` gets back what is returned here; `large` arrays are to come."""
    global _n_kept, _n_unused
    cdef object quiet, handler = PyDataMem_GetHandler()
    cdef bint usual = <PyObject*>handler == PyDataMem_DefaultHandler
    if usual and large:
        handler, usual = pooling, False
    if usual and _n_unused:
        _n_unused -= 1
        quiet = <object>_unused[_n_unused]
        resume(quiet)
        return quiet
    quiet = PyContext_New()
    resume(quiet)
    try:
        if _error_state is None:
            np.seterr(all="ignore")
        else:
            PyContextVar_Set(_error_state, _ignore)
        if not usual:
            set_handler(handler)
    except BaseException:
        pause(quiet)
        raise
    if usual and _n_kept < MAX_QUIET:
        Py_INCREF(quiet)                # for ever
        _kept[_n_kept] = <PyObject*>quiet
        _n_kept += 1
    return quiet


cdef void unsilence(object quiet) noexcept:
    """Leave it; the next may have it, if it is one of those that are kept."""
    global _n_unused
    cdef int i
    pause(quiet)
    for i in range(_n_kept):
        if _kept[i] == <PyObject*>quiet:
            _unused[_n_unused] = _kept[i]
            _n_unused += 1
            return


cdef void pause(object quiet) noexcept:
    PyContext_Exit(quiet)               # it is the one that we are in: nothing that could fail


cdef void resume(object quiet) noexcept:
    PyContext_Enter(quiet)              # nobody else has it: nothing that could fail


@cython.binding(False)
@cython.embedsignature(True)
cdef class quiet:
    """``with quiet():`` is ``with np.errstate(all="ignore"):``, but for its end, which cannot fail."""
    cdef object context

    def __enter__(self):
        self.context = silence()

    def __exit__(self, kind, value, traceback):
        unsilence(self.context)

"""The C half of ``no_grad`` and its relatives, which switches the modes of a thread and restores them.

``no_grad``, ``enable_grad``, ``inference_mode`` and ``set_grad_enabled`` (minigrad/autograd/grad_mode.py) are classes
of Python, which decorate functions, check their arguments and have the documentation.  Each has one of these four as a
base class, which enters and leaves; and `made_in_c` lets an ordinary call of the class make its instance here, past
Python's ``__new__`` and ``__init__``.

Note [What a block puts back]
-----------------------------
An instance may be entered again while it is active, so what it found is a stack.  The innermost entry is in a field,
those around it are pairs; only entering again makes one.  Leaving allocates nothing, since there may be no memory::

    with mode:              before  1
        with mode:          before  0      outer  (1, None)
"""

from minigrad._core.runtime.python_api cimport (PyObject, PyTypeObject, PyType_Modified, PyType_Type,
                                                PyVectorcall_NARGS, Py_INCREF, Py_TPFLAGS_HEAPTYPE)
from minigrad._core.runtime.thread_state cimport State, state, switch_inference

cdef enum:                      # what was found, as bits; 0 before the block is entered
    ENTERED = 1
    GRAD_OFF = 2
    INFERENCE = 4


cdef class GradModeBlock:
    """What the two switches of recording were outside."""
    cdef int before             # Note [What a block puts back]
    cdef object outer

    cdef bint take(self, PyObject** args, Py_ssize_t n):
        """Take the arguments of a call of the class; False where Python's `__new__` and `__init__` must see them."""
        return n == 0

    cdef int enter(self, bint grad_off, bint inference) except -1:
        cdef State* st = state()
        if self.before:
            self.outer = (self.before, self.outer)
        self.before = ENTERED | (GRAD_OFF if st.grad_off else 0) | (INFERENCE if st.inference else 0)
        st.grad_off = grad_off
        switch_inference(st, inference)
        return 0

    def __exit__(self, kind, value, traceback):
        cdef State* st = state()
        cdef tuple outer
        if not self.before:
            return
        st.grad_off = (self.before & GRAD_OFF) != 0
        switch_inference(st, (self.before & INFERENCE) != 0)
        if self.outer is None:
            self.before = 0
        else:
            outer = self.outer
            self.before = outer[0]
            self.outer = outer[1]


cdef class Unrecorded(GradModeBlock):
    """Nothing is recorded inside."""
    def __enter__(self):
        self.enter(True, state().inference)


cdef class Recorded(GradModeBlock):
    """Operations are recorded inside."""
    def __enter__(self):
        self.enter(False, state().inference)


cdef class Inferring(GradModeBlock):
    """Inference mode is on inside and nothing is recorded, or with ``mode=False`` the reverse."""
    cdef public object mode

    cdef bint take(self, PyObject** args, Py_ssize_t n):
        self.mode = True if n == 0 else <object>args[0]
        return n <= 1 and (self.mode is True or self.mode is False)

    def __enter__(self):
        self.enter(self.mode is True, self.mode is True)


cdef class Setting(GradModeBlock):
    """Recording is switched as soon as this is made; what is put back is what it was before that."""
    cdef public object mode, prev

    cdef bint take(self, PyObject** args, Py_ssize_t n):
        cdef State* st = state()
        if n != 1 or (<object>args[0] is not True and <object>args[0] is not False):
            return False
        self.mode = <object>args[0]
        self.prev = not st.grad_off
        st.grad_off = self.mode is False
        return True

    def __enter__(self):
        state().grad_off = not self.mode

    def __exit__(self, kind, value, traceback):
        state().grad_off = not self.prev


# ------------------------------------------------------------------------------ made in C

# A call of a class runs its metaclass, which runs __new__ and __init__.  A class that has a `tp_vectorcall` answers
# such a call itself.  Subclasses do not inherit it.

ctypedef object (*new_t)(PyObject*, object, PyObject*)
ctypedef object (*call_t)(PyObject*, object, object)


cdef PyObject* made(PyObject* cls, PyObject** args, size_t nargsf, PyObject* kwnames) except NULL:
    """`cls(*args)`."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef PyTypeObject* base = <PyTypeObject*>cls
    cdef object block
    if kwnames == NULL:
        while base.tp_flags & Py_TPFLAGS_HEAPTYPE:          # up to the class of this file
            base = base.tp_base
        block = (<new_t>base.tp_new)(cls, (), NULL)
        if (<GradModeBlock?>block).take(args, n):
            Py_INCREF(block)
            return <PyObject*>block
    keywords = {} if kwnames == NULL else {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
    block = (<call_t>PyType_Type.tp_call)(cls, tuple([<object>args[i] for i in range(n)]), keywords)
    Py_INCREF(block)
    return <PyObject*>block


def made_in_c(type cls not None):
    """A decorator of subclasses of these: an ordinary call of ``cls`` makes its instance in C."""
    (<PyTypeObject*>cls).tp_vectorcall = <void*>made
    PyType_Modified(<PyTypeObject*>cls)
    return cls

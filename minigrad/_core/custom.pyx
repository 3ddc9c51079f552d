"""The node of a custom Function, which runs the user's backward in place of formulas.

The node of a row learns from its Op which edges it has, what it saves, and how many outputs there are.  This one is
told by the Function's ``apply``, step by step (minigrad/autograd/function)::

    _begin            its edges: one for each argument that is a tensor
    begin_function    the user's forward runs, and nothing in it is recorded
    end_function
    _attach           the outputs are its outputs
    _save             what forward gave to ctx.save_for_backward, with versions
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF

from minigrad._core.errors import error
from minigrad._core.modes cimport ANOMALY, State, state
from minigrad._core.graph cimport (INPUT, OUTPUT, Node, Saved, Tensor, Version, View, allocate, allocate_slots,
                                   catch_up, new_tensor, new_view, next_seq, set_edge, set_fit,
                                   version_of)
from minigrad._core.hooked cimport note_origin
from minigrad._core.lifetimes cimport release_saved
from minigrad._core.saved cimport second_time, unpack
from minigrad._core.packing cimport pack_slot, raw_slot
from minigrad._core.profiling cimport FUNCTION, Listener


@cython.binding(False)
@cython.embedsignature(True)
cdef class PyNode(Node):
    """The node of a custom Function, which is also its ctx; minigrad/autograd/function builds on it."""

    def __init__(self):
        pass

    def _begin(self, tuple inputs):
        """Set the edges; returns, for each argument of forward, whether it needs a gradient."""
        cdef list tensors = [x for x in inputs if isinstance(x, Tensor)]
        cdef int i
        cdef Tensor t
        self.seq = next_seq()
        allocate(self, len(tensors), 0)
        for t in tensors:
            if t.level > self.level:
                self.level = t.level
        for i, t in enumerate(tensors):
            if not state().grad_off:
                catch_up(t)
            if not state().grad_off and t.requires_grad_ and t.level == self.level:
                self.records = True
                set_edge(self, i, t)
                set_fit(self, i, t)
        if state().anomaly & ANOMALY and self._records:
            note_origin(self)
        return tuple([isinstance(x, Tensor) and (<Tensor>x).requires_grad_ != 0 for x in inputs])

    @property
    def _level(self):
        return self.level

    @property
    def _records(self):
        """True if an argument requires grad, even a view made under no_grad, whose edge leads nowhere."""
        return bool(self.records)

    def _save(self, tuple tensors):
        """Keep ``tensors`` (Tensors or None) for backward.  The outputs are attached before."""
        cdef int i
        cdef Tensor t
        cdef Version v
        cdef Saved* s
        if tensors:
            allocate_slots(self, len(tensors))
        for i in range(len(tensors)):
            if tensors[i] is None:
                continue
            s = &self.saved[i]
            t = tensors[i]
            if t.inference:
                raise saves_an_inference_tensor()
            if t.node is self:                  # our own output: keep what is in it, not the tensor
                s.kind = OUTPUT
                s.nr = t.nr
                Py_INCREF(t.payload)
                s.value = <PyObject*>t.payload
                v = version_of(t)
                Py_INCREF(v)
                s.version = <PyObject*>v
                s.at = v.value
            else:
                s.kind = INPUT
                Py_INCREF(t)
                s.value = <PyObject*>t
                s.at = 0 if t.version is None else t.version.value
            if state().hooked:
                pack_slot(self, i, t)

    def _saved(self):
        """What ``_save`` kept; an error if any of it was modified since."""
        if self.freed:
            raise second_time(self)
        return tuple([unpack(self, i) for i in range(self.n_saved)]) if self.saved != NULL else ()

    def _let_go(self):
        """Let go of what ``_save`` kept."""
        release_saved(self)

    @property
    def _raw_saved_tensors(self):
        """What ``_saved`` would give, each as a :class:`SavedTensor`."""
        if self.freed:
            raise second_time(self)
        return tuple([raw_slot(self, i) for i in range(self.n_saved)])

    def _attach(self, Tensor output not None, int nr):
        """``output`` becomes output number ``nr`` of this node."""
        output.node = self
        output.nr = nr
        output.level = self.level
        output.requires_grad_ = True
        if output.view is not None:
            (<View>output.view).made_in = "custom Function"
            (<View>output.view).at = output.version.value

    def _own(self, Tensor t not None, int nr):
        """``t``, a view with its base's history, as a plain output ``nr`` of this node, to be saved without a cycle."""
        cdef Tensor own = new_tensor(t.payload)
        own.version = version_of(t)
        self._attach(own, nr)
        return own

    def _set_n_outputs(self, int n):
        self.n_outputs = n

    def name(self):
        return type(self).__name__


def as_view_of_input(Tensor t not None):
    """What a custom Function returns when its forward returns its input ``t`` untouched: a view of ``t``."""
    cdef Tensor other = t.detach()
    other.view = new_view(t, None, (), "no_grad")
    return other


# ------------------------------------------------------------------------------ while forward runs

def begin_function(function, PyNode ctx not None, tuple args):
    """A custom Function's forward begins: record nothing, and tell a listener.  ``end_function`` needs the result."""
    cdef State* st = state()
    cdef bint recorded = not st.grad_off
    cdef Listener listener
    cdef int event
    if st.listener == NULL:
        st.grad_off = 1
        return recorded
    listener = <Listener>st.listener
    event = listener.begin(function.__name__, FUNCTION, ctx.seq if recorded else 0, args if listener.shapes else None)
    st.grad_off = 1
    return recorded, listener, event


def end_function(begun):
    """The forward has ended: record again, if operations were recorded before, and tell the listener."""
    if type(begun) is not tuple:
        state().grad_off = not begun
        return
    recorded, listener, event = begun
    state().grad_off = not recorded
    (<Listener>listener).end(event)


# ------------------------------------------------------------------------------ what the errors say

cdef object saves_an_inference_tensor():
    return error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get "
                          "a normal tensor and use it in autograd.")

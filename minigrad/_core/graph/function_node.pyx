"""The node of a custom Function, which runs the user's backward in place of formulas.

The node of a row learns from its Op which edges it has, what it saves, and how many outputs there are.  This one is
told by the Function's ``apply``, step by step (minigrad/autograd/function)::

    _begin            its edges: one for each argument that is a tensor
    run_forward       the user's forward runs, and nothing in it is recorded
    _attach           the outputs are its outputs
    _save             what forward gave to ctx.save_for_backward, with versions
"""

cimport cython

from minigrad._core.errors import error
from minigrad._core.graph cimport (INPUT, OUTPUT, PACKED, PASSED, Node, Saved, Tensor, Version, View, allocate,
                                   allocate_slots, catch_up, new_tensor, new_view, next_seq, set_edge, set_fit,
                                   untracked, version_of)
from minigrad._core.graph.hook_lists cimport note_origin
from minigrad._core.graph.listener cimport FUNCTION, Listener
from minigrad._core.graph.saved_slots cimport release_saved, saved_by
from minigrad._core.graph.saved_tensor_hooks cimport Packed, pack_slot, raw_slot
from minigrad._core.graph.saved_tensors cimport second_time, unpack
from minigrad._core.graph.type_objects import attach
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, ndarray
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyObject, PyObject_GC_IsTracked, PyObject_GC_Track,
                                                PyObject_GenericGetDict, PyObject_GenericSetAttr, PyTuple_New,
                                                PyTuple_SET_ITEM, PyTypeObject, Py_INCREF, Py_XDECREF)
from minigrad._core.runtime.thread_state cimport ANOMALY, State, state


@cython.binding(False)
@cython.embedsignature(True)
cdef class PyNode(Node):
    """The node of a custom Function, which is also its ctx; minigrad/autograd/function builds on it."""

    def __cinit__(self):
        self.materialize_grads = True
        self.needs_input_grad = self._needs = self._intermediates = ()

    def __init__(self):
        pass

    def __dealloc__(self):
        Py_XDECREF(self.attributes)

    def __setattr__(self, name, value):
        track(self)
        PyObject_GenericSetAttr(self, name, value)

    # What forward declares; the other declarations are made less often (autograd/function/context.py).

    def save_for_backward(self, *tensors):
        """Keep tensors, or None, for ``backward``, which finds them in ``ctx.saved_tensors``."""
        for x in tensors:
            if x is not None and not isinstance(x, Tensor):
                self._save_for_backward(*tensors)           # it says what is wrong
        if self._stage != FORWARD or self.to_save is not None:
            self._save_for_backward(*tensors)
        self.to_save = tensors

    # Before and after forward.

    def _begin(self, tuple inputs):
        """Set the edges, and ``needs_input_grad``: for each argument of forward, whether it requires grad."""
        begin(self, inputs)

    def _begin_after(self, PyNode other not None, tuple gradients):
        """Set the edges to all that a backward of ``other`` with these gradients may depend on."""
        cdef int e, many = len(gradients)
        self.seq = next_seq()
        allocate(self, many + other.n_edges, 0)
        for e in range(many):
            if isinstance(gradients[e], Tensor):
                set_edge(self, e, <Tensor>gradients[e])
        for e in range(other.n_edges):
            if other.edges[e].node != NULL:
                Py_INCREF(<object>other.edges[e].node)
                self.edges[many + e] = other.edges[e]
        self.records = True

    @property
    def _level(self):
        return self.level

    @property
    def _records(self):
        """True if an argument requires grad, even a view made under no_grad, whose edge leads nowhere."""
        return bool(self.records)

    def _save(self, tuple tensors):
        """Keep ``tensors`` (Tensors or None) for backward.  The outputs are attached before."""
        keep(self, tensors)

    @property
    def saved_tensors(self):
        """The tensors given to `save_for_backward`, after a check that none has been modified since.

        In `jvp`, the tensors given to `save_for_forward`.
        """
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        if self._forward_cls.clear_saved_tensors_on_access:
            return self._once_saved()
        if self._stage == TWICE and not state().grad_off:
            self._warn_of_intermediates()
        return self._saved()

    def _saved(self):
        """What ``_save`` kept; an error if any of it was modified since."""
        if self.freed:
            raise second_time(self)
        cdef tuple found = PyTuple_New(self.n_saved if self.saved != NULL else 0)
        cdef object x
        for i in range(len(found)):
            x = unpack(self, i)
            Py_INCREF(x)
            PyTuple_SET_ITEM(found, i, x)
        return found

    @property
    def _saves_history(self):
        """True if a tensor that ``_save`` kept has a history, so that a second derivative may depend on it."""
        cdef Saved* s
        for i in range(self.n_saved if self.saved != NULL else 0):
            s = &self.saved[i]
            if s.value == NULL:                     # None was saved
                continue
            if s.kind == INPUT:
                if (<Tensor>s.value).requires_grad_:
                    return True
            elif s.kind != PACKED or (<Packed>s.value).own or (<Packed>s.value).node is not None:
                return True
        return False

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
        attach_output(self, output, nr)

    def _own(self, Tensor t not None, int nr):
        """``t``, a view with its base's history, as a plain output ``nr`` of this node, to be saved without a cycle."""
        cdef Tensor own = new_tensor(t.payload)
        own.version = version_of(t)
        attach_output(self, own, nr)
        return own

    def _set_n_outputs(self, int n):
        self.n_outputs = n

    # In backward.

    def _gradients(self, *gradients):
        """Run the author's `backward`; return one gradient (or None) for each tensor argument of `forward`."""
        cdef object function = self._forward_cls
        cdef object backward = function.backward if function.vjp is provided.no_vjp else function._get_user_fn()
        cdef object returned
        if self.materialize_grads:
            for g in gradients:
                if g is None:
                    gradients = self._with_zeros(gradients)
                    break
        if self._intermediates and not state().grad_off:
            self._stage = TWICE
        if self.attributes != NULL and not state().grad_off:
            self._warn_of_attributes(backward)
        try:
            returned = backward(self, *gradients)
        except (ValueError, IndexError) as failure:
            self._note_if_nothing_was_saved(failure, backward)
            raise
        finally:
            self._stage = DONE
        fitting = as_they_should_be(self, returned if type(returned) is tuple else (returned,))
        return self._checked(returned) if fitting is None else fitting

    def name(self):
        return type(self).__name__


# ------------------------------------------------------------------------------ its place in the graph

cdef int begin(PyNode n, tuple inputs) except -1:
    """Set the edges: one for each argument of forward that is a tensor; and note which arguments require grad."""
    cdef int i, many = 0
    cdef bint off = state().grad_off != 0
    cdef Tensor t
    cdef tuple needs = PyTuple_New(len(inputs))
    cdef object need
    for x in inputs:
        if isinstance(x, Tensor):
            many += 1
            if (<Tensor>x).level > n.level:
                n.level = (<Tensor>x).level
    n.seq = next_seq()
    allocate(n, many, 0)
    many = 0
    for i in range(len(inputs)):
        need = False
        if isinstance(inputs[i], Tensor):
            t = <Tensor>inputs[i]
            if not off:
                catch_up(t)
                if t.requires_grad_ and t.level == n.level:
                    n.records = True
                    set_edge(n, many, t)
                    set_fit(n, many, t)
            need = t.requires_grad_ != 0
            many += 1
        Py_INCREF(need)
        PyTuple_SET_ITEM(needs, i, need)
    n.needs_input_grad = n._needs = untracked(needs)
    if state().anomaly & ANOMALY and n.records:
        note_origin(n)
    return 0


cdef int attach_output(PyNode n, object x, int nr) except -1:
    cdef Tensor output = <Tensor>x
    output.node = n
    output.nr = nr
    output.level = n.level
    output.requires_grad_ = True
    if output.view is not None:
        (<View>output.view).made_in = "custom Function"
        (<View>output.view).at = output.version.value
    return 0


cdef int keep(PyNode n, tuple tensors) except -1:
    """Put what forward saved into slots: of an output, and of an argument with a history, only what is in it."""
    cdef int i, e
    cdef Tensor t
    cdef Version v
    cdef Saved* s
    cdef dict edges = by_end(n) if n.n_edges > FEW_EDGES and len(tensors) > 1 else None
    if tensors:
        allocate_slots(n, len(tensors))
    for i in range(len(tensors)):
        if tensors[i] is None:
            continue
        s = &n.saved[i]
        t = tensors[i]
        if t.inference:
            raise saves_an_inference_tensor()
        if t.node is n:
            s.kind = OUTPUT
            s.nr = t.nr
        else:
            s.kind = INPUT
            e = edge_to(n, t, edges)
            if e >= 0:
                s.kind = PASSED
                s.nr = e
        if s.kind == INPUT:
            Py_INCREF(t)
            s.value = <PyObject*>t
            s.at = 0 if t.version is None else t.version.value
        else:
            Py_INCREF(t.payload)
            s.value = <PyObject*>t.payload
            v = version_of(t)
            Py_INCREF(v)
            s.version = <PyObject*>v
            s.at = v.value
            saved_by(v, n, t.payload)
        if state().hooked:
            pack_slot(n, i, t)
    return 0


cdef enum:
    FEW_EDGES = 8               # so many are compared one by one; among more, a dictionary finds the edge


cdef dict by_end(PyNode n):
    """The first edge to each node and output: {(address of node, number of output): edge}."""
    cdef int e
    return {(<size_t>n.edges[e].node, n.edges[e].nr): e for e in reversed(range(min(n.n_edges, 0x10000)))}


cdef int edge_to(PyNode n, Tensor t, dict edges) except -2:
    """The edge at whose end the history of `t` is; -1 if there is none, or `t` must be kept itself.

    ``edges`` is the answer of `by_end`, or None where it is quicker to compare.

    A leaf is kept itself.  So is any tensor while a dual level is open, since it may have a tangent: `forward` is off
    here, as it was in forward().
    """
    cdef int e
    if t.node is None or (<Node>t.node).accumulates or t.level != n.level or state().owners != NULL:
        return -1
    if edges is not None:
        return edges.get((<size_t><PyObject*>t.node, t.nr), -1)
    for e in range(min(n.n_edges, 0x10000)):        # `nr` of a slot has 16 bits
        if n.edges[e].node == <PyObject*>t.node and n.edges[e].nr == t.nr:
            return e
    return -1


cdef tuple shape_and_dtype(object x):
    """The shape and the NumPy dtype of an ordinary tensor; None for anything else."""
    cdef ndarray a
    if not isinstance(x, Tensor):
        return None
    a = <ndarray?>(<Tensor>x).payload
    return untracked((untracked((<object>a).shape), a.dtype))


def as_view_of_input(Tensor t not None):
    """What a custom Function returns when its forward returns its input ``t`` untouched: a view of ``t``."""
    cdef Tensor other = t.detach()
    other.view = new_view(t, None, (), "no_grad")
    return other


# ------------------------------------------------------------------------------ while forward runs

def run_forward(function, PyNode ctx not None, tuple args, bint separate):
    """Run the forward of a custom Function, and its ``setup_context`` where it is ``separate``; returns the output.

    Nothing is recorded meanwhile, and what was recorded before is again when it ends, even by Ctrl-C:
    Note [Ctrl-C at the edge of a block] in scopes.pyx.
    """
    cdef object begun = begin_function(function, ctx, args), output
    try:
        if not separate:
            return function.forward(ctx, *args)
        output = function.forward(*args)
        function.setup_context(ctx, args, output)
        return output
    finally:
        end_function(begun)


cdef object begin_function(object function, PyNode ctx, tuple args):
    """Record nothing, and tell a listener.  ``end_function`` needs the result."""
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


cdef int end_function(object begun) except -1:
    """The forward has ended: record again, if operations were recorded before, and tell the listener."""
    if type(begun) is not tuple:
        state().grad_off = not begun
        return 0
    recorded, listener, event = begun
    state().grad_off = not recorded
    (<Listener>listener).end(event)
    return 0


# ------------------------------------------------------------------------------ what backward returned

cdef list as_they_should_be(PyNode n, tuple gradients):
    """The gradients of the arguments that are tensors, where each has the shape and dtype of its argument.

    None where one has not: `_checked`, in autograd/function/context.py, decides whether it may, or says what is wrong.
    """
    cdef object described = n._arguments, g, one
    cdef list fitting = []
    cdef int i
    if type(described) is not tuple or len(gradients) != len(<tuple>described) or len(n._needs) != len(gradients):
        return None
    for i in range(len(gradients)):
        g, one = gradients[i], (<tuple>described)[i]
        if one is None:                                         # not a tensor
            if g is not None:
                return None
            continue
        if g is not None:
            if not isinstance(g, Tensor) or type((<Tensor>g).payload) is not ndarray:
                return None
            if n._needs[i] is not True:
                g = None
            elif not has_shape_and_dtype(<ndarray>(<Tensor>g).payload, <tuple?>one):
                return None
        fitting.append(g)
    return fitting


cdef bint has_shape_and_dtype(ndarray a, tuple wanted) except -1:
    cdef tuple shape = <tuple?>wanted[0]
    cdef int i
    if a.dtype is not wanted[1] or PyArray_NDIM(a) != len(shape):
        return False
    for i in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[i] != <Py_ssize_t>shape[i]:
            return False
    return True


# ------------------------------------------------------------------------------ attributes

# Note [A ctx without attributes]
# -------------------------------
# What an author keeps as an attribute may lead back to the node (ctx.y = y), and only the cyclic collector can free
# such a cycle.  What is in a slot cannot: the collector does not look into slots, for any node.  So a ctx that has no
# attribute need not be tracked.  In the usual case it is not (function_apply.pyx), and a long chain of custom Functions
# is not walked again and again; the first attribute tracks it.

ctypedef int (*visit_t)(PyObject*, void*) noexcept
ctypedef int (*traverse_t)(PyObject*, visit_t, void*) noexcept
ctypedef int (*clear_t)(PyObject*) noexcept
cdef traverse_t traverse_fields
cdef clear_t clear_fields


cdef inline void track(PyNode n) noexcept:
    if not PyObject_GC_IsTracked(<PyObject*>n):
        PyObject_GC_Track(<PyObject*>n)


cdef int traverse_node(PyObject* self, visit_t visit, void* argument) noexcept:
    cdef PyObject* attributes = (<PyNode>self).attributes
    cdef int stop = 0
    if attributes != NULL:
        stop = visit(attributes, argument)
    return stop if stop else traverse_fields(self, visit, argument)


cdef int clear_node(PyObject* self) noexcept:
    cdef PyObject* attributes = (<PyNode>self).attributes
    (<PyNode>self).attributes = NULL
    Py_XDECREF(attributes)
    return clear_fields(self)


def _attributes(PyNode self not None):
    track(self)
    return PyObject_GenericGetDict(self, NULL)


cdef int give_attributes() except -1:
    global traverse_fields, clear_fields
    cdef PyTypeObject* cls = <PyTypeObject*>PyNode
    cdef PyNode n = PyNode.__new__(PyNode)
    traverse_fields = <traverse_t>cls.tp_traverse
    clear_fields = <clear_t>cls.tp_clear
    cls.tp_traverse = <void*>traverse_node
    cls.tp_clear = <void*>clear_node
    cls.tp_dictoffset = <char*>&n.attributes - <char*><PyObject*>n
    attach("__dict__", property(_attributes), PyNode)
    return 0


give_attributes()


# ------------------------------------------------------------------------------ what the errors say

cdef object saves_an_inference_tensor():
    return error("MG112", "Inference tensors cannot be saved for backward. To work around you can make a clone to get "
                          "a normal tensor and use it in autograd.")

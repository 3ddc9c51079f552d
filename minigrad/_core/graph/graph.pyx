"""The data model: tensors, and the nodes that record operations.

::

    y = x * w                 Tensor y                       MulBackward0
                              +-----------+   grad_fn   +-----------------+  edge   +----------------+
                              | payload   |------------>| op   mul        |-------->| AccumulateGrad |--> leaf x
                              | version   |             | saved  self     |  edge   +----------------+
                              | nr        |             |        other    |-------->  ... leaf w
                              +-----------+             +-----------------+

A tensor knows the node that made it; the node knows the nodes of its inputs, never its own output.
So references run one way, from the result to the leaves, and an ordinary graph dies by reference
counts alone as soon as its last result does.

Read ``graph.pxd`` first: it is one page, and declares every field.  This file says what can be asked of versions,
views, tensors and nodes, and how a node is connected to those of its inputs; its last two sections, on hooks and on how
new tensors and nodes are made, can wait.  What makes the nodes comes next, op.pyx and call.pyx.  Elsewhere are::

    what a node saved, given back to the formulas               saved_tensors.pyx
    how tensors and nodes die, and are used again               deallocation.pyx
    hooks and retained gradients: what hangs on them            hook_lists.pyx
    what x + y and x[0] do                                      special_methods.pyx
    the sentences of the errors                                 refusals.py
"""

cimport cython

from collections import OrderedDict

import numpy as np

from minigrad._core.errors import warn
from minigrad._core.errors.refusals import (GRAD_OF_A_NON_LEAF, abstract_node, data_not_a_tensor, data_of_another_level,
                                            data_of_another_shape, data_on_another_device, data_without_data,
                                            data_without_gradients, grad_not_a_tensor, grad_of_another_dtype,
                                            grad_of_another_shape, grad_on_another_device, has_no_gradients,
                                            its_own_grad, made_without_data, never_recorded, no_graph, no_version,
                                            not_a_leaf, nothing_to_retain, requires_grad_not_a_bool,
                                            retained_in_a_transform,
                                            tangent_from_elsewhere, tangent_is_read, view_keeps_its_history,
                                            written_after_inference_mode)
from minigrad._core.runtime.malloc cimport memory
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp
from minigrad._core.runtime.provided cimport awaited, provided
from minigrad._core.runtime.python_api cimport (PyLong_AsSsize_t, PyObject, PyObject_GC_IsTracked, PyObject_GC_Track,
                                                PyObject_GC_UnTrack, PyObject_IS_GC, PyTuple_CheckExact,
                                                PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_SET_ITEM, PyTypeObject,
                                                Py_DECREF, Py_INCREF, Py_REFCNT, Py_SET_TYPE, Py_XDECREF,
                                                _Py_NewReference)
from minigrad._core.runtime.source_lines cimport shown_line, users_code
from minigrad._core.runtime.thread_state cimport State, innermost_level, state

cdef extern from *:
    """
    static inline PyObject *mg_new_tuple(PyObject *cls, Py_ssize_t n)
    { return PyType_GenericAlloc((PyTypeObject *)cls, n); }
    """
    object new_tuple "mg_new_tuple"(object cls, Py_ssize_t n)

awaited("graph.pxd", &later, sizeof(later))

# The shape that was asked for last: most are asked for again.  At first it has more dims than an array can have.
cdef object _last_size = (0,) * 65


# ------------------------------------------------------------------------------ versions

# A formula that needs the values of a tensor must notice when they were overwritten.  So each piece of memory has a
# counter of the writes to it, which all tensors on that memory share (views of it, and what detach() gives).  Most
# memory is never shared and never written to: the counter is made when it is first needed.

@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Version:
    def __dealloc__(self):
        Py_XDECREF(self.code)
        Py_XDECREF(self.keepers)


cdef Version version_of(Tensor t):
    """The version counter of `t`, made the first time that the memory is shared or written to.

    A tensor of a transform has the memory of its payload, and so the Version, however deep they are in each other.
    """
    if t.version is None:
        t.version = version_of(<Tensor>t.payload) if isinstance(t.payload, Tensor) else Version.__new__(Version)
    return t.version


cdef bint needs_grad(Tensor t) except -1:
    """Does `t` require grad, even if it is a view that has not caught up with its base?"""
    if t.view is not None:
        if not (<View>t.view).base.requires_grad_:
            catch_up(t)
        elif t.requires_grad_ != 1:
            return True
    return t.requires_grad_ != 0


cdef bint is_alone(Tensor t, Tensor view) noexcept:
    """Does nothing but `view`, or None, know the memory of `t`: no view, no node?  They would share its Version."""
    cdef Py_ssize_t own = 0
    cdef object known = t
    while isinstance(known, Tensor):            # the payloads of a tensor share its Version
        own += 1
        known = (<Tensor>known).payload
    return t.version is None or Py_REFCNT(<PyObject*>t.version) == (own if view is None else 2 * own)


cdef int count_write(Version v) except -1:
    """One more write to the memory that `v` counts for; note which line of the user's program it is."""
    cdef PyObject* code
    cdef PyObject* old = v.code
    v.value += 1
    code = users_code(&v.instruction)
    if code != NULL:
        Py_INCREF(<object>code)
    v.code = code
    Py_XDECREF(old)
    return 0


cdef str written_at(Version v):
    """Where the last write was, for a message; "" where that is not known."""
    return shown_line(v.code, v.instruction)


# ------------------------------------------------------------------------------ views

# A view is a tensor that lies in the memory of another one, its base.  It remembers how it was made, step by step.  A
# view of a view has the same base, so a base is never a view itself:
#
#     x = ones(4, 4)          x  <------ base -------+---------------+
#     v = x[1:]               v.view    View --------+---- step -->  | ViewStep slice
#     u = v.t()               u.view    View ------------- step -----+-> ViewStep t -- before --> ViewStep slice
#
# The steps are objects of their own, which hold no tensor: in a long chain of views they live on when the views have
# died, and the cyclic collector need not look at them.  What a write through one of the views does to the others is
# explained in view_history.pyx.

@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class ViewStep:
    def __dealloc__(self):
        cdef PyObject* s = self.before
        cdef PyObject* before
        self.before = NULL
        while s != NULL:                # see Note [Freeing without recursion] in deallocation.pyx
            before = NULL
            if Py_REFCNT(s) == 1:
                before = (<ViewStep>s).before
                (<ViewStep>s).before = NULL
            Py_DECREF(<object>s)
            s = before


@cython.final
@cython.freelist(64)
cdef class View:
    @property
    def chain(self):
        """Every (op, arguments) from the base to the view."""
        cdef ViewStep s = self.step
        cdef list links = []
        while s is not None:
            links.append((s.op, s.arguments))
            s = <ViewStep>s.before if s.before != NULL else None
        return tuple(links[::-1])


cdef View new_view(Tensor source, object op, tuple arguments, str made_in):
    """The record of a view made by ``op(source, *arguments)``; an op of None only gives another name."""
    cdef View v = View.__new__(View)
    cdef View before = <View>source.view
    v.made_in = made_in
    v.at = version_of(source).value
    if before is None:                  # `source` is not a view: it is the base
        v.base = source
    else:
        v.base = before.base
        v.owner = source if before.dual else before.owner
        v.made_in = made_in or before.made_in
    v.step = None if before is None else before.step
    if op is not None:
        v.step = new_step(op, arguments, v.step)
    return v


cdef inline ViewStep new_step(object op, tuple arguments, ViewStep before):
    cdef ViewStep s = ViewStep.__new__(ViewStep)
    s.op = op
    s.arguments = untracked(arguments)
    if before is not None:
        Py_INCREF(before)
        s.before = <PyObject*>before
    return s


# ------------------------------------------------------------------------------ tensors

# The class holds the fields and what autograd asks of them.  Everything else that tensors can do is attached to it at
# import: the methods from the table of operations, and what _tensor.py adds.
#
# In vmap, func.grad and func.jvp, the transforms, the payload of a tensor is not an array but another tensor, one level
# down (Note [Levels] in levels.pyx); and on another device than the CPU it is an array of a class of its own
# (device_arrays.py).  So `type(t.payload) is ndarray` asks whether this is an ordinary tensor, and
# `isinstance(t.payload, ndarray)` whether it has a shape of its own; a question such as the shape goes down to it.

@cython.binding(False)
@cython.embedsignature(True)
cdef class Tensor(SpecialMethods):
    """A multi-dimensional array that remembers how it was made.

    Tensors come from the creation functions (``minigrad.tensor``, ``zeros``, ``randn`` ...) and from
    operations on other tensors.
    """

    __array_priority__ = 1000       # so that ndarray + Tensor asks us

    def __init__(self, *args, **kwargs):
        if self.payload is None:        # else the __new__ of a subclass has made it
            provided.init(self, *args, **kwargs)

    def __dealloc__(self):
        later.tensor_dies(self)

    # What it is, as seen at the level that it belongs to.

    @property
    def _array(self):
        """The payload: an ndarray, or inside a transform the tensor of the level below."""
        return self.payload

    @property
    def _level(self):
        return self.level

    @property
    def _tangent(self):
        return self.tangent

    @_tangent.setter
    def _tangent(self, value):
        if value is not None and (<Tensor?>value).level >= self.level > 0:
            raise tangent_from_elsewhere()
        self.tangent = value

    @property
    def shape(self):
        """The sizes of the dimensions, as a ``torch.Size``."""
        if isinstance(self.payload, ndarray):
            return size_of(self.payload)
        return tuple.__new__(provided.size, shape_at_level(self))

    @property
    def dtype(self):
        """The type of the elements, such as ``torch.float32``."""
        if isinstance(self.payload, ndarray):
            return provided.dtype_of[self.payload.dtype]
        if self.payload is None:
            raise made_without_data()
        return self.payload.dtype

    @property
    def ndim(self):
        """The number of dimensions."""
        return PyArray_NDIM(self.payload) if isinstance(self.payload, ndarray) else len(shape_at_level(self))

    @property
    def device(self):
        """Where the elements are: on the CPU; nowhere, which is ``"meta"``; or on a device that is pretended."""
        cdef object payload = self.payload
        while isinstance(payload, Tensor):              # of a transform
            payload = (<Tensor>payload).payload
        if isinstance(payload, ndarray) and type(payload) is not ndarray:
            return payload.device       # of the class (device_arrays.py)
        return provided.cpu

    @property
    def is_meta(self):
        """True on the device ``"meta"``, where a tensor has no numbers."""
        return self.device is provided.meta

    @property
    def is_cpu(self):
        """True on the CPU."""
        return self.device is provided.cpu

    @property
    def requires_grad(self):
        """True where gradients must be computed for this tensor."""
        return needs_grad(self)

    @requires_grad.setter
    def requires_grad(self, value):
        cdef bint wanted
        if not isinstance(value, bool):
            raise requires_grad_not_a_bool(value)
        wanted = value
        catch_up(self)
        if self.node is not None:
            raise not_a_leaf(made_by(self))
        if wanted:
            if self.inference and not state().inference:
                raise never_recorded()
            if not is_differentiable(self.payload):
                raise has_no_gradients(self)
        self.requires_grad_ = wanted

    @property
    def grad_fn(self):
        """The node that recorded the operation this tensor came from; None for a leaf."""
        catch_up(self)
        return None if self.node is None or (<Node>self.node).accumulates else publish(<Node>self.node)

    @property
    def is_leaf(self):
        """True for tensors that the user made, and for all that do not require grad."""
        catch_up(self)
        return self.node is None or (<Node>self.node).accumulates != 0

    @property
    def output_nr(self):
        """Which output of ``grad_fn`` this tensor is."""
        catch_up(self)
        return self.nr

    @property
    def _version(self):
        if self.inference:
            raise no_version()
        return 0 if self.version is None else self.version.value

    @property
    def _base(self):
        return (<View>self.view).base if self._is_view() else None

    def _is_view(self):
        return self.view is not None and not self.inference     # nobody counts the writes to an inference tensor

    def is_inference(self):
        """True for a tensor that was made in inference mode."""
        return bool(self.inference)

    def __len__(self):
        if type(self.payload) is ndarray and PyArray_NDIM(self.payload) > 0:
            return PyArray_DIMS(self.payload)[0]
        return provided.len_(self)

    # Its gradient: `grad_` is what .grad shows.  A tensor that is not a leaf keeps one only after retain_grad().

    @property
    def grad(self):
        """The gradient that ``backward`` has accumulated for this leaf; None before."""
        if (self.grad_ is None and self.node is not None
                and (self.hooks is None or not (<TensorHooks>self.hooks).retain)):
            warn(GRAD_OF_A_NON_LEAF)
        return self.grad_

    @grad.setter
    def grad(self, value):
        if value is not None:
            check_grad(self, value)
        self.grad_ = value

    @grad.deleter
    def grad(self):
        self.grad_ = None

    def retain_grad(self):
        """Let ``backward`` fill ``.grad`` of this tensor although it is not a leaf."""
        catch_up(self)
        if not self.requires_grad_:
            raise nothing_to_retain()
        if innermost_level():
            raise retained_in_a_transform()
        if self.node is not None:
            later.keep_grad(self)

    @property
    def retains_grad(self):
        """True where :meth:`retain_grad` was called."""
        return self.hooks is not None and bool((<TensorHooks>self.hooks).retain)

    # The same memory under another Tensor.  Where the two share the counter of writes, after detach(), formulas notice
    # a write to the other; after .data they do not.

    def detach(self):
        """The same memory without the history; it shares the version counter, so writes to it are noticed."""
        cdef Tensor t
        if self.payload is None:
            raise made_without_data()
        t = new_tensor(self.payload if isinstance(self.payload, ndarray) else self.payload.detach())
        t.version = version_of(self)
        t.level = self.level
        t.hidden = self.hidden
        t.inference = self.inference
        return t if type(self) is Tensor else later.in_class_of(self, t)

    def detach_(self):
        """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""
        if self.view is not None:
            raise view_keeps_its_history()
        if self.tangent is not None:
            # In a transform, who reads a tangent is known as `_viewed` (func/inplace_writes.py).
            if getattr(self, "_viewed", False) if self.level else not is_alone(self, None):
                raise tangent_is_read()
            self.tangent = None
        self.node = None
        self.nr = 0
        self.requires_grad_ = False
        return self

    @property
    def data(self):
        """The same memory without the history and without the version counter: writes to it go unnoticed."""
        cdef Tensor t = new_tensor(self.payload.data if isinstance(self.payload, Tensor) else self.payload)
        t.level = self.level
        t.hidden = self.hidden
        return t if type(self) is Tensor else later.in_class_of(self, t)

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise data_not_a_tensor(value)
        check_level(self, <Tensor>value)
        if self.device is not value.device:
            raise data_on_another_device(self, value)
        if self.requires_grad_ and not is_differentiable((<Tensor>value).payload):
            raise data_without_gradients(value)
        if tuple(value.shape) != tuple(self.shape):
            if self.node is not None:
                raise data_of_another_shape(self, value, made_by(self))
            self.tangent = None
            self.reshaped = True
        self.payload = (<Tensor>value).payload


cdef Tensor new_tensor(object payload):
    """A tensor around `payload`: level 0, no history, no version yet."""
    cdef Tensor t = bare_tensor()
    t.payload = payload
    return t


def wrap(payload, bint requires_grad=False):
    """A tensor on the memory of ``payload`` (an ndarray), without a copy."""
    cdef Tensor t = new_tensor(np.asarray(payload) if isinstance(payload, np.generic) else payload)
    if state().inference:
        t.inference = True
    if requires_grad:
        t.requires_grad = True
    if state().active:
        t.born = innermost_level()
    return t


cdef bint is_differentiable(object payload):
    """True for floating and complex payloads, and for bfloat16, which NumPy knows as a dtype of kind V."""
    if isinstance(payload, ndarray):
        return (<ndarray>payload).dtype.kind in "fcV"
    return isinstance(payload, Tensor) and is_differentiable((<Tensor>payload).payload)


cdef object size_of(ndarray a):
    """The shape of an array, as a Size: made of ints, so without the check in its constructor."""
    global _last_size
    cdef int i, ndim = PyArray_NDIM(a)
    cdef object n, size = _last_size
    if PyTuple_GET_SIZE(size) == ndim:
        for i in range(ndim):
            if PyLong_AsSsize_t(<object>PyTuple_GET_ITEM(size, i)) != PyArray_DIMS(a)[i]:
                break
        else:
            return size
    size = new_tuple(provided.size, ndim)
    for i in range(ndim):
        n = PyArray_DIMS(a)[i]
        Py_INCREF(n)
        PyTuple_SET_ITEM(size, i, n)
    _last_size = size
    return size


cdef tuple shape_at_level(Tensor t):
    """The shape that the user sees."""
    cdef int hidden = 0
    while not isinstance(t.payload, ndarray):
        if t.payload is None:
            raise made_without_data()
        hidden += t.hidden
        t = <Tensor>t.payload
    return (<object>t.payload).shape[hidden:]


cdef str made_by(Tensor t):
    """The name of the operation that made `t`, for a message."""
    return Node.name(<Node>publish(<Node>t.node))


cdef int check_grad(Tensor t, object value) except -1:
    """Can `value` be the .grad of `t`?"""
    if not isinstance(value, Tensor):
        raise grad_not_a_tensor(value)
    if value is t:
        raise its_own_grad()
    if value.dtype is not grad_dtype_of(t, value.dtype):
        raise grad_of_another_dtype(grad_dtype_of(t, None), value)
    if tuple(value.shape) != tuple(t.shape):
        raise grad_of_another_shape(t, value)
    if value.device is not t.device:
        raise grad_on_another_device(t, value)
    return 0


cdef object grad_dtype_of(Tensor t, object given):
    """The dtype of .grad of `t`; the `given` one, if any will do."""
    if t.hooks is None or not (<TensorHooks>t.hooks).casts:
        return t.dtype
    return given if (<TensorHooks>t.hooks).grad_dtype is None else (<TensorHooks>t.hooks).grad_dtype


cdef int check_level(Tensor t, Tensor value) except -1:
    """Can `t` take the payload of `value`?  It is an array at level 0, and at any other a tensor of the level below."""
    if value.payload is None:
        raise data_without_data()
    if t.level != value.level:
        raise data_of_another_level()
    return 0


cdef int check_inference(Tensor t, State* st) except -1:
    """Raise if `t` may not be written to: it was made in inference mode, and that has ended."""
    if t.inference and not st.inference:
        raise written_after_inference_mode()
    return 0


# ------------------------------------------------------------------------------ nodes

# One class of nodes serves all operations of the table: the op says which it is.  Those of custom Functions and of
# writes through views have fields of their own (function_node.pyx, view_history.pyx).  A leaf has a node too, its
# AccumulateGrad, made when an operation first needs it as the end of an edge.  It owns the leaf, and the leaf knows it
# only weakly, so the two are not a cycle: when no graph leads to the leaf any more, the node dies, and the next graph
# makes a new one.

cdef dict _PYTORCH_NAMES = {"CopyBackwards": "torch::autograd::CopyBackwards"}


@cython.no_gc_clear             # each cycle through a node leads through its hooks, which can be cleared
@cython.binding(False)
@cython.embedsignature(True)
cdef class Node:
    """One recorded operation in the graph; its edges lead to the nodes of the operation's inputs."""

    def __init__(self, *arguments):
        raise abstract_node()

    def __dealloc__(self):
        later.node_dies(self)

    def name(self):
        """The name of the operation's backward, such as ``"MulBackward0"``."""
        cdef str name = type(publish(self)).__name__
        return _PYTORCH_NAMES.get(name, name)

    @property
    def next_functions(self):
        """For each input: the node that its gradient goes to, and which output of that node the input was."""
        return tuple([(None, 0) if self.edges[i].node == NULL else (publish(<Node>self.edges[i].node), self.edges[i].nr)
                      for i in range(self.n_edges)])

    @property
    def metadata(self):
        """A dictionary for the user's own notes."""
        return hooks_of(self).metadata

    @property
    def requires_grad(self):
        """True: a node is made only where a gradient must be computed."""
        return True

    def _sequence_nr(self):
        return self.seq

    def __repr__(self):
        return f"<{type(publish(self)).__name__} object at 0x{<size_t><PyObject*>self:x}>"

    def __call__(self, *gradients):
        return later.call_node(publish(self), gradients)


@cython.binding(False)
@cython.embedsignature(True)
cdef class AccumulateGrad(Node):
    """The end of every path: adds what arrives to ``.grad`` of its leaf, ``variable``."""

    @property
    def variable(self):
        return self.op

    def name(self):
        return "torch::autograd::AccumulateGrad"

    def __repr__(self):
        return f"<AccumulateGrad object at 0x{<size_t><PyObject*>self:x}>"


cdef object publish(Node n):
    """`n` as Python sees it: with its public class, MulBackward0, which it gets here where it has not got it yet.

    See Note [A node's public class] in op_introspection.pyx.
    """
    cdef object cls
    if type(n) is Node and n.op is not None:
        if n.accumulates:
            Py_SET_TYPE(<PyObject*>n, <PyTypeObject*>AccumulateGrad)
            return n
        cls = n.op.in_place_class if n.in_place else n.op.node_class
        Py_INCREF(cls)
        Py_SET_TYPE(<PyObject*>n, <PyTypeObject*>cls)
    return n


# Nodes are numbered in the order in which operations were recorded.  Of the nodes whose gradients have all arrived, a
# pass runs the latest first; see Note [The ready heap] in engine.pyx.
cdef long long sequence = 0


cdef long long next_seq() noexcept:
    global sequence
    sequence += 1
    return sequence


cdef long long coming_seq() noexcept:
    """The number that the next node will get."""
    return sequence + 1


cdef Node new_node(object op, int n_edges, int n_saved):
    """A node for one call of `op`, with room for its edges and for what it saves; call.pyx fills them in."""
    cdef Node n = bare_node()
    n.op = op
    n.seq = next_seq()
    n.n_outputs = 1
    allocate(n, n_edges, n_saved)
    return n


# ------------------------------------------------------------------------------ edges

# An edge leads from a node to the node of one of its inputs, and says which output of that node the input was.  The
# gradient goes there.
#
#     a, b = x.unbind()       UnbindBackward0, outputs 0 and 1
#     y = b * w               MulBackward0:   edge 0 -> (UnbindBackward0, 1)    edge 1 -> (AccumulateGrad of w, 0)
#
# Where the operation broadcast an input or cast it, what its formula returns has another shape or dtype than the
# input.  The node then remembers those of the input, one `Meta` in `fits` for that edge, and fitting.pyx reduces the
# gradient to them.

cdef Node node_of(Tensor t):
    """The node that a gradient of `t` goes to: its grad_fn, or the AccumulateGrad of a leaf.

    None where no gradient is wanted: for a tensor that does not require grad, and for a view that was made under
    no_grad and says that it requires grad only because its base does.  Code that needs a node asks `root_of`.
    """
    cdef Node a
    catch_up(t)
    if t.node is not None:
        return <Node>t.node
    if t.requires_grad_ != 1:           # 0, or BY_BASE: a view without a history of its own
        return None
    if t.accumulator != NULL:
        return <Node>t.accumulator
    a = bare_node()
    a.op = t                        # it owns its leaf; the leaf knows it weakly, below
    a.accumulates = True
    a.seq = 1LL << 62               # runs as soon as it is ready: Note [The ready heap] in engine.pyx
    a.n_outputs = 1
    a.level = t.level
    t.accumulator = <PyObject*>a
    return a


cdef Node root_of(Tensor t):
    """The node at which a backward pass from `t` begins."""
    cdef Node n = node_of(t)
    if n is None:
        raise no_graph()
    return n


cdef int set_edge(Node n, int i, Tensor t) except -1:
    """Let edge `i` of `n` lead to the node of `t`, which is its input; nowhere where no gradient is wanted."""
    cdef Node target = node_of(t)
    if target is not None:
        Py_INCREF(target)
        n.edges[i].node = <PyObject*>target
        n.edges[i].nr = t.nr
    return 0


cdef Meta* new_fit(Node n, int i, int ndim, int type_num) except NULL:
    """The Meta of edge `i`, its dims not yet filled in."""
    cdef int k
    cdef Meta* m
    if n.fits == NULL:
        n.fits = <Meta**>memory(n.n_edges * sizeof(Meta*))
        for k in range(n.n_edges):
            n.fits[k] = NULL
    m = <Meta*>memory(sizeof(Meta) + ndim * sizeof(npy_intp))
    m.type_num = type_num
    m.ndim = ndim
    n.fits[i] = m
    return m


cdef int set_fit(Node n, int i, Tensor t) except -1:
    """Remember the dtype and shape of `t`, which is input `i`: its gradient will have to be reduced to them.

    Inside a transform gradients are payloads too, one level down, so the shape is the one that the payload shows.
    """
    cdef Meta* m
    cdef object payload = t.payload
    cdef tuple shape
    cdef int k
    if isinstance(payload, ndarray):
        m = new_fit(n, i, PyArray_NDIM(<ndarray>payload), PyArray_TYPE(<ndarray>payload))
        for k in range(m.ndim):
            m.dims[k] = PyArray_DIMS(<ndarray>payload)[k]
        return 0
    shape = tuple(payload.shape)
    m = new_fit(n, i, len(shape), payload.dtype.numpy.num)
    for k in range(m.ndim):
        m.dims[k] = shape[k]
    return 0


cdef int lay_otherwise(Tensor t) except -1:
    """The leaf `t` is about to get another layout, by t_() and the like.

    Graphs recorded so far keep its old AccumulateGrad, which refuses to run; later ones make a new one.
    """
    if t.accumulator != NULL:
        (<Node>t.accumulator).in_place = True
        t.accumulator = NULL
    return 0


# ------------------------------------------------------------------------------ hooks

# Hooks are rare, so they are kept apart: a tensor or a node that has any has one object with all of them.
# hook_lists.pyx says which belong to what, hooks.pyx when they run.
#
# A hook may refer to its own node or tensor, which only the cyclic collector can free.  So it tracks the nodes that
# have hooks, and no others: it would walk a long chain again and again.  It does not look along edges and into slots.

@cython.final
cdef class TensorHooks:
    def __cinit__(self):
        self.before = OrderedDict()
        self.after = OrderedDict()


@cython.final
cdef class NodeHooks:
    def __cinit__(self):
        self.before = OrderedDict()
        self.after = OrderedDict()
        self.tensors = {}
        self.metadata = {}
        self.retained = {}


cdef NodeHooks hooks_of(Node n):
    """The hooks of `n`, made if there are none."""
    if n.hooks is None:
        n.hooks = NodeHooks.__new__(NodeHooks)
        if not PyObject_GC_IsTracked(<PyObject*>n):
            PyObject_GC_Track(<PyObject*>n)
    return n.hooks


# ------------------------------------------------------------------------------ new tensors, nodes and slots

# Those that have died are used again: Note [Spare nodes and tensors] in deallocation.pyx.

cdef inline object take_over(PyObject* o):
    """The reference that we own in `o`, as a Cython object."""
    cdef object x = <object>o
    Py_DECREF(x)
    return x


cdef inline Tensor bare_tensor():
    """An empty tensor: one that died, if any is kept, or a new one."""
    cdef PyObject* o
    if spare_tensors.n:
        spare_tensors.n -= 1
        o = spare_tensors.objects[spare_tensors.n]
        _Py_NewReference(o)
        PyObject_GC_Track(o)
        return <Tensor>take_over(o)
    return Tensor.__new__(Tensor)


cdef inline Node bare_node():
    """An empty node, likewise."""
    cdef Node n
    if spare_nodes.n:
        spare_nodes.n -= 1
        _Py_NewReference(spare_nodes.objects[spare_nodes.n])
        return <Node>take_over(spare_nodes.objects[spare_nodes.n])
    n = Node.__new__(Node)
    PyObject_GC_UnTrack(<PyObject*>n)           # until it has hooks
    return n


cdef tuple untracked(tuple plain):
    """Take a tuple out of the sight of the cyclic collector, if it holds only numbers and the like.

    The collector would do the same when it first looks; but then it looks at all the tuples of a long chain.
    """
    cdef Py_ssize_t i
    cdef PyObject* x
    for i in range(len(plain)):
        x = PyTuple_GET_ITEM(plain, i)
        if PyTuple_CheckExact(<object>x):
            untracked(<tuple>x)
            if PyObject_GC_IsTracked(x):
                return plain
        elif PyObject_IS_GC(x):
            return plain
    PyObject_GC_UnTrack(<PyObject*>plain)
    return plain


cdef int allocate(Node n, int n_edges, int n_saved) except -1:
    """Give `n` its edges, which lead nowhere yet, and its slots."""
    cdef int i
    n.n_edges = n_edges
    n.edges = &n.two[0] if n_edges <= 2 else <Edge*>memory(n_edges * sizeof(Edge))
    for i in range(n_edges):
        n.edges[i].node = NULL
        n.edges[i].nr = 0
    if n_saved:
        allocate_slots(n, n_saved)
    return 0


cdef int allocate_slots(Node n, int n_saved) except -1:
    cdef int i
    n.saved = new_slots(n_saved)
    n.n_saved = n_saved
    for i in range(n_saved):
        n.saved[i].value = n.saved[i].version = NULL
        n.saved[i].kind = NOTHING
        n.saved[i].number = 0
    return 0


cdef inline Saved* new_slots(int n) except NULL:
    """Room for `n` slots.  Most nodes save one or two things, so blocks of that size are used again, as nodes are."""
    if n <= 2 and spare_slots.n[n - 1]:
        spare_slots.n[n - 1] -= 1
        return spare_slots.blocks[n - 1][spare_slots.n[n - 1]]
    return <Saved*>memory(n * sizeof(Saved))

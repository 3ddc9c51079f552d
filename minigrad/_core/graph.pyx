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

Read ``graph.pxd`` first: it is one page, and declares every field.  Here is what can be asked of versions, views,
hooks, tensors and nodes, and how a node is connected to those of its inputs.  Elsewhere are: how what a node saved
comes back to the formulas (``saved.pyx``), how tensors and nodes die and are used again (``lifetimes.pyx``), and
what ``x + y`` and ``x[0]`` do (``special_methods.pyx``).
"""

cimport cython
from cpython.dict cimport PyDict_DelItem, PyDict_SetItem
from cpython.mem cimport PyObject_Free
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF, Py_XDECREF
cimport numpy as cnp
from numpy cimport PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp

import weakref
from collections import OrderedDict

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.memory cimport memory
from minigrad._core.modes cimport State, note_birth, state
from minigrad._core.places cimport shown_place, users_code, users_stack
from minigrad._core.python_c cimport (Py_REFCNT, Py_SET_TYPE, Py_TPFLAGS_HAVE_GC, PyObject_GC_Track, PyType_Modified,
                                      PyTypeObject, _Py_NewReference)
from minigrad._core.special_methods cimport methods

cnp.import_array()

# What dtypes.py tells the data model at import, since the data model may not import it.
cdef object _size_type = tuple      # dtypes.Size
dtype_of = {}                       # np.dtype -> minigrad dtype
cdef object _device = "cpu"


def register(*, size=None, dtypes=None, device=None):
    """Tell the data model about its dtypes, the class of shapes, and the device."""
    global _size_type, _device
    if size is not None:
        _size_type = size
    if dtypes is not None:
        dtype_of.update(dtypes)
    if device is not None:
        _device = device


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
    """The version counter of `t`, made the first time that the memory is shared or written to."""
    if t.version is None:
        t.version = Version.__new__(Version)
    return t.version


cdef int count_write(Version v) except -1:
    """One more write to the memory that `v` counts for; note which line of the user's program it is."""
    cdef PyObject* code
    cdef PyObject* old = v.code
    v.value += 1
    code = users_code(&v.place)
    if code != NULL:
        Py_INCREF(<object>code)
        v.code = code
        Py_XDECREF(old)
    return 0


def bump_version(Tensor t not None):
    """Count one in-place write to the memory of ``t``."""
    count_write(version_of(t))


cdef str written_at(Version v):
    """Where the last write was."""
    return shown_place(v.code, v.place)


def last_written_at(Tensor t not None):
    """Where the memory of ``t`` was last written to, for a message; "" where that is not known."""
    return "" if t.version is None else written_at(t.version)


# ------------------------------------------------------------------------------ views

# A view is a tensor that lies in the memory of another one, its base.  It remembers how it was made, step by step.  A
# view of a view has the same base, so a base is never a view itself:
#
#     x = ones(4, 4)          x  <------ base -------+---------------+
#     v = x[1:]               v.view    View slice --+               |
#     u = v.t()               u.view    View t  -----|-- previous -> View slice
#
# What a write through one of them does to the others is explained in views.pyx.

@cython.final
cdef class View:
    def __dealloc__(self):
        cdef PyObject* v = self.previous
        cdef PyObject* before
        self.previous = NULL
        while v != NULL:                # see Note [Freeing without recursion] in lifetimes.pyx
            before = NULL
            if Py_REFCNT(v) == 1:
                before = (<View>v).previous
                (<View>v).previous = NULL
            Py_DECREF(<object>v)
            v = before

    @property
    def chain(self):
        """Every (op, arguments) from the base to the view."""
        cdef View v = self
        cdef list links = []
        while v is not None:
            if v.op is not None:
                links.append((v.op, v.arguments))
            v = <View>v.previous if v.previous != NULL else None
        return tuple(links[::-1])


cdef View new_view(Tensor source, object op, tuple arguments, str made_in):
    """The record of a view made by ``op(source, *arguments)``."""
    cdef View v = View.__new__(View)
    cdef View before = <View>source.view
    v.op = op
    v.arguments = arguments
    v.made_in = made_in
    v.at = version_of(source).value
    if before is None:                  # `source` is not a view: it is the base
        v.base = source
    else:
        v.base = before.base
        v.owner = source if before.dual else before.owner
        v.made_in = made_in or before.made_in
        Py_INCREF(before)
        v.previous = <PyObject*>before
    return v


def view_chain(Tensor t not None):
    """Every (op, arguments) from the base of a view to the view; () for a tensor that is not a view."""
    return () if t.view is None else (<View>t.view).chain


def has_aliases(Tensor t not None):
    """Does another tensor, such as a view, share the memory of ``t``?  They would share its Version."""
    return t.version is not None and Py_REFCNT(<PyObject*>t.version) > 1


# ------------------------------------------------------------------------------ hooks

# Hooks are rare, so they are kept apart: a tensor or a node that has any has one object with all of them.  The hooks
# of a tensor that is not a leaf run when its gradient is complete.  Only its node sees that, so the node knows them
# too, by the number of the output.  A node that saved its own output makes a new Tensor of it for a formula; that one
# finds the same hooks there.

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
    return n.hooks


def node_hooks(Node node not None):
    """The hooks of ``node``, made if there are none; the dictionaries are live."""
    return hooks_of(node)


def tensor_hooks(Tensor t not None):
    """The hooks of ``t``, made if there are none; its node, if any, is told of them."""
    cdef dict known
    catch_up(t)
    if t.hooks is None:
        if t.node is None:
            t.hooks = TensorHooks.__new__(TensorHooks)
        else:                           # another object may stand for the same output: an unpacked saved one
            known = hooks_of(<Node>t.node).tensors
            t.hooks = known.get(t.nr) or TensorHooks.__new__(TensorHooks)
            known[t.nr] = t.hooks
    return t.hooks


cdef int replace_history(Tensor t, Node n, int nr) except -1:
    """`t` was written to: its value is now output `nr` of `n`.

    Hooks registered so far belong to the old value; a retained gradient follows the new one.
    """
    cdef bint retain = t.node is not None and t.hooks is not None and (<TensorHooks>t.hooks).retain
    if retain:
        hooks_of(<Node>t.node).retained.pop(t.nr, None)
    t.node = n
    t.nr = nr
    t.level = n.level
    t.requires_grad_ = True
    t.hooks = None
    if retain:
        (<TensorHooks>tensor_hooks(t)).retain = True
        hooks_of(n).retained[nr] = weakref.ref(t)
    return 0


# ------------------------------------------------------------------------------ tensors

# The class holds the fields and what autograd asks of them.  Everything else that tensors can do is attached to it at
# import: the methods from the table of operations, and what tensor.py adds.
#
# In vmap, func.grad and func.jvp, the transforms, the payload of a tensor is not an array but another tensor, one level
# down (Note [Levels] in levels.pyx).  So `type(t.payload) is ndarray` asks whether this is an ordinary tensor, and a
# question such as the shape goes down to the array.

@cython.binding(False)
@cython.embedsignature(True)
cdef class Tensor(SpecialMethods):
    """A multi-dimensional array that remembers how it was made.

    Tensors come from the creation functions (``minigrad.tensor``, ``zeros``, ``randn`` ...) and from
    operations on other tensors.
    """

    __array_priority__ = 1000       # so that ndarray + Tensor asks us

    def __init__(self, *args, **kwargs):
        if args or kwargs or self.payload is None:
            self.payload = methods["init"](*args, **kwargs)

    def __dealloc__(self):
        upward.tensor_dies(self)

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
        if type(self.payload) is ndarray:
            return tuple.__new__(_size_type, self.payload.shape)      # ints already: past the check of Size
        return tuple.__new__(_size_type, shape_at_level(self))

    @property
    def dtype(self):
        """The type of the elements, such as ``torch.float32``."""
        if type(self.payload) is ndarray:
            return dtype_of[self.payload.dtype]
        return self.payload.dtype

    @property
    def ndim(self):
        """The number of dimensions."""
        return self.payload.ndim if type(self.payload) is ndarray else len(shape_at_level(self))

    @property
    def device(self):
        """Where the elements are: always the CPU."""
        return _device

    @property
    def requires_grad(self):
        """True where gradients are to be computed for this tensor."""
        if self.view is not None and self.requires_grad_ != 1:      # it follows its base, and may not know it yet
            return (<View>self.view).base.requires_grad_ != 0
        return self.requires_grad_ != 0

    @requires_grad.setter
    def requires_grad(self, value):
        cdef bint wanted
        if not isinstance(value, bool):
            raise error("MG120", f"requires_grad must be a bool, not {type(value).__name__}")
        wanted = value
        catch_up(self)
        if self.node is not None:
            raise not_a_leaf(self)
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
            raise error("MG112", "Inference tensors do not track version counter.")
        return 0 if self.version is None else self.version.value

    @property
    def _base(self):
        return None if self.view is None else (<View>self.view).base

    def _is_view(self):
        return self.view is not None

    def is_inference(self):
        """True for a tensor that was made in inference mode."""
        return bool(self.inference)

    def __len__(self):
        if type(self.payload) is ndarray and PyArray_NDIM(self.payload) > 0:
            return PyArray_DIMS(self.payload)[0]
        return methods["len"](self)

    # Its gradient: `grad_` is what .grad shows, `hooks` says whether a tensor that is not a leaf keeps one.

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
        if self.node is not None:
            (<TensorHooks>tensor_hooks(self)).retain = True
            hooks_of(<Node>self.node).retained[self.nr] = weakref.ref(self)

    @property
    def retains_grad(self):
        """True where :meth:`retain_grad` was called."""
        return self.hooks is not None and bool((<TensorHooks>self.hooks).retain)

    # The same memory under another Tensor.  With the counter of writes, as detach() has it, formulas notice writes to
    # the other; without it, as .data has it, they do not.

    def detach(self):
        """The same memory without the history; it shares the version counter, so writes to it are noticed."""
        cdef Tensor t = new_tensor(self.payload if type(self.payload) is ndarray else self.payload.detach())
        t.version = version_of(self)
        t.level = self.level
        t.hidden = self.hidden
        t.inference = self.inference
        return t

    def detach_(self):
        """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""
        if self.view is not None:
            raise error("MG116", "Can't detach views in-place. Use detach() instead: it gives a new tensor on the same "
                                 "memory.")
        if self.tangent is not None:
            if getattr(self, "_viewed", has_aliases(self)):
                raise tangent_is_read()
            self.tangent = None
        self.node = None
        self.nr = 0
        self.requires_grad_ = False
        return self

    @property
    def data(self):
        """The same memory without the history and without the version counter: writes to it go unnoticed."""
        cdef Tensor t = new_tensor(self.payload)
        t.level = self.level
        t.hidden = self.hidden
        return t

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise error("MG205", f"Variable data has to be a tensor, but got {type(value).__name__}")
        refuse_other_level(self, <Tensor>value)
        if self.requires_grad_ and not is_differentiable((<Tensor>value).payload):
            raise data_without_gradients(value)
        if tuple(value.shape) != tuple(self.shape):
            if self.node is not None:
                raise data_of_another_shape(self, value)
            self.tangent = None
            self.reshaped = True
        self.payload = (<Tensor>value).payload

    @staticmethod
    def _make_subclass(cls, Tensor data not None, bint requires_grad=False):
        """A tensor of the subclass ``cls`` on the memory of ``data`` (``torch.nn.Parameter`` is made so)."""
        cdef Tensor t = cls.__new__(cls)
        refuse_other_level(t, data)
        t.payload = data.payload
        t.requires_grad = requires_grad
        return t


cdef Tensor new_tensor(object payload):
    """A tensor around `payload`: level 0, no history, no version yet."""
    cdef Tensor t = bare_tensor()
    t.payload = payload
    return t


cdef inline Tensor bare_tensor():
    """An empty tensor: one that died, if any is kept, or a new one; Note [Spare nodes and tensors] in lifetimes.pyx."""
    cdef PyObject* o
    if spare_tensors.n:
        spare_tensors.n -= 1
        o = spare_tensors.objects[spare_tensors.n]
        _Py_NewReference(o)
        PyObject_GC_Track(o)
        return <Tensor>take_over(o)
    return Tensor.__new__(Tensor)


cdef inline object take_over(PyObject* o):
    """The reference that we own in `o`, as a Cython object."""
    cdef object x = <object>o
    Py_DECREF(x)
    return x


def wrap(payload, bint requires_grad=False):
    """A tensor on the memory of ``payload`` (an ndarray), without a copy."""
    cdef Tensor t = new_tensor(np.asarray(payload) if isinstance(payload, np.generic) else payload)
    if state().inference:
        t.inference = True
    if requires_grad:
        t.requires_grad = True
    if state().active:
        note_birth(t, weakref.ref)
    return t


cdef bint is_differentiable(object payload):
    """True for floating and complex payloads, bfloat16 included."""
    if type(payload) is ndarray:
        return (<ndarray>payload).dtype.kind in "fcV"
    return isinstance(payload, Tensor) and is_differentiable((<Tensor>payload).payload)


cdef tuple shape_at_level(Tensor t):
    """The shape that the user sees."""
    cdef int hidden = 0
    while type(t.payload) is not ndarray:
        if t.payload is None:
            raise error("MG205", "this Tensor was made without data (by __new__ alone): use torch.tensor(...) or "
                                 "Tensor(...)")
        hidden += t.hidden
        t = <Tensor>t.payload
    return (<object>t.payload).shape[hidden:]


# ------------------------------------------------------------------------------ nodes

# One class of nodes serves all operations of the table: the op says which it is.  Those of custom Functions and of
# writes through views have fields of their own (custom.pyx, views.pyx).  A leaf has a node too, its AccumulateGrad,
# made when an operation first needs it as the end of an edge.  It owns the leaf, and the leaf knows it only weakly, so
# the two are not a cycle: when no graph leads to the leaf any more, the node dies, and the next graph makes a new one.

@cython.no_gc
@cython.binding(False)
@cython.embedsignature(True)
cdef class Node:
    """One recorded operation in the graph; its edges lead to the nodes of the operation's inputs."""

    def __init__(self, *arguments):
        raise error("MG205", "Can't instantiate abstract class Node: nodes are made by operations on tensors that "
                             "require grad")

    def __dealloc__(self):
        upward.node_dies(self)

    def name(self):
        """The name of the operation's backward, such as ``"MulBackward0"``."""
        return _PYTORCH_NAMES.get(type(publish(self)).__name__) or type(self).__name__

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
        """True: a node is made only where a gradient is to be computed."""
        return True

    def _sequence_nr(self):
        return self.seq

    def __repr__(self):
        return f"<{type(publish(self)).__name__} object at 0x{<size_t><PyObject*>self:x}>"

    def __call__(self, *gradients):
        return methods["call_node"](publish(self), gradients)


@cython.no_gc
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
    """A node for one call of `op`, with room for its edges and for what it saves; dispatch.pyx fills them in."""
    cdef Node n = bare_node()
    n.op = op
    n.seq = next_seq()
    n.n_outputs = 1
    allocate(n, n_edges, n_saved)
    return n


cdef inline Node bare_node():
    """The same for nodes."""
    if spare_nodes.n:
        spare_nodes.n -= 1
        _Py_NewReference(spare_nodes.objects[spare_nodes.n])
        return <Node>take_over(spare_nodes.objects[spare_nodes.n])
    return Node.__new__(Node)


cdef int allocate(Node n, int n_edges, int n_saved) except -1:
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
    return 0


cdef inline Saved* new_slots(int n) except NULL:
    """Room for `n` slots.  Most nodes save one or two things, so blocks of that size are used again, as nodes are."""
    if n <= 2 and spare_slots.n[n - 1]:
        spare_slots.n[n - 1] -= 1
        return spare_slots.blocks[n - 1][spare_slots.n[n - 1]]
    return <Saved*>memory(n * sizeof(Saved))


cdef int note_origin(Node n) except -1:
    """In anomaly mode: remember where the user's program made the node, and which node's backward it was made in."""
    cdef State* st = state()
    cdef dict metadata = hooks_of(n).metadata
    metadata["traceback_"] = users_stack()
    if st.evaluating != NULL:
        metadata["parent_"] = <object>st.evaluating
    return 0


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
    if t.requires_grad_ != 1:           # BY_BASE: a view without a history of its own
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
        raise error("MG103", "element of tensors does not require grad and does not have a grad_fn: there is nothing "
                             "to go back through")
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
    if type(payload) is ndarray:
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


# ------------------------------------------------------------------------------ public classes

# Note [A node's public class]
# ----------------------------
# `type(y.grad_fn).__name__` is "MulBackward0", and MulBackward0 carries the properties _saved_self
# and _saved_other: one class per row, made from the row.  Creating an instance of such a class is
# slower than a whole multiplication, and almost no node is ever looked at.  So nodes are born as plain
# Nodes, and get their public class when Python first sees them (`publish`).  That changes only the type
# of the object, for which two things must hold.  The classes add no fields (__slots__ = ()), so the
# memory layout is the same.  And the cyclic collector does not track their instances, as it does those
# of any other Python class: our nodes have no room for its links (`make_node_class` takes the flag away).

cdef dict _PYTORCH_NAMES = {"CopyBackwards": "torch::autograd::CopyBackwards"}


cdef object publish(Node n):
    """`n` with its public class, which it gets here where it has not got it yet."""
    cdef object cls
    if type(n) is Node and n.op is not None:
        if n.accumulates:
            Py_SET_TYPE(<PyObject*>n, <PyTypeObject*>AccumulateGrad)
            return n
        cls = n.op.in_place_class if n.in_place else n.op.node_class
        Py_INCREF(cls)
        Py_SET_TYPE(<PyObject*>n, <PyTypeObject*>cls)
    return n


def make_node_class(str name, dict body):
    """The public class of the nodes of one op."""
    cls = type(name, (Node,), body)
    cdef PyTypeObject* c = <PyTypeObject*>cls
    c.tp_flags &= ~Py_TPFLAGS_HAVE_GC
    c.tp_traverse = c.tp_clear = NULL
    c.tp_free = <void*>PyObject_Free
    return cls


def attach(str name, value, type cls not None=Tensor):
    """Make ``value`` an attribute of Tensor, or of ``cls`` (a compiled class refuses plain assignment)."""
    PyDict_SetItem(<object>(<PyTypeObject*>cls).tp_dict, name, value)
    PyType_Modified(<PyTypeObject*>cls)


def unattach(str name, type cls=Tensor):
    """Take away what :func:`attach` gave."""
    PyDict_DelItem(<object>(<PyTypeObject*>cls).tp_dict, name)
    PyType_Modified(<PyTypeObject*>cls)


# ------------------------------------------------------------------------------ what the errors say

GRAD_OF_A_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(): only leaves keep gradients, intermediate results hand them on. If you want "
    "it, call .retain_grad() on this tensor before backward(). Its .why_no_grad() says which operation made it. "
    "(python -m minigrad explain grad-of-a-non-leaf)")


cdef object tangent_from_elsewhere():
    return error("MG117", "the tangent of a tensor comes from another transform (vmap, grad, jvp) than the tensor: the "
                          "jvp of a Function, for example, is to compute with the tangents that it receives")


cdef object not_a_leaf(Tensor t):
    return error("MG120", "you can only change requires_grad flags of leaf variables. This tensor is the result of "
                          f"{Node.name(<Node>publish(t.node))}: to use its value without its history, write "
                          "y = x.detach().")


cdef object never_recorded():
    return error("MG112", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: a "
                          "tensor made in inference mode can never be recorded. Make a normal one of it with "
                          "x.clone().")


cdef object has_no_gradients(Tensor t):
    return error("MG111", f"only Tensors of floating point dtype can require gradients, not {t.dtype}: a gradient is "
                          "a small change, and integers have none. Convert first, for example x.float() or "
                          "torch.tensor(data, dtype=torch.float64).")


cdef object nothing_to_retain():
    return error("MG103", "can't retain_grad on Tensor that has requires_grad=False: nothing that leads to it was "
                          "recorded, so no gradient will come by. x.requires_grad_() makes a leaf of it, whose .grad "
                          "is kept anyway.")


cdef object tangent_is_read():
    return error("MG116", "detach_() of a tensor with a tangent to which another tensor looks: a view reads its "
                          "tangent off what it is a view of, and would lose it too. Use detach() instead: it gives a "
                          "new tensor on the same memory.")


cdef int check_grad(Tensor t, object value) except -1:
    """Raise if `value` cannot be the .grad of `t`."""
    if not isinstance(value, Tensor):
        raise error("MG114", "assigned grad expected to be a Tensor or None but got grad of type "
                             f"{type(value).__name__}")
    if value is t:
        raise error("MG118", "can't assign Variable as its own grad")
    if value.dtype is not t.dtype:
        raise error("MG118", f"attempting to assign a gradient with dtype '{value.dtype}' to a tensor with dtype "
                             f"'{t.dtype}'. A gradient has its tensor's dtype; convert it: x.grad = g.to({t.dtype})")
    if tuple(value.shape) != tuple(t.shape):
        raise error("MG118", f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                             f"'{list(t.shape)}'. Please ensure that the gradient and the tensor are the same size: "
                             "it has one entry for each entry of its tensor.")
    return 0


cdef int refuse_other_level(Tensor t, Tensor value) except -1:
    """The payload of a tensor is an array at level 0, and a tensor of a lower level at any other:
    `t` cannot take one of another kind."""
    if value.payload is None:
        raise error("MG205", "the tensor to take the data of has none: it was made by __new__ alone. Use "
                             "torch.tensor(...) or Tensor(...)")
    if t.level != value.level:
        raise error("MG117", "data set to a tensor of a transform (vmap, grad, jvp), or to one from outside of it: "
                             "the two are not in the same transform, and so have no memory in common. Return the "
                             "tensor from the transformed function, or copy_() into this one.")
    return 0


cdef object data_without_gradients(Tensor value):
    return error("MG111", "data set to a tensor that requires gradients must be floating point or complex dtype, not "
                          f"{value.dtype}")


cdef object data_of_another_shape(Tensor t, Tensor value):
    return error("MG109", f"data set to a tensor of shape {list(value.shape)}, but this tensor has shape "
                          f"{list(t.shape)} and a history: what {Node.name(publish(<Node>t.node))} computed has a "
                          "gradient of that shape. Use x.detach(), or a tensor of its shape.")

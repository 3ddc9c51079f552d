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
counts alone as soon as its last result does.  The fields are declared in ``graph.pxd``; how what a node saved
comes back to the formulas is read in ``saved.pyx``.
"""

cimport cython
from cpython.dict cimport PyDict_DelItem, PyDict_SetItem
from cpython.mem cimport PyMem_Realloc, PyObject_Free, PyObject_Malloc
from cpython.object cimport PyObject_GenericGetDict
from cpython.ref cimport PyObject, Py_INCREF, Py_DECREF, Py_XDECREF
cimport numpy as cnp
from numpy cimport PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp

import weakref
from collections import OrderedDict

import numpy as np

from minigrad._core.errors import error, warn
from minigrad._core.modes cimport State, interpreter_of, note_birth, state
from minigrad._core.places cimport shown_place, users_code, users_stack
from minigrad._core.python_c cimport (Py_REFCNT, Py_SET_REFCNT, Py_SET_TYPE, Py_TPFLAGS_HAVE_GC, Py_TYPE,
                                      PyObject_ClearWeakRefs, PyObject_GC_Track, PyObject_GC_UnTrack, PyObject_IS_GC,
                                      PyType_Modified, PyTypeObject, _Py_NewReference, destructor_t)
from minigrad._core.special_methods cimport methods

cnp.import_array()


# ------------------------------------------------------------------------------ what is above us
# tensor.py and dtypes.py tell the data model, once and at import, what it may not import.

cdef object _size_type = tuple      # dtypes.Size
dtype_of = {}                       # np.dtype -> minigrad dtype
cdef object _device = "cpu"
cdef dict _PYTORCH_NAMES = {"CopyBackwards": "torch::autograd::CopyBackwards"}


def register(*, size=None, dtypes=None, device=None):
    """Tell the data model about its dtypes, the class of shapes, and the device."""
    global _size_type, _device
    if size is not None:
        _size_type = size
    if dtypes is not None:
        dtype_of.update(dtypes)
    if device is not None:
        _device = device


def attach(str name, value, type cls not None=Tensor):
    """Make ``value`` an attribute of Tensor, or of ``cls`` (a compiled class refuses plain assignment)."""
    PyDict_SetItem(<object>(<PyTypeObject*>cls).tp_dict, name, value)
    PyType_Modified(<PyTypeObject*>cls)


def unattach(str name, type cls=Tensor):
    """Take away what :func:`attach` gave."""
    PyDict_DelItem(<object>(<PyTypeObject*>cls).tp_dict, name)
    PyType_Modified(<PyTypeObject*>cls)


# ------------------------------------------------------------------------------ versions

@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Version:
    def __dealloc__(self):
        Py_XDECREF(self.code)
        Py_XDECREF(self.keepers)


cdef Version version_of(Tensor t):
    """The version counter of `t`, made when first somebody wants to share or to move it."""
    if t.version is None:
        t.version = Version.__new__(Version)
    return t.version


cdef int count_write(Version v) except -1:
    """One more write to the memory that `v` counts for."""
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


# ------------------------------------------------------------------------------ views and hooks

@cython.final
cdef class View:
    def __dealloc__(self):
        cdef PyObject* v = self.previous
        cdef PyObject* before
        self.previous = NULL
        while v != NULL:                # see Note [Freeing without recursion]
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
    if before is None:
        v.base = source
    else:
        v.base = before.base
        v.owner = source if before.dual else before.owner
        v.made_in = made_in or before.made_in
        Py_INCREF(before)
        v.previous = <PyObject*>before
    return v


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
    cdef bint retain = t.node is not None and t.hooks is not None and (<TensorHooks>t.hooks).retain     # detach_ leaves it on
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

@cython.binding(False)
@cython.embedsignature(True)
cdef class Tensor(SpecialMethods):
    """A multi-dimensional array that remembers how it was made.

    Tensors come from the creation functions (``minigrad.tensor``, ``zeros``, ``randn`` ...) and from
    operations on other tensors.
    """

    __array_priority__ = 1000       # so that ndarray + Tensor asks us

    def __init__(self, *args, **kwargs):
        if args or kwargs or self.data is None:
            self.data = methods["init"](*args, **kwargs)

    def __dealloc__(self):
        leave_graph(self)
        Py_XDECREF(self.attributes)

    # ---- what it is

    @property
    def _array(self):
        """The payload: an ndarray, or inside a transform the tensor of the level below."""
        return self.data

    @property
    def _level(self):
        return self.level

    @property
    def _tangent(self):
        return self.tangent

    @_tangent.setter
    def _tangent(self, value):
        if value is not None and (<Tensor?>value).level >= self.level > 0:
            raise error("MG117", "the tangent of a tensor comes from another transform (vmap, grad, jvp) than the "
                                 "tensor: the jvp of a Function, for example, is to compute with the tangents that it "
                                 "receives")
        self.tangent = value

    @property
    def shape(self):
        """The sizes of the dimensions, as a ``torch.Size``."""
        if type(self.data) is ndarray:
            return tuple.__new__(_size_type, self.data.shape)      # ints already: past the check of Size
        return tuple.__new__(_size_type, shape_at_level(self))

    @property
    def dtype(self):
        """The type of the elements, such as ``torch.float32``."""
        if type(self.data) is ndarray:
            return dtype_of[self.data.dtype]
        return self.data.dtype

    @property
    def ndim(self):
        """The number of dimensions."""
        return self.data.ndim if type(self.data) is ndarray else len(shape_at_level(self))

    @property
    def device(self):
        """Where the elements are: always the CPU."""
        return _device

    @property
    def requires_grad(self):
        """True where gradients are to be computed for this tensor."""
        if self.view is not None and self.requires_grad_ != 1:
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
            raise error("MG120", "you can only change requires_grad flags of leaf variables. This tensor is the result of "
                                 f"{Node.name(<Node>publish(self.node))}: to use its value without its history, write y = x.detach().")
        if wanted:
            if self.inference and not state().inference:
                raise error("MG112", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: a tensor "
                                     "made in inference mode can never be recorded. Make a normal one of it with x.clone().")
            if not is_differentiable(self.data):
                raise error("MG111", "only Tensors of floating point dtype can require gradients, not "
                                     f"{self.dtype}: a gradient is a small change, and whole numbers have none. "
                                     "Convert first, for example x.float() or torch.tensor(data, dtype=torch.float64).")
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
        if type(self.data) is ndarray and PyArray_NDIM(self.data) > 0:
            return PyArray_DIMS(self.data)[0]
        return methods["len"](self)

    # ---- gradients

    @property
    def grad(self):
        """The gradient that ``backward`` has accumulated for this leaf; None before."""
        if self.grad_ is None and self.node is not None and (self.hooks is None or not (<TensorHooks>self.hooks).retain):
            warn("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute "
                 "won't be populated during autograd.backward(): only leaves keep gradients, intermediate results "
                 "hand them on. If you want it, call .retain_grad() on this tensor before backward(). Its "
                 ".why_no_grad() says which operation made it. (python -m minigrad explain grad-of-a-non-leaf)")
        return self.grad_

    @grad.setter
    def grad(self, value):
        if value is not None:
            if not isinstance(value, Tensor):
                raise error("MG114", f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
            if value is self:
                raise error("MG118", "can't assign Variable as its own grad")
            if value.dtype is not self.dtype:
                raise error("MG118", f"attempting to assign a gradient with dtype '{value.dtype}' to a tensor with dtype '{self.dtype}'. "
                                     f"A gradient has its tensor's dtype; convert it: x.grad = g.to({self.dtype})")
            if tuple(value.shape) != tuple(self.shape):
                raise error("MG118", f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size '{list(self.shape)}'. "
                                     "Please ensure that the gradient and the tensor are the same size: it has one entry for each entry of its tensor.")
        self.grad_ = value

    @grad.deleter
    def grad(self):
        self.grad_ = None

    def retain_grad(self):
        """Let ``backward`` fill ``.grad`` of this tensor although it is not a leaf."""
        catch_up(self)
        if not self.requires_grad_:
            raise error("MG103", "can't retain_grad on Tensor that has requires_grad=False: nothing that leads to it was recorded, so no gradient "
                                 "will come by. x.requires_grad_() makes a leaf of it, whose .grad is kept anyway.")
        if self.node is not None:
            (<TensorHooks>tensor_hooks(self)).retain = True
            hooks_of(<Node>self.node).retained[self.nr] = weakref.ref(self)

    @property
    def retains_grad(self):
        """True where :meth:`retain_grad` was called."""
        return self.hooks is not None and bool((<TensorHooks>self.hooks).retain)

    def detach(self):
        """The same memory without the history; it shares the version counter, so writes to it are noticed."""
        cdef Tensor t = new_tensor(self.data if type(self.data) is ndarray else self.data.detach())
        t.version = version_of(self)
        t.level = self.level
        t.hidden = self.hidden
        t.inference = self.inference
        return t

    def detach_(self):
        """Forget the history of this tensor in place, and its tangent; it becomes a leaf."""
        if self.view is not None:
            raise error("MG116", "Can't detach views in-place. Use detach() instead: it gives a new tensor on the same memory.")
        if self.tangent is not None:
            if getattr(self, "_viewed", has_aliases(self)):
                raise error("MG116", "detach_() of a tensor with a tangent to which another tensor looks: a view "
                                     "reads its tangent off what it is a view of, and would lose it too. Use detach() "
                                     "instead: it gives a new tensor on the same memory.")
            self.tangent = None
        self.node = None
        self.nr = 0
        self.requires_grad_ = False
        return self

    @property
    def data(self):
        """The same memory without the history and without the version counter: writes to it go unnoticed."""
        cdef Tensor t = new_tensor(self.data)
        t.level = self.level
        t.hidden = self.hidden
        return t

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise error("MG205", f"Variable data has to be a tensor, but got {type(value).__name__}")
        refuse_other_level(self, <Tensor>value)
        if self.requires_grad_ and not is_differentiable((<Tensor>value).data):
            raise error("MG111", f"data set to a tensor that requires gradients must be floating point or complex dtype, not {value.dtype}")
        if tuple(value.shape) != tuple(self.shape):
            if self.node is not None:
                raise error("MG109", f"data set to a tensor of shape {list(value.shape)}, but this tensor has shape "
                                     f"{list(self.shape)} and a history: what {Node.name(publish(<Node>self.node))} "
                                     "computed has a gradient of that shape. Use x.detach(), or a tensor of its "
                                     "shape.")
            self.tangent = None
            self.reshaped = True
        self.data = (<Tensor>value).data

    @staticmethod
    def _make_subclass(cls, Tensor data not None, bint requires_grad=False):
        """A tensor of the subclass ``cls`` on the memory of ``data`` (``torch.nn.Parameter`` is made so)."""
        cdef Tensor t = cls.__new__(cls)
        refuse_other_level(t, data)
        t.data = data.data
        t.requires_grad = requires_grad
        return t


# Note [Attributes]
# -----------------
# A tensor may carry attributes of the user's (y.name = "logits"), but hardly any does, and a dictionary
# for each would cost as much as the tensor.  So the field is a bare pointer, which Python's own
# attribute machinery fills on the first write (tp_dictoffset); Cython would make the dictionary at once.
# The price is that the cyclic collector must be shown the way into it, for y.me = y.

ctypedef int (*visit_t)(PyObject*, void*) noexcept
ctypedef int (*traverse_t)(PyObject*, visit_t, void*) noexcept
ctypedef int (*clear_t)(PyObject*) noexcept
cdef traverse_t traverse_fields
cdef clear_t clear_fields


cdef int traverse_tensor(PyObject* self, visit_t visit, void* argument) noexcept:
    cdef PyObject* attributes = (<Tensor>self).attributes
    cdef int stop = 0
    if attributes != NULL:
        stop = visit(attributes, argument)
    return stop if stop else traverse_fields(self, visit, argument)


cdef int clear_tensor(PyObject* self) noexcept:
    cdef PyObject* attributes = (<Tensor>self).attributes
    (<Tensor>self).attributes = NULL
    Py_XDECREF(attributes)
    return clear_fields(self)


cdef int give_attributes() except -1:
    global traverse_fields, clear_fields
    cdef PyTypeObject* cls = <PyTypeObject*>Tensor
    cdef Tensor t = Tensor.__new__(Tensor)
    traverse_fields = <traverse_t>cls.tp_traverse
    clear_fields = <clear_t>cls.tp_clear
    cls.tp_traverse = <void*>traverse_tensor
    cls.tp_clear = <void*>clear_tensor
    cls.tp_dictoffset = <char*>&t.attributes - <char*><PyObject*>t
    attach("__dict__", property(_attributes))
    return 0


def _attributes(self):
    return PyObject_GenericGetDict(self, NULL)


give_attributes()


cdef int refuse_other_level(Tensor t, Tensor value) except -1:
    """The payload of a tensor is an array at level 0, and a tensor of a lower level at any other:
    `t` cannot take one of another kind."""
    if value.data is None:
        raise error("MG205", "the tensor to take the data of has none: it was made by __new__ alone. Use "
                             "torch.tensor(...) or Tensor(...)")
    if t.level != value.level:
        raise error("MG117", "data set to a tensor of a transform (vmap, grad, jvp), or to one from outside of it: "
                             "the two are not in the same transform, and so have no memory in common. Return the "
                             "tensor from the transformed function, or copy_() into this one.")
    return 0


cdef Tensor new_tensor(object payload):
    cdef Tensor t = bare_tensor()
    t.data = payload
    return t


cdef bint is_differentiable(object payload):
    """True for floating and complex payloads, bfloat16 included."""
    if type(payload) is ndarray:
        return (<ndarray>payload).dtype.kind in "fcV"
    return isinstance(payload, Tensor) and is_differentiable((<Tensor>payload).data)


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


def has_aliases(Tensor t not None):
    """Does another tensor, such as a view, share the memory of ``t``?  They would share its Version."""
    return t.version is not None and Py_REFCNT(<PyObject*>t.version) > 1


def lift(Tensor t not None, int level):
    """Make ``t``, a tensor of a lower level that was made inside a transform, one of its level; its memory stays."""
    cdef Tensor payload = new_tensor(t.data)
    payload.version = version_of(t)
    payload.level = t.level
    payload.tangent = t.tangent
    t.data = payload
    t.level = level
    t.tangent = None


def wrap_level(payload, int level, int hidden=0):
    """A tensor of transform level ``level`` around ``payload``, of which ``hidden`` leading dims are not shown.

    The payload is a tensor of a level below; or, where a later transform maps over cotangents of this level, of that
    one.
    """
    cdef Tensor t
    if not isinstance(payload, Tensor) or (<Tensor>payload).data is None:
        raise error("MG205", f"a transform (vmap, grad, jvp) was given "
                             f"{'a Tensor without data' if isinstance(payload, Tensor) else type(payload).__name__}, "
                             "and works on tensors: make one with torch.tensor(...)")
    if (<Tensor>payload).level >= level and ((<Tensor>payload).level == level
                                             or interpreter_of((<Tensor>payload).level) is None):
        raise error("MG117", "a tensor of a transform (vmap, grad, jvp) was given where one from outside of it is "
                             "needed: a vmap staticmethod, for example, is to compute with the tensors that it "
                             "receives, which have the batch as a dim, and not with those of the mapped function")
    t = new_tensor(payload)
    t.level = level
    t.hidden = hidden
    return t


cdef tuple shape_at_level(Tensor t):
    """The shape that the user sees."""
    cdef int hidden = 0
    while type(t.data) is not ndarray:
        if t.data is None:
            raise error("MG205", "this Tensor was made without data (by __new__ alone): use torch.tensor(...) or Tensor(...)")
        hidden += t.hidden
        t = <Tensor>t.data
    return (<object>t.data).shape[hidden:]


def view_chain(Tensor t not None):
    """Every (op, arguments) from the base of a view to the view; () for what is none."""
    return () if t.view is None else (<View>t.view).chain


# ------------------------------------------------------------------------------ nodes

# Note [Freeing without recursion]
# --------------------------------
# A chain of a million nodes hangs on its last result.  Freed naively, each node's destructor would
# call that of the next, a million C frames deep:
#
#     free(node n) -> free(tensor saved by n) -> free(node n-1) -> free(tensor saved by n-1) -> ...
#
# So the last holder of a node does not free it, but hangs it on a list of the thread, by the field in which
# passes write their claims: no pass can meet it any more.  The outermost destructor empties the list; those
# that it calls only add to it, so that it takes no memory and a few frames however long the chain is:
#
#     free(node n)     frees what it saved, hangs up n-1       <- draining starts
#     free(node n-1)   frees what it saved, hangs up n-2       <- and so on
#
# All ways through a graph lead through nodes.  Two other chains are walked in loops of their own: views of views,
# and a .grad that has a .grad.

cdef void* LAST = <void*>&LAST          # stands at the end of the list, where a field is not to be NULL


cdef void bury(PyObject* n) noexcept:
    """Give up our reference to the node `n`: at once where others hold it too, else by way of the list, for `drain`."""
    cdef State* st
    if Py_REFCNT(n) > 1:
        Py_DECREF(<object>n)
        return
    st = state()
    (<Node>n).task = LAST if st.dying == NULL else <void*>st.dying
    st.dying = n


cdef void drain() noexcept:
    cdef State* st = state()
    cdef PyObject* n
    if st.draining:
        return
    st.draining = True
    while st.dying != NULL:
        n = st.dying
        st.dying = NULL if (<Node>n).task == LAST else <PyObject*>(<Node>n).task
        (<Node>n).task = NULL
        Py_DECREF(<object>n)
    st.draining = False


cdef extern from *:
    """
    #ifdef MINIGRAD_CHECKED
    #define MG_KEEPS 0
    #else
    #define MG_KEEPS 1
    #endif
    """
    bint KEEPS "MG_KEEPS"           # what has died is kept for the next one; not where a sanitizer looks on (setup.py)

# Most nodes save one or two things: their slots come from a list of blocks that are ready at hand.
cdef enum:
    POOL = 256
cdef Saved* pool[2][POOL]
cdef int n_pool[2]


cdef inline void* memory(size_t size) except NULL:
    cdef void* p = PyObject_Malloc(size)
    if p == NULL:
        raise MemoryError()
    return p


cdef void* with_room(void* block, Py_ssize_t* room, size_t size) except NULL:
    """The block with room for more of `size` bytes; where that is refused, it and `room` are as before."""
    cdef Py_ssize_t more = 2 * room[0] + 64
    block = PyMem_Realloc(block, more * size)
    if block == NULL:
        raise MemoryError()
    room[0] = more
    return block


cdef inline Saved* new_slots(int n) except NULL:
    if n <= 2 and n_pool[n - 1]:
        n_pool[n - 1] -= 1
        return pool[n - 1][n_pool[n - 1]]
    return <Saved*>memory(n * sizeof(Saved))


cdef inline void free_slots(Saved* s, int n) noexcept:
    if KEEPS and n <= 2 and n_pool[n - 1] < POOL:
        pool[n - 1][n_pool[n - 1]] = s
        n_pool[n - 1] += 1
    else:
        PyObject_Free(s)


cdef void release_saved(Node n) noexcept:
    """Let go of everything that `n` saved."""
    cdef int i
    cdef Saved* s = n.saved
    n.saved = NULL
    for i in range(n.n_saved if s != NULL else 0):
        Py_XDECREF(s[i].version)
        Py_XDECREF(s[i].value)
    if s != NULL:
        free_slots(s, n.n_saved)


@cython.no_gc
@cython.binding(False)
@cython.embedsignature(True)
cdef class Node:
    """One recorded operation in the graph; its edges lead to the nodes of the operation's inputs."""

    def __init__(self, *arguments):
        raise error("MG205", "Can't instantiate abstract class Node: nodes are made by operations on tensors that require grad")

    def __dealloc__(self):
        dismantle(self)

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


cdef long long sequence = 0


cdef long long next_seq() noexcept:
    global sequence
    sequence += 1
    return sequence


cdef long long coming_seq() noexcept:
    """The number that the next node will get."""
    return sequence + 1


cdef Node new_node(object op, int n_edges, int n_saved):
    cdef Node n = bare_node()
    n.op = op
    n.seq = next_seq()
    n.n_outputs = 1
    allocate(n, n_edges, n_saved)
    return n


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


cdef int note_origin(Node n) except -1:
    """In anomaly mode: remember where the user's program made the node, and which node's backward it was made in."""
    cdef State* st = state()
    cdef dict metadata = hooks_of(n).metadata
    metadata["traceback_"] = users_stack()
    if st.evaluating != NULL:
        metadata["parent_"] = <object>st.evaluating
    return 0


cdef Node node_of(Tensor t):
    """The node that a gradient of `t` goes to: its grad_fn, or the AccumulateGrad of a leaf.

    None where nothing wants one: for what requires no grad, and for a view that says it does because its base does, but
    that was made under no_grad.  Who cannot do without a node asks `root_of`.
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
    a.op = t                        # it owns its leaf; the leaf knows it weakly
    a.accumulates = True
    a.seq = 1LL << 62               # no result waits for it: always first out of the ready heap
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


cdef int lay_otherwise(Tensor t) except -1:
    """The leaf `t` is about to lie otherwise: the graphs that lead to it end in a node of their own,
    which cannot accumulate any more."""
    if t.accumulator != NULL:
        (<Node>t.accumulator).in_place = True
        t.accumulator = NULL
    return 0


def stored_grad(Tensor t not None):
    """``t.grad`` as it is, without the warning that there will be none."""
    return t.grad_


def is_led_to(Tensor t not None):
    """True where a graph that still exists leads to the leaf ``t``."""
    return t.accumulator != NULL


def accumulator_of(Tensor t not None):
    """The node of ``t`` in the graph, as ``(node, output number)``; ``(None, 0)`` where it does not require grad."""
    cdef Node n = node_of(t)
    return (None, 0) if n is None else (publish(n), t.nr)


def forms_of(Node n not None):
    """For each output of ``n`` its (shape, NumPy dtype), or None where the node has nothing that tells."""
    cdef list forms = [None] * n.n_outputs
    cdef int i
    if n.accumulates:
        return [form_of(n.op)]
    for i in range(n.n_saved if n.saved != NULL else 0):
        if n.saved[i].kind == OUTPUT and type(<object>n.saved[i].value) is ndarray:
            forms[n.saved[i].nr] = (<object>n.saved[i].value).shape, (<object>n.saved[i].value).dtype
    return forms


def form_of(Tensor t not None):
    """The (shape, NumPy dtype) of an ordinary tensor; None inside a transform."""
    return ((<object>t.data).shape, (<object>t.data).dtype) if type(t.data) is ndarray else None


def at_edge(Node node not None, int nr, payload=None):
    """A tensor that stands for output ``nr`` of ``node``:
    where its place in the graph matters, and at most its form."""
    if not 0 <= nr < node.n_outputs:
        raise error("MG114", f"there is no output {nr} of {Node.name(node)}: it has {node.n_outputs}, counted from 0")
    cdef Tensor t = new_tensor(payload if node.level == 0 else None)
    t.node = node
    t.nr = nr
    t.level = node.level
    t.requires_grad_ = True
    return t


cdef int set_edge(Node n, int i, Tensor t) except -1:
    cdef Node target = node_of(t)
    if target is not None:
        Py_INCREF(target)
        n.edges[i].node = <PyObject*>target
        n.edges[i].nr = t.nr
    return 0


cdef Meta* new_fit(Node n, int i, int ndim, int type_num) except NULL:
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


cdef int set_fit(Node n, int i, ndarray a) except -1:
    """Remember the dtype and shape of input `i`: its gradient will have to be reduced to them."""
    cdef int k
    cdef Meta* m = new_fit(n, i, PyArray_NDIM(a), PyArray_TYPE(a))
    for k in range(m.ndim):
        m.dims[k] = PyArray_DIMS(a)[k]
    return 0


cdef int set_fit_to(Node n, int i, tuple shape, int type_num) except -1:
    cdef int k
    cdef Meta* m = new_fit(n, i, len(shape), type_num)
    for k in range(m.ndim):
        m.dims[k] = shape[k]
    return 0


cdef void dismantle(Node n) noexcept:
    """Let go of everything that `n` holds outside its Python fields."""
    cdef int i
    cdef bint buried = False
    cdef PyObject* buffer = n.buffer
    if buffer != NULL:
        n.buffer = NULL
        Py_DECREF(<object>buffer)
    release_saved(n)
    if n.edges != NULL:
        for i in range(n.n_edges):
            if n.edges[i].node != NULL:
                bury(n.edges[i].node)
                buried = True
        if n.edges != &n.two[0]:
            PyObject_Free(n.edges)
        n.edges = NULL
    if n.fits != NULL:
        for i in range(n.n_edges):
            PyObject_Free(n.fits[i])
        PyObject_Free(n.fits)
        n.fits = NULL
    if n.accumulates and (<Tensor>n.op).accumulator == <PyObject*>n:
        (<Tensor>n.op).accumulator = NULL
    if buried:
        drain()


# Note [Spare nodes and tensors]
# ------------------------------
# Every recorded operation makes a node and a tensor, and most of them die young.  What Cython does at
# birth and death (clear the memory, fill in None, save and restore a pending exception) costs more than
# the arithmetic on a small tensor.  So a dead one is kept as it is, cleaned, and the next one is it.

cdef enum:
    SPARE = 512
cdef PyObject* spare_nodes[SPARE]
cdef int n_spare_nodes = 0
cdef PyObject* spare_tensors[SPARE]
cdef int n_spare_tensors = 0
cdef destructor_t free_node_slowly
cdef destructor_t free_tensor_slowly


cdef void free_node(PyObject* o) noexcept:
    global n_spare_nodes
    if Py_TYPE(o).tp_basicsize != (<PyTypeObject*>Node).tp_basicsize or PyObject_IS_GC(o):
        free_node_slowly(o)
        return
    Py_SET_REFCNT(o, 1)             # or a variable that holds it would bring it back to zero, and us here again
    empty_node(<Node>o)
    if KEEPS and n_spare_nodes < SPARE:     # only now: others may have died in between
        Py_SET_TYPE(o, <PyTypeObject*>Node)
        spare_nodes[n_spare_nodes] = o
        n_spare_nodes += 1
    else:
        Py_DECREF(None)             # the two that the fields hold
        Py_DECREF(None)
        discard(o)


cdef void empty_node(Node n) noexcept:
    dismantle(n)
    n.op = None
    n.hooks = None
    n.task = NULL
    n.deps = 0
    n.n_edges = n.n_saved = 0
    n.level = 0
    n.freed = 0
    n.accumulates = n.several = n.needed = n.captured = n.packed = n.in_place = False


cdef inline void discard(PyObject* o) noexcept:
    """Give the memory back, past Cython's destructor: there is nothing left to destroy."""
    (<destructor_t>Py_TYPE(o).tp_free)(o)


cdef inline Node bare_node():
    global n_spare_nodes
    if n_spare_nodes:
        n_spare_nodes -= 1
        _Py_NewReference(spare_nodes[n_spare_nodes])
        return <Node>take_over(spare_nodes[n_spare_nodes])
    return Node.__new__(Node)


cdef void free_tensor(PyObject* o) noexcept:
    global n_spare_tensors
    if Py_TYPE(o) != <PyTypeObject*>Tensor:
        free_tensor_slowly(o)
        return
    PyObject_GC_UnTrack(o)
    if (<PyObject**>(<char*>o + (<PyTypeObject*>Tensor).tp_weaklistoffset))[0] != NULL:
        PyObject_ClearWeakRefs(o)   # asks for a count of 0, so before the next line
    Py_SET_REFCNT(o, 1)
    empty_tensor(<Tensor>o)
    if KEEPS and n_spare_tensors < SPARE:
        spare_tensors[n_spare_tensors] = o
        n_spare_tensors += 1
    else:
        for field in range(7):
            Py_DECREF(None)
        discard(o)


cdef void empty_tensor(Tensor t) noexcept:
    cdef PyObject* attributes = t.attributes
    t.attributes = NULL
    t.accumulator = NULL
    t.data = None
    t.version = None
    t.view = None
    t.tangent = None
    t.hooks = None
    t.hidden = 0
    t.nr = 0
    t.level = 0
    t.requires_grad_ = t.inference = t.reshaped = t.forgot = False
    t.adding = 0
    if attributes != NULL:
        Py_DECREF(<object>attributes)
    leave_graph(t)


cdef void leave_graph(Tensor t) noexcept:
    """Let go of .grad, one after the other where that has a .grad in its turn, and of the node:
    see Note [Freeing without recursion]."""
    cdef PyObject* n = <PyObject*>t.node
    cdef Tensor grad, next_grad
    if t.grad_ is not None:
        grad = <Tensor>t.grad_
        t.grad_ = None
        while grad is not None:
            next_grad = None
            if Py_REFCNT(<PyObject*>grad) == 1:
                next_grad = <Tensor>grad.grad_
                grad.grad_ = None
            grad = next_grad
    if t.node is not None:
        Py_INCREF(<object>n)
        t.node = None
        bury(n)
        drain()


cdef inline Tensor bare_tensor():
    global n_spare_tensors
    cdef PyObject* o
    if n_spare_tensors:
        n_spare_tensors -= 1
        o = spare_tensors[n_spare_tensors]
        _Py_NewReference(o)
        PyObject_GC_Track(o)
        return <Tensor>take_over(o)
    return Tensor.__new__(Tensor)


cdef inline object take_over(PyObject* o):
    """The reference that we own in `o`, as a Cython object."""
    cdef object x = <object>o
    Py_DECREF(x)
    return x


cdef int keep_spares() except -1:
    global free_node_slowly, free_tensor_slowly
    cdef PyTypeObject* cls = <PyTypeObject*>Node
    free_node_slowly = <destructor_t>cls.tp_dealloc
    cls.tp_dealloc = <void*>free_node
    cls = <PyTypeObject*>Tensor
    free_tensor_slowly = <destructor_t>cls.tp_dealloc
    cls.tp_dealloc = <void*>free_tensor
    return 0


keep_spares()


# Note [A node's public class]
# ----------------------------
# `type(y.grad_fn).__name__` is "MulBackward0", and MulBackward0 carries the properties _saved_self
# and _saved_other: one class per row, made from the row.  Creating an instance of such a class is
# slower than a whole multiplication, and nearly no node is ever looked at.  So nodes are born as plain
# Nodes, and put on their public class when Python first sees them.  The classes add no fields
# (__slots__ = ()), so the memory layout is the same; and they must not be visible to the cyclic
# collector, as every class statement makes its instances, because our nodes have no room for its links.

cdef object publish(Node n):
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

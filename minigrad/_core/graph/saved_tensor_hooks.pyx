"""Saved-tensor hooks: the user decides how saved tensors are stored.

Under ``saved_tensors_hooks`` whatever a node saves goes through the user's pack hook, and through the unpack hook when
it is needed.  Under ``allow_mutation_on_saved_tensors`` it is kept, and copied before it is written to.  Which hooks
are in force is a switch of the thread (``thread_state.pyx``); minigrad/autograd/graph/saved_tensors.py flips it.
"""

cimport cython

import weakref

import numpy as np

from minigrad._core.errors import error, located
from minigrad._core.graph cimport (NOTHING, OUTPUT, PACKED, SEVERAL, VALUE, Node, Saved, Tensor, Version, later,
                                   new_tensor, node_of, version_of, written_at)
from minigrad._core.graph.saved_slots cimport in_slot, let_go_of_version
from minigrad._core.graph.saved_tensors cimport lend_own_tangent, modified, second_time, shown_slot
from minigrad._core.runtime.numpy_api cimport ndarray
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF, Py_XDECREF
from minigrad._core.runtime.thread_state cimport State, state
from minigrad._core.runtime.thread_state import pop_saved_hooks, push_saved_hooks


# Note [Packed tensors]
# ---------------------
# Under saved_tensors_hooks a slot holds a Packed: whatever the pack hook made of the tensor (a file name, a
# smaller copy), the unpack hook, and the end of the edge along which the tensor's gradient flows:
#
#     save     tensor --pack--> content            Packed(content, unpack, node, nr)
#     need     content --unpack--> a tensor's data --node, nr--> the tensor, with its history
#
# So a double backward works, although what comes back from a file has no history.
#
# The node's own output loses its history as soon as the pack hook has returned.  That history is the node itself, so a
# hook that returns what it received would close a cycle of references that nothing could free.
#
# In a dual level the tensor may have a tangent, which no hook sees.  A tensor without data bears it until the level is
# closed; the tangent of an output is kept with the node (`remember` in dual_tensors.pyx).
#
# Under allow_mutation_on_saved_tensors the content is the payload itself, and the Version has a weak set of such
# `keepers`: the next write to the memory first makes each of them take a copy.

@cython.final
@cython.binding(False)
@cython.embedsignature(True)
cdef class Packed:
    def let_go(self):
        """The context has ended: forget the tensor and the context."""
        self.content = self.hook = None


cdef int pack_slot(Node n, int i, object value) except -1:
    """Hand what slot `i` saved, the Tensor (or list of Tensors) `value`, to the hooks."""
    cdef Saved* s
    cdef PyObject* before
    cdef int kind = n.saved[i].kind
    cdef object content
    if kind == SEVERAL:
        content = [(None if t is None else packed(n, t, False), at) for t, at in <list>n.saved[i].value]
    else:
        content = packed(n, value, kind == OUTPUT)
    if n.saved == NULL:                 # the hook has run the node, which let go of everything
        raise second_time(n)
    s = &n.saved[i]
    before = s.value
    if kind != SEVERAL:
        s.kind = PACKED
    n.packed = True
    Py_INCREF(content)
    s.value = <PyObject*>content
    let_go_of_version(n, s)
    Py_DECREF(<object>before)
    return 0


cdef Packed packed(Node n, Tensor t, bint own):
    """`t` as the innermost pair of hooks packs it."""
    cdef tuple pair = <tuple>state().saved_hooks
    cdef Packed k = Packed.__new__(Packed)
    cdef Tensor given
    k.own = own
    k.node = None if own else node_of(t)
    k.nr = t.nr
    k.shape = tuple(t.shape)
    k.dtype = (<ndarray>t.payload).dtype if type(t.payload) is ndarray else None
    k.level = t.level
    k.version = version_of(t)
    k.at = k.version.value
    if state().owners != NULL and not own and (tangent := later.tangent_of(t)) is not None:
        k.bearer = new_tensor(None)
        later.lend_tangent(k.bearer, tangent)
    k.hook = pair[1]
    if k.hook is None:
        k.hook = pair[0]
        k.kept = True
        k.content = t.payload
        pair[0]._keep(k)
        if k.version.keepers == NULL:
            keepers = weakref.WeakSet()
            Py_INCREF(keepers)
            k.version.keepers = <PyObject*>keepers
        (<object>k.version.keepers).add(k)
        return k
    given = stand_in(t)
    k.content = ask_pack(pair[0], given)
    if own:                             # it has been seen; see Note [Packed tensors]
        given.node = None
        given.nr = 0
        given.requires_grad_ = False
    return k


cdef Tensor stand_in(Tensor t):
    """What a pack hook receives for `t`: a leaf itself, and for any other tensor a second one.

    The history of the second one stays as it is when `t` is written to.
    """
    cdef Tensor other
    if t.node is None and t.requires_grad_ and t.view is None:
        return t
    other = new_tensor(t.payload)
    other.version = version_of(t)
    other.node = t.node
    other.nr = t.nr
    other.level = t.level
    other.requires_grad_ = t.requires_grad_
    return other


cdef object ask_pack(object pack, Tensor given):
    cdef State* st = state()
    cdef Version v = version_of(given)
    cdef long long before = v.value
    cdef int grad_off = st.grad_off
    st.grad_off = 1                     # what a hook computes is not recorded, and so not packed itself
    try:
        content = pack(given)
    finally:
        st.grad_off = grad_off
    if v.value != before:
        raise written_by_pack_hook(v)
    return content


cdef object opened(Node n, int i, object held):
    """The tensor that went into `held`, a Packed, with its history: see Note [Packed tensors]."""
    cdef Packed k = held
    cdef Tensor t, came
    if k.kept:
        if k.hook is None:
            raise context_has_ended(n)
        t = new_tensor(k.content)
        t.version = None if k.copied else k.version
        if not k.copied and k.version.value != k.at:            # changed by code that does not announce its writes
            raise modified(n, i, t, k.version, k.at)
    else:
        result = k.hook(k.content)
        if not isinstance(result, Tensor):
            raise not_unpacked(n, k, result)
        came = result
        if came.level != k.level or came.payload is None:
            what = ("without data" if came.payload is None else "of a transform (vmap, grad, jvp)" if came.level
                    else "from outside the transform")
            raise unlike(k, f"{what}, in place of one that {Node.name(n)} saved")
        if tuple(came.shape) != k.shape:
            raise unlike(k, f"of shape {list(came.shape)}, but the one that {Node.name(n)} saved has shape "
                            f"{list(k.shape)}")
        if came.version is k.version and k.version.value != k.at:
            raise modified(n, i, came, k.version, k.at)
        t = new_tensor(came.payload)
        t.version = version_of(came)
        if k.dtype is not None and type(t.payload) is ndarray and t.payload.dtype != k.dtype:
            if t.payload.dtype.kind != k.dtype.kind:
                raise unlike(k, f"of dtype {came.dtype}, but the one that {Node.name(n)} saved was "
                                f"{provided.dtype_of[k.dtype]}")
            t = new_tensor(t.payload.astype(k.dtype))      # packed in another precision
    t.level = n.level
    t.node = n if k.own else k.node
    t.nr = k.nr
    t.requires_grad_ = t.node is not None
    if k.own:
        lend_own_tangent(n, t)
    elif k.bearer is not None and k.bearer.tangent is not None:
        later.lend_tangent(t, k.bearer.tangent)
    return t


later.opened = opened


# ------------------------------------------------------------------------------ kept until it is written to

# Under allow_mutation_on_saved_tensors nothing is copied before a write makes it necessary.  So every write that counts
# on a Version looks at its `keepers` first: usually there are none, and this costs one comparison with NULL.

def announce_write(Tensor t not None):
    """The memory of ``t`` is about to change: saved tensors that share it are copied, and its tangent is zero."""
    if t.version is not None and t.version.keepers != NULL:
        before_write(t.version)
    if state().forward:
        later.overwritten(t)


cdef int before_write(Version v) except -1:
    """Copy the memory for all that keep it: it is about to change."""
    cdef Packed k
    keepers = <object>v.keepers
    Py_DECREF(keepers)
    v.keepers = NULL
    copies = {}
    for k in keepers:
        if k.hook is not None:                  # its context has not ended
            if id(k.content) not in copies:
                copies[id(k.content)] = k.content, k.content.copy("K")
            k.content = copies[id(k.content)][1]
            k.copied = True
            k.hook._copied(k)
    return 0


# ------------------------------------------------------------------------------ one slot, for users

# node._raw_saved_self is a handle to one slot: hooks can be given to that slot alone, after the node was recorded.

cdef object raw_slot(Node n, int i):
    """Slot `i` as a SavedTensor, or a tuple of them where it holds a list of tensors."""
    if not n.freed and n.saved != NULL and n.saved[i].kind == SEVERAL:
        return tuple([saved_tensor(n, i, k) for k in range(len(<list>n.saved[i].value))])
    return saved_tensor(n, i, -1)


cdef SavedTensor saved_tensor(Node n, int slot, int which):
    cdef SavedTensor raw = SavedTensor.__new__(SavedTensor)
    raw.node = n
    raw.slot = slot
    raw.which = which
    return raw


@cython.final
@cython.binding(False)
@cython.embedsignature(True)
cdef class SavedTensor:
    """A slot of a node, which can be given hooks of its own: ``node._raw_saved_self``.

    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x.clone().exp()
    >>> y.grad_fn._raw_saved_result.register_hooks(lambda t: t.tolist(), torch.tensor)
    >>> y.grad_fn._saved_result
    tensor([2.7183, 2.7183], grad_fn=<ExpBackward0>)
    """
    cdef Node node
    cdef int slot, which            # which of several; -1 where there is one

    def __init__(self):
        raise error("MG205", "a SavedTensor is an attribute of a node: y.grad_fn._raw_saved_self")

    def unpack(self):
        """The saved tensor, as ``node._saved_...`` shows it; None where nothing was saved."""
        value = shown_slot(self.node, self.slot)
        return value if self.which < 0 else value[self.which]

    def register_hooks(self, pack_hook, unpack_hook=None):
        """Replace what is saved by ``pack_hook(tensor)``; ``unpack_hook`` gives the tensor back when it is needed."""
        cdef Node n = self.node
        cdef Saved* s
        cdef object value, entry = None
        for hook in (pack_hook, unpack_hook):
            if not callable(hook):
                raise error("MG123", "register_hooks(): incompatible function arguments. It takes two hooks, "
                                     f"pack_hook and unpack_hook, and {type(hook).__name__} is not callable")
        if n.freed:
            raise already_freed()
        s = NULL if n.saved == NULL else &n.saved[self.slot]
        if s != NULL and s.kind == SEVERAL:
            entry = (<list>s.value)[self.which]
        if s == NULL or s.kind == NOTHING or s.kind == VALUE or (entry is not None and entry[0] is None):
            raise nothing_saved()
        if s.kind == PACKED or (entry is not None and isinstance(entry[0], Packed)):
            raise already_hooked()
        value = self.unpack()
        with _saved_hooks(pack_hook, unpack_hook):
            if entry is None:
                pack_slot(n, self.slot, value)
            else:
                content = packed(n, value, False)
                if n.saved == NULL:     # see pack_slot
                    raise second_time(n)
                (<list>n.saved[self.slot].value)[self.which] = (content, entry[1])
                n.packed = True


class _saved_hooks:
    """Inside the block the pair is in force."""

    def __init__(self, pack, unpack):
        self.pair = pack, unpack

    def __enter__(self):
        push_saved_hooks(*self.pair)

    def __exit__(self, kind, value, traceback):
        pop_saved_hooks()


# --------------------------------------------------------------- what a node keeps alive, without calling a hook

def held_by(Node n):
    """What ``n`` saved, without unpacking it: arrays, Tensors, and whatever pack hooks made of these."""
    cdef list found = []
    cdef int i
    for i in range(n.n_saved if n.saved != NULL else 0):
        if n.saved[i].kind == NOTHING or n.saved[i].kind == VALUE:      # a parameter, a shape
            continue
        value = in_slot(&n.saved[i])
        for x in [entry for entry, at in <list>value] if n.saved[i].kind == SEVERAL else [value]:
            found.append((<Packed>x).content if isinstance(x, Packed) else x)
    return found


# ------------------------------------------------------------------------------ what the errors say

cdef object written_by_pack_hook(Version v):
    return error("MG125", "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
                          "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
                          f"The write was at {written_at(v)}: work on a clone() there.")


cdef object context_has_ended(Node n):
    return error("MG124", "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the "
                          f"graph was originally recorded: what {Node.name(n)} saved was let go when the context "
                          "ended. Call backward() inside the with block.")


cdef object not_unpacked(Node n, Packed k, object result):
    return error("MG123", "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                          f"{type(result).__name__}: it must give back the tensor that {Node.name(n)} saved, from what "
                          f"the pack hook returned for it. See {located(k.hook)}.")


cdef object unlike(Packed k, str came):
    """The error for a tensor that is not the one that was packed."""
    return error("MG122", f"the saved tensor unpack_hook returned a tensor {came}: unpack_hook(pack_hook(x)) must be "
                          f"equal to x. See {located(k.hook)}.")


cdef object already_freed():
    return error("MG122", "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
                          "of the graph are freed when you call .backward() or autograd.grad(). Specify "
                          "retain_graph=True if you need to access them afterwards.")


cdef object nothing_saved():
    return error("MG122", "Calling register_hooks on a saved tensor with value None is forbidden: nothing was saved "
                          "here, because no formula needs it")


cdef object already_hooked():
    return error("MG122", "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
                          "pair of hooks is allowed at a time.")

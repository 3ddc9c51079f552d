"""Forward mode outside transforms: tensors that have tangents, while a dual level is open.

A dual number is a value together with its tangent, the rate at which it changes; differentials.pyx says how an
operation takes duals to duals.  This file says which tensor has a tangent, and how long: `carry` gives one to the
result of an operation, and `tangents_after` says which the target of a write in place will have.

Note [Tangents of views]
------------------------
A view has no tangent of its own: it is a part of the tangent of its base, as its history is a part of the base's
(Note [Views] in view_history.pyx)::

    x = zeros(4)            memory  [ 0  0  0  0 ]         tangent  none
    v, u = x[1:3], x[2:]
    v.copy_(dual)           memory  [ 0  a  b  0 ]         tangent  [ 0  a' b' 0 ]      belongs to x
                                         v  v                            v        v.tangent = [a' b']
                                            u  u                            u     u.tangent = [b' 0]

So a write through v need not look for u, and a view that was made before x had a tangent has one now.  The tensor that
owns the tangent is the base of the view, with one exception: what make_dual returns is a view as far as memory and
history are concerned, but owns its tangent (`View.dual`), and views of it are parts of that tangent.
"""

from minigrad._core.dispatch.compute cimport floating
from minigrad._core.dispatch.op cimport TENSORS, Op
from minigrad._core.dispatch.operands cimport Inputs, from_the_first, next_input
from minigrad._core.forward.differentials cimport fitted, refuse_tangents
from minigrad._core.forward.differentials import differential
from minigrad._core.graph cimport (OUTPUT, PACKED, Node, NodeHooks, Saved, Tensor, View, hooks_of, may_require,
                                   new_tensor, later)
from minigrad._core.graph.saved_tensor_hooks cimport Packed
from minigrad._core.graph.view_geometry cimport part_of_tensor, tensor_with_part
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport same_shape
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_C_CONTIGUOUS, NPY_FLOAT32, NPY_FLOAT64, NPY_KEEPORDER,
                                               PyArray_BASE, PyArray_CHKFLAGS, PyArray_TYPE, ndarray)
from minigrad._core.runtime.python_api cimport (PyObject, PyObject_GC_UnTrack, PySequence_Fast_ITEMS, Py_DECREF,
                                                Py_INCREF, given)
from minigrad._core.runtime.thread_state cimport State, state

cdef extern from "Python.h":
    object weakref_to "PyWeakref_NewRef"(object, PyObject*)


# ------------------------------------------------------------------------------ the dual level

# While the level is open, `State.forward` is 1, and operations look for tangents; it is 0 while these are computed.  A
# tangent lasts as long as the level, not as long as its tensor: so the level has a list of the tensors with tangents,
# and takes all tangents away when it is closed.

def enter():
    """Open the dual level of this thread."""
    cdef State* st = state()
    cdef list owners = []
    Py_INCREF(owners)
    st.owners = <PyObject*>owners
    st.forward = 1
    st.active += 1


def leave():
    """Close it: no tensor has a tangent any more."""
    cdef State* st = state()
    cdef list owners = <list>st.owners
    Py_DECREF(owners)
    st.owners = NULL
    st.forward = 0
    st.active -= 1
    for owner in owners:
        if type(owner) is NodeHooks:
            (<NodeHooks>owner).tangents = None
        else:
            t = owner()
            if t is not None:
                (<Tensor>t).tangent = None


cdef int owns(object owner) except -1:
    """Note that a tensor (by a weak reference), or the NodeHooks of a node, has a tangent until the level is closed."""
    if state().owners != NULL:
        (<list>state().owners).append(owner)
    return 0


def is_open():
    """True if a dual level is open and operations look at tangents."""
    return state().forward != 0


def level_is_open():
    """True if a dual level is open, even if operations do not look at tangents at the moment."""
    return state().owners != NULL


cdef class Dual:
    """A block in which the dual level is open: the C half of ``dual_level`` (autograd/forward_ad.py).

    ``_refuse`` raises if the level is open already, or is not open at the end.
    """

    def __enter__(self):
        if state().owners != NULL:
            self._refuse(True)
        enter()
        return 0

    def __exit__(self, kind, value, traceback):
        if state().owners == NULL:
            self._refuse(False)
        leave()


def is_usual(tensor, tangent):
    """Can ``tensor`` and ``tangent`` make a dual tensor, as they usually can?

    False where that needs a closer look: other than ordinary tensors, of one shape and of float32 or float64, without
    tangents, or of an array in which elements may share memory.
    """
    cdef ndarray a, b
    if state().owners == NULL or not isinstance(tensor, Tensor) or not isinstance(tangent, Tensor):
        return False
    if type((<Tensor>tensor).payload) is not ndarray or type((<Tensor>tangent).payload) is not ndarray:
        return False
    a, b = (<Tensor>tensor).payload, (<Tensor>tangent).payload
    return (PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) and same_shape(a, b)
            and (PyArray_TYPE(a) == NPY_FLOAT32 or PyArray_TYPE(a) == NPY_FLOAT64)
            and (PyArray_TYPE(b) == NPY_FLOAT32 or PyArray_TYPE(b) == NPY_FLOAT64)
            and tangent_of(<Tensor>tensor) is None and tangent_of(<Tensor>tangent) is None)


class paused:
    """Within the block operations do not look at tangents."""

    def __enter__(self):
        self.before = state().forward
        state().forward = 0

    def __exit__(self, kind, value, traceback):
        state().forward = self.before


# ------------------------------------------------------------------------------ the tangent of a tensor

cdef Tensor owner_of(Tensor t):
    """The tensor that owns the tangent of `t`, or of which that is a part: Note [Tangents of views]."""
    cdef View v
    if t.view is None:
        return t
    v = <View>t.view
    if v.dual == 1:
        return t
    return v.base if v.owner is None else <Tensor>v.owner


cpdef object tangent_of(Tensor t):
    """The tangent of a tensor outside transforms, or None."""
    given(t)
    cdef Tensor owner
    if t.level:
        return None
    owner = owner_of(t)
    if owner.tangent is None or owner is t:
        return owner.tangent
    if not floating(<ndarray>t.payload):
        return None
    return part_of_tensor(owner.tangent, t.payload, owner.payload)


cdef object tangent_here(Tensor t):
    return tangent_of(t)


cdef int lend_tangent(Tensor t, object tangent) except -1:
    set_tangent(t, tangent)
    return 0


later.tangent_of = tangent_here
later.lend_tangent = lend_tangent


def set_tangent(Tensor t not None, tangent):
    """``t``, which owns its tangent, gets ``tangent``; None takes away the one that it has."""
    if tangent is not None:
        owns(untracked_reference(t))        # first: what nobody knows of would outlive the level
    t.tangent = tangent


cdef object untracked_reference(Tensor t):
    """A weak reference, which no cycle goes through: there may be one for each operation of a long computation."""
    cdef object reference = weakref_to(t, NULL)
    PyObject_GC_UnTrack(<PyObject*>reference)
    return reference


def make_owner(Tensor dual not None, tangent):
    """``dual``, an alias of a tensor, gets a tangent of its own."""
    if dual.view is not None:
        (<View>dual.view).dual = 1
    set_tangent(dual, tangent)


cpdef int put_tangent(Tensor target, object tangent) except -1:
    """`target`, and so the part of memory that it shows, gets `tangent`."""
    given(target)
    set_tangent(owner_of(target), tangent_with(target, tangent))
    return 0


cdef object tangent_with(Tensor target, object tangent):
    """The tangent of the tensor that owns that of `target`, once this is `tangent`."""
    cdef Tensor owner = owner_of(target)
    if owner is target:
        return tangent
    whole = words.zeros_of(owner) if owner.tangent is None else owner.tangent
    return tensor_with_part(whole, tangent, target.payload, owner.payload)


# ------------------------------------------------------------------------------ after an operation

cdef list tangents_of(Op op, list args):
    """An entry for each parameter, as `differential` takes them; None if no argument has a tangent."""
    cdef list tangents = [None] * op.n_params
    cdef bint found = False
    cdef Inputs w = from_the_first()
    while next_input(&w, op, PySequence_Fast_ITEMS(args)):
        t = None if w.tensor == NULL else tangent_of(<Tensor>w.tensor)
        if t is None:
            continue
        found = True
        if op.type_of[w.i] != TENSORS:
            tangents[w.i] = t
        else:
            if tangents[w.i] is None:
                tangents[w.i] = [None] * w.many
            (<list>tangents[w.i])[w.k] = t
    return tangents if found else None


cdef int carry(object op_, list args, object out) except -1:
    """After `out = op(*args)`: give `out` the tangent that follows from those of the arguments."""
    cdef State* st = state()
    cdef Op op = <Op>op_
    cdef Tensor t
    cdef list tangents
    if st.inference:
        return 0
    tangents = tangents_of(op, args)
    if tangents is None:
        return 0
    several = isinstance(out, tuple)
    if several and not out:
        return 0                    # the pieces of an empty dim
    if (<Tensor>(out[0] if several else out)).view is not None and op.is_view:
        return 0                    # its tangent is a part of that of its base
    st.forward = 0
    try:
        answer = differential(op, args, tangents, out)
        if not several:
            answer = separate(answer, tangents)
        elif answer is not None:
            answer = [separate(tangent, tangents) for tangent in answer]
    finally:
        st.forward = 1
    for k, t in enumerate(out if several else (out,)):
        if not floating(<ndarray>t.payload):
            continue
        tangent = None if answer is None else answer[k] if several else answer
        if tangent is None and op.recorded:
            tangent = words.zeros_of(t)
        if tangent is not None:
            set_tangent(t, tangent)
            if t.node is not None:
                remember(<Node>t.node, t.nr, tangent)
    return 0


cdef object separate(object tangent, list tangents):
    """The tangent in memory of its own, although it may be one of those that were given, or a view of one.

    That of ``x + 1`` is that of ``x``, and who writes to the one must not change the other.
    """
    cdef Tensor t
    if tangent is None or not shares_memory(memory_of(<Tensor>tangent), tangents):
        return tangent
    t = <Tensor>tangent
    if type(t.payload) is not ndarray or t.requires_grad_ or t.view is not None:
        return words.clone(t)
    return new_tensor(new_copy(<ndarray>t.payload, NPY_KEEPORDER))


cdef bint shares_memory(PyObject* owner, list tangents) noexcept:
    """Does one of the tangents, of which some may be in lists, have memory of this owner?"""
    for t in tangents:
        if isinstance(t, list) and shares_memory(owner, <list>t):
            return True
        if isinstance(t, Tensor) and memory_of(<Tensor>t) == owner:
            return True
    return False


cdef inline PyObject* memory_of(Tensor t) noexcept:
    """The object that owns the memory of a tensor."""
    cdef PyObject* owner = <PyObject*>t.payload
    while type(<object>owner) is ndarray and PyArray_BASE(<ndarray>owner) != NULL:
        owner = PyArray_BASE(<ndarray>owner)
    return owner


cpdef int remember(Node n, int nr, object tangent) except -1:
    """A node that saved its own output also keeps the tangent of it, for a backward pass within the dual level."""
    given(n)
    cdef int k
    for k in range(n.n_saved):
        if holds_output(&n.saved[k], nr):
            h = hooks_of(n)
            if h.tangents is None:
                owns(h)
                h.tangents = {}
            h.tangents[nr] = tangent
    return 0


cdef inline bint holds_output(Saved* s, int nr) noexcept:
    """Is output `nr` in this slot, or in the hands of hooks?"""
    return (s.kind == OUTPUT and s.nr == nr
            or s.kind == PACKED and (<Packed>s.value).own and (<Packed>s.value).nr == nr)


later.carry = carry


# ------------------------------------------------------------------------------ writes

# Where a tangent cannot be computed, perhaps for want of memory, the target must stay as it was.  So that comes before
# the write, and is done from what the target will hold (`as_written` in write.pyx); after it one pointer is set.  The
# tangent may have a history of its own, which needs the old values of the target: so it is computed from copies.

cdef tuple before_writing(Op op, list args, bint recorded):
    """The arguments and tangents from before a write to args[0], for `tangents_after`; None if there is no tangent."""
    cdef State* st = state()
    cdef Tensor target = <Tensor>args[0]
    cdef list tangents
    if st.inference or not floating(<ndarray>target.payload):
        return None
    tangents = tangents_of(op, args)
    if tangents is None:
        return None
    refuse_tangents(op, tangents, True)
    if not recorded and not have_history(tangents):
        return args, tangents
    st.forward = 0
    try:
        return [unchanged(x, target) for x in args], tangents
    finally:
        st.forward = 1


cdef bint have_history(list tangents) except -1:
    """Does any of the tangents, of which some may be in lists, require grad?"""
    for t in tangents:
        if isinstance(t, list) and have_history(<list>t) or isinstance(t, Tensor) and may_require(<Tensor>t):
            return True
    return False


cdef object unchanged(object x, Tensor target):
    """The argument `x` as it is now: a copy, if a write to `target` would change it."""
    cdef Tensor t
    if isinstance(x, list):
        return [unchanged(y, target) for y in x]
    if not isinstance(x, Tensor):
        return x
    t = <Tensor>x
    return words.clone(t) if t is target or (t.version is not None and t.version is target.version) else t


cdef tuple tangents_after(Op op, tuple before, Tensor target, Tensor written):
    """The tangents of `target`, and of the tensor that owns its tangent, once it holds what `written` does."""
    cdef object tangent, whole
    cdef State* st = state()
    args, tangents = before
    st.forward = 0
    try:
        tangent = differential(op, args, tangents, written)
        tangent = words.zeros_of(target) if tangent is None else fitted(tangent, target)
        if tangent is not tangents[0]:          # which it may keep
            tangent = separate(tangent, tangents)
        if written.node is not None:
            remember(<Node>written.node, 0, tangent)
        whole = tangent_with(target, tangent)
        owns(untracked_reference(owner_of(target)))
    finally:
        st.forward = 1
    return tangent, whole


cdef int overwritten(Tensor target) except -1:
    """`target` is filled with numbers: its tangent, if it has one, is zero there."""
    cdef State* st = state()
    if not st.inference and tangent_of(target) is not None:
        st.forward = 0
        try:
            put_tangent(target, words.zeros_of(target))
        finally:
            st.forward = 1
    return 0


later.overwritten = overwritten

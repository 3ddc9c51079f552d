"""Views and the history of what they share: what a write through one of them does to the graph.

The write itself is in write.pyx, and the backward of the node that it gets here, a CopySlices, is `by_write` in
all_gradients.pyx.

Note [Views]
------------
A base and its views lie in one memory, so a write to one changes them all::

    x = a * 1           base x    [ . . . . ]      x.grad_fn   MulBackward0
    v = x[1:3]          view v      [ . . ]        v.grad_fn   SliceBackward0 -> MulBackward0
    u = x[2:]           view u        [ . . ]      u.grad_fn   SliceBackward0 -> MulBackward0
    v.mul_(w)           writes      [ # # ]        and now all three histories are wrong

The history belongs to the memory, that is to the base, and views get theirs from the base.  Two things follow.

*Rebase*: the base gets a new grad_fn, a CopySlices.  In the backward pass it cuts the gradient of the base in two:
the part of the view goes through the node of the write (its `inner` node), the rest passes by::

    gradient of x   [ g0    g1      g2    g3 ]
                             |       |              through MulBackward0, the inner node, which
                             v       v              also sends  v_old * [g1 g2]  to w
                    [ g0  w1*g1   w2*g2   g3 ]  ->  MulBackward0, what x.grad_fn was before

*Catch up*: a view remembers for which version its grad_fn was right (`View.at`).  The write moved the version.
When v or u is next used, the two numbers differ, and it gets a new grad_fn that reads it out of the base as
that is now, AsStridedBackward0 -> CopySlices.  Nothing is done for views that are not used any more.

A view of a view has the same base, so one rebase is always enough.  A base that did not require grad does after such a
write, if w does, and so do all its views: they catch up.  They also do when the base is told to require grad by
requires_grad_() (in PyTorch the gradient of such a view is lost).  Where a view lies in its base is computed from
the two arrays (addresses and strides), not by applying the ops again: so it is right even after the base was
transposed in place.

A view made under no_grad, by an op with several outputs (split, unbind), or inside a custom Function cannot catch
up (`View.made_in` says which): PyTorch refuses, and so do we, as soon as its grad_fn is needed.
"""

cimport cython

from minigrad._core.errors.refusals import ambiguous_view, fixed_view, function_of
from minigrad._core.graph cimport (BY_BASE, Node, Tensor, View, allocate, later, next_seq, publish, set_edge)
from minigrad._core.graph.deallocation cimport bury, drain
from minigrad._core.graph.hook_lists cimport note_origin, replace_history
from minigrad._core.graph.view_geometry cimport (counted, first_element, in_units, mask_at, out_of_units,
                                                 placement_of, shows, whole_of, with_at)
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport NPY_ARRAY_C_CONTIGUOUS, PyArray_CHKFLAGS, ndarray
from minigrad._core.runtime.python_api cimport PyObject, Py_INCREF
from minigrad._core.runtime.thread_state cimport ANOMALY, State, state, switch_inference


# ------------------------------------------------------------------------------ catching up

cdef int catch_up(Tensor t) except -1:
    """Give a view whose memory was written to since the history that it has now; see Note [Views]."""
    cdef View v = <View>t.view
    cdef Tensor base = v.base
    cdef State* st
    cdef int grad_off, inference
    cdef Tensor again

    # No history for the base, so none for the view.
    if not base.requires_grad_:
        if t.requires_grad_ == BY_BASE:
            t.requires_grad_ = False
        elif t.node is not None and v.at != t.version.value:    # base.detach_(), and then a write
            t.node = None
            t.nr = 0
            t.requires_grad_ = False
            v.at = t.version.value
        return 0

    # Nothing was written since: done, unless the base has begun to require grad.
    if v.at == t.version.value:
        if t.node is not None or t.requires_grad_ == 1:
            return 0
        if v.made_in and v.made_in != "several":
            t.requires_grad_ = BY_BASE
            return 0
    elif v.made_in:
        raise cannot_follow(t, v, "its base or another view of its base has been modified inplace")

    # Read the view out of the base as it is now, recording that in any mode, and take over the history.
    st = state()
    grad_off, inference = st.grad_off, st.inference
    st.grad_off = 0
    switch_inference(st, False)
    try:
        # In a transform there is no memory to look at, but the steps that made the view.
        again = read_anew(t, base) if isinstance(base.payload, ndarray) else later.replayed(t, base)
    finally:
        st.grad_off = grad_off
        switch_inference(st, inference)
    v.at = t.version.value
    replace_history(t, <Node>again.node, again.nr)
    return 0


cdef Tensor read_anew(Tensor t, Tensor base):
    """A tensor like `t`, recorded as a part of the base as that is now."""
    cdef ndarray a = base.payload
    cdef tuple placement = placement_of(t.payload, a, not base.holes_have_history, "reading a view")
    cdef Py_ssize_t start
    # as_strided counts in elements: in real ones if the view shows the parts of complex numbers (view_geometry.pyx).
    unit, inner, outer = counted(placement, whole_of(a))
    start = first_element(a, unit)
    part = words.as_strided(in_units(base, a.dtype, unit), inner[0], inner[1], start + inner[2], outer[1], start)
    return out_of_units(part, placement[3], unit)


cdef object cannot_follow(Tensor t, View v, str what, str operation=""):
    """The error for a view that would have to catch up and cannot; `what` happened to it, by which `operation`."""
    if v.made_in == "no_grad" or v.made_in == "inference":
        through = "" if t.node is None else f"{t.nr} of {function_of(Node.name(publish(<Node>t.node)))}"
        return ambiguous_view(what, operation, v.made_in, through)
    made_by = "the function" if t.node is None else Node.name(publish(<Node>t.node))
    several = v.made_in == "several" or t.node is not None and (<Node>t.node).n_outputs > 1
    return fixed_view(t.nr, made_by, several, what, operation)


later.catch_up = catch_up


# ------------------------------------------------------------------------------ rebase

@cython.binding(False)
@cython.embedsignature(True)
cdef class CopySlices(Node):
    def __dealloc__(self):
        cdef PyObject* inner = self.inner
        self.inner = NULL
        if inner != NULL:
            bury(inner)                 # Note [Freeing without recursion] in deallocation.pyx
            drain()

    def name(self):
        return "torch::autograd::CopySlices"

    def __repr__(self):
        return f"<CopySlices object at 0x{<size_t><PyObject*>self:x}>"

    @property
    def _inner(self):
        """The node of the write itself."""
        return publish(<Node>self.inner)


cdef object with_part(CopySlices c, object g, object new):
    """The gradient `g` of the base with `new` where the view lies; on Tensors, recorded."""
    if c.mask is None:
        c.mask = mask_at(c.part, c.base, g)
    return with_at(c.part, c.base, g, new, c.mask)


cdef int rebase(Tensor t, Node n, int which) except -1:
    """The view `t` was, or is about to be, written to by the operation that `n` recorded: its base gets a CopySlices.

    Edge `which` of `n` leads to the old value of `t`.  The CopySlices has the edges of `n`, but for this one: there it
    leads to the old value of the base.
    """
    cdef Tensor base = (<View>t.view).base
    cdef CopySlices c = CopySlices.__new__(CopySlices)
    cdef ndarray a = base.payload
    cdef int i
    c.part = placement_of(t.payload, a, not base.holes_have_history, "a write through a view")
    if not (PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) or shows(a, t.payload)):
        base.holes_have_history = True
    c.base = whole_of(a)
    c.seq = next_seq()
    c.n_outputs = 1
    c.level = n.level
    c.which = which
    Py_INCREF(n)
    c.inner = <PyObject*>n
    allocate(c, n.n_edges, 0)
    for i in range(n.n_edges):
        if i == which:
            set_edge(c, i, base)
        elif n.edges[i].node != NULL:
            Py_INCREF(<object>n.edges[i].node)
            c.edges[i] = n.edges[i]
    if state().anomaly & ANOMALY:
        note_origin(c)
    replace_history(base, c, 0)
    return 0


def rebase_in_function(Tensor t not None, Node n not None, int nr, int which):
    """``t``, modified in place by the forward of the custom Function ``n``, becomes output ``nr`` of it.

    It was its tensor argument ``which``.
    """
    if t.view is None:
        replace_history(t, n, nr)
    else:
        rebase(t, n, which)


# ------------------------------------------------------------------------------ holes

# Note [Holes]
# ------------
# A base may leave out some of the memory between its ends, and as_strided can make a view that shows it:
#
#     memory   [ a   b   c   d   e ]
#     base       a       c       e         base = torch.ones(5)[::2].detach()
#     view       a   b   c                 view = base.as_strided((3,), (1,))
#
# The history of the base says nothing of what lies in the holes, so it counts as a constant.  That is right until it
# gets a history: when it is written to through a view (view.mul_(w)), or when a base that has a history is cut down by
# as_strided_, and b becomes a hole.  From then on (`holes_have_history`) a view that shows holes can neither
# catch up nor be written to: its gradient would be lost.

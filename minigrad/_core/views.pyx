"""Views and the history of what they share: what a write through one of them does to the graph.

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
up: PyTorch refuses, and so do we, as soon as its grad_fn is needed.
"""

cimport cython
from cpython.ref cimport PyObject, Py_INCREF
from numpy cimport NPY_ARRAY_C_CONTIGUOUS, PyArray_CHKFLAGS, PyArray_DATA, import_array, ndarray

import numpy as np

from minigrad._core.errors import error
from minigrad._core.modes cimport ANOMALY, State, state
from minigrad._core.graph cimport (BY_BASE, Node, Tensor, View, allocate, new_tensor, next_seq, publish,
                                   set_edge, upward)
from minigrad._core.hooked cimport note_origin, replace_history
from minigrad._core.lifetimes cimport bury, drain
from minigrad._core.vocabulary cimport words

import_array()


# ------------------------------------------------------------------------------ where a view lies

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
# as_strided_, and b becomes a hole.  From then on (`forgot` of the base is set) a view that shows holes can neither
# catch up nor be written to: its gradient would be lost.


cdef tuple geometry_of(ndarray part, ndarray base, bint holes, object what):
    """Where `part` lies in the memory of `base`: shape, strides, offset (in bytes) and dtype.

    With `holes` it may show holes of the base; `what` begins the error if it may not.
    """
    cdef Py_ssize_t offset = <char*>PyArray_DATA(part) - <char*>PyArray_DATA(base)
    cdef Py_ssize_t end = extent(base)
    if not lies_within(part, base, offset, end) or not (holes or is_shown(part, base, offset, end)):
        raise outside(what)
    return (<object>part).shape, (<object>part).strides, offset, part.dtype


cdef object outside(object what):
    return error("MG116", f"{what}: this view lies outside its base. The base was given other memory (by .data =, "
                          "set_ or resize_), or shows less of its own (by as_strided_), since the view was made; or "
                          "the view shows what lies between the elements of its base, and that was written to. Make "
                          "the view anew, of a tensor that shows all of it.")


cdef bint shows(ndarray base, ndarray part) except -1:
    """Is each element of `part` one of `base`?"""
    cdef Py_ssize_t offset = <char*>PyArray_DATA(part) - <char*>PyArray_DATA(base)
    cdef Py_ssize_t end = extent(base)
    return lies_within(part, base, offset, end) and is_shown(part, base, offset, end)


cdef bint lies_within(ndarray part, ndarray base, Py_ssize_t offset, Py_ssize_t end) except -1:
    """Does `part`, which begins at `offset`, lie between the two ends of `base`?"""
    return part.size == 0 or (base.size != 0 and offset >= 0 and offset + extent(part) <= end)


cdef bint is_shown(ndarray part, ndarray base, Py_ssize_t offset, Py_ssize_t end) except -1:
    """Is each byte of `part`, which lies within `base`, one of `base`?  Some between its ends may be left out."""
    cdef Py_ssize_t shown = base.dtype.itemsize
    if not part.size or PyArray_CHKFLAGS(base, NPY_ARRAY_C_CONTIGUOUS):
        return True
    for n, step in zip((<object>base).shape, (<object>base).strides):
        shown *= n if step else 1
    if shown == end:
        return True                 # it lies densely, however its dims are permuted
    memory = np.zeros(end, bool)
    base_bytes = (<object>base).shape + (base.dtype.itemsize,), (<object>base).strides + (1,)
    part_bytes = (<object>part).shape + (part.dtype.itemsize,), (<object>part).strides + (1,)
    np.ndarray(base_bytes[0], bool, memory, 0, base_bytes[1])[...] = True
    return bool(np.ndarray(part_bytes[0], bool, memory, offset, part_bytes[1]).all())


def address(ndarray a):
    """Where the first element of ``a`` is in memory."""
    return <size_t>PyArray_DATA(a)


cdef Py_ssize_t extent(ndarray a) except -1:
    """How many bytes there are from the first element to the end of the last."""
    cdef Py_ssize_t end = a.dtype.itemsize
    for n, step in zip((<object>a).shape, (<object>a).strides):
        end += (n - 1) * step
    return end


cdef tuple whole_of(ndarray base):
    """The geometry of a base in itself."""
    return (<object>base).shape, (<object>base).strides, 0, base.dtype


# The ops that read a part and put it back count in elements.  A view and its base may have different dtypes, as x.real
# and x: then both are counted in that of the parts, and a complex number is a pair of those.

cdef tuple counted(tuple geometry, tuple base):
    """(the dtype in which both can be counted, the geometry and the base counted in it)"""
    part, whole = geometry[3], base[3]
    unit = part if whole.kind == "c" and part.kind != "c" else whole
    return unit, in_elements(geometry, unit), in_elements(base, unit)


cdef tuple in_elements(tuple geometry, object unit):
    """Shape, strides and offset in elements of dtype `unit`; one dim more, of size two, for complex numbers."""
    cdef Py_ssize_t size = unit.itemsize
    shape, strides, offset, dtype = geometry
    strides = tuple([s // size for s in strides])
    if dtype != unit:
        return shape + (2,), strides + (1,), offset // size
    return shape, strides, offset // size


cdef object in_units(object x, object dtype, object unit):
    """A Tensor of `dtype` as one of `unit`."""
    return x if dtype == unit else words.view_as_real(x)


cdef object out_of_units(object x, object dtype, object unit):
    """And back."""
    return x if dtype == unit else words.view_as_complex(x)


# ------------------------------------------------------------------------------ catching up

cdef object _replayed               # `read_anew` for tensors of a transform, where there is no memory to look at


def register_replay(function):
    """``function(view, base)``: the view, recorded anew as a part of its base, which are tensors of a transform."""
    global _replayed
    _replayed = function


cdef int catch_up(Tensor t) except -1:
    """Give a view whose memory was written to since the history that it has now; see Note [Views]."""
    cdef View v = <View>t.view
    cdef Tensor base = v.base
    cdef State* st
    cdef int grad_off
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
        raise error("MG116", cannot_follow(t, v, "its base or another view of its base has been modified inplace"))

    # Read the view out of the base as it is now, and take over the history of that.
    st = state()
    grad_off = st.grad_off
    st.grad_off = 0
    try:
        again = read_anew(t, base) if type(base.payload) is ndarray else _replayed(t, base)
    finally:
        st.grad_off = grad_off
    v.at = t.version.value
    replace_history(t, <Node>again.node, again.nr)
    return 0


cdef Tensor read_anew(Tensor t, Tensor base):
    """A tensor like `t`, recorded as a part of the base as that is now."""
    cdef ndarray a = base.payload
    cdef tuple geometry = geometry_of(t.payload, a, not base.forgot, "reading a view")
    cdef Py_ssize_t start
    unit, inner, outer = counted(geometry, whole_of(a))
    start = first_element(a, unit)
    part = words.as_strided(in_units(base, a.dtype, unit), inner[0], inner[1], start + inner[2], outer[1], start)
    return out_of_units(part, geometry[3], unit)


cdef Py_ssize_t first_element(ndarray a, object unit) except -1:
    """The number of the first element of `a` in the memory that owns it."""
    owner = a
    while isinstance(owner.base, ndarray):
        owner = owner.base
    return (<char*>PyArray_DATA(a) - <char*>PyArray_DATA(<ndarray>owner)) // <Py_ssize_t>unit.itemsize


cdef str cannot_follow(Tensor t, View v, str what, str operation=""):
    """The message, in PyTorch's words, where a view that cannot catch up would have to; `what` happened to it."""
    if v.made_in == "no_grad":
        return (f"A view was created in no_grad mode and {what} with grad mode enabled{operation}. Given that this use "
                "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
                "view and the inplace either both inside the no_grad block (if you don't want the inplace to be "
                "tracked) or both outside (if you want the inplace to be tracked).")
    made_by = "the function" if t.node is None else Node.name(publish(<Node>t.node))
    if v.made_in == "several":
        origin = ("This view is the output of a function that returns multiple views. Such functions do not allow the "
                  "output views to be modified inplace.")
    else:
        origin = ("This view was created inside a custom Function (or because an input was returned as-is) and the "
                  "autograd logic to handle view+inplace would override the custom backward associated with it.")
    return (f"Output {t.nr} of {made_by} is a view and {what}{operation}. {origin} "
            "You should replace the inplace operation by an out-of-place one.")


upward.catch_up = catch_up


# ------------------------------------------------------------------------------ rebase

@cython.binding(False)
@cython.embedsignature(True)
cdef class CopySlices(Node):
    def __dealloc__(self):
        cdef PyObject* inner = self.inner
        self.inner = NULL
        if inner != NULL:
            bury(inner)
            drain()

    def name(self):
        return "torch::autograd::CopySlices"

    def __repr__(self):
        return f"<CopySlices object at 0x{<size_t><PyObject*>self:x}>"

    @property
    def _inner(self):
        """The node of the write itself."""
        return publish(<Node>self.inner)


cdef int rebase(Tensor t, Node n, int which) except -1:
    """The view `t` was, or is about to be, written to by the operation that `n` recorded: its base gets a CopySlices.

    Edge `which` of `n` leads to the old value of `t`.  The CopySlices has the edges of `n`, but for this one: there it
    leads to the old value of the base.
    """
    cdef Tensor base = (<View>t.view).base
    cdef CopySlices c = CopySlices.__new__(CopySlices)
    cdef ndarray a = base.payload
    cdef int i
    c.part = geometry_of(t.payload, a, not base.forgot, "a write through a view")
    if not (PyArray_CHKFLAGS(a, NPY_ARRAY_C_CONTIGUOUS) or shows(a, t.payload)):
        base.forgot = True
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


# ------------------------------------------------------------------------------ the gradient of a part

# How calling.pyx runs a CopySlices, on arrays (`room_like_base`, `part_of`) and on Tensors (`read_part`, `with_part`).
# A geometry is what `geometry_of` returns.

cdef object room_like_base(CopySlices c, object g):
    """The gradient `g` of the base, copied to where the base's geometry holds; on arrays."""
    shape, strides, _, dtype = c.base
    room = np.empty(shape, dtype)
    if room.strides != strides and room.size:
        end = dtype.itemsize + sum([(n - 1) * step for n, step in zip(shape, strides)])
        memory = np.zeros(end, np.uint8)        # zeros, since the view may show what lies between
        room = np.ndarray(shape, dtype, memory, 0, strides)
    np.copyto(room, g, casting="unsafe")
    return room


cdef object part_of(CopySlices c, object array):
    """The part of `array`, which has the base's geometry, where the view lies."""
    shape, strides, offset, dtype = c.part
    if not array.size:
        return np.empty(shape, dtype)
    memory = array.reshape(-1).view(np.uint8) if array.flags.c_contiguous else array.base
    return np.ndarray(shape, dtype, memory, offset, strides)


cdef object read_part(CopySlices c, object g):
    """The gradient of the view out of that of the base; on Tensors, recorded."""
    return read_at(c.part, c.base, g)


cdef object with_part(CopySlices c, object g, object new):
    """The gradient `g` of the base with `new` where the view lies; on Tensors, recorded."""
    if c.mask is None:
        c.mask = mask_at(c.part, c.base)
    return with_at(c.part, c.base, g, new, c.mask)


cdef object read_at(tuple geometry, tuple base, object whole):
    """The part with this geometry of a Tensor that has the shape of the base, however it lies in memory."""
    unit, inner, outer = counted(geometry, base)
    part = words.as_strided_copy(in_units(whole, base[3], unit), inner[0], inner[1], inner[2], outer[1], 0)
    return out_of_units(part, geometry[3], unit)


cdef object mask_at(tuple geometry, tuple base):
    """Where in the base the part lies, as a bool Tensor."""
    _, inner, outer = counted(geometry, base)
    return spread(new_tensor(np.ones(inner[0])), inner, outer) != 0


cdef object with_at(tuple geometry, tuple base, object whole, object new, object mask):
    """`whole` with `new` where this geometry says."""
    unit, inner, outer = counted(geometry, base)
    placed = spread(in_units(new, geometry[3], unit), inner, outer)
    return out_of_units(words.where(mask, placed, in_units(whole, base[3], unit)), base[3], unit)


cdef object spread(object part, tuple inner, tuple outer):
    """Zeros of the geometry `outer` with `part` in them."""
    return words.as_strided_backward(part, outer[0], inner[0], inner[1], inner[2], outer[1], 0)


# ------------------------------------------------------------------------------ the tangent of a part

cdef object part_of_tensor(object whole, ndarray part, ndarray base):
    """Of `whole`, a Tensor of the shape of `base`, the part that the view `part` shows of `base`."""
    return read_at(geometry_of(part, base, False, "the tangent of a view"), whole_of(base), whole)


cdef object tensor_with_part(object whole, object new, ndarray part, ndarray base):
    """`whole` with `new` where the view `part` lies in `base`."""
    cdef tuple geometry = geometry_of(part, base, False, "the tangent of a view")
    return with_at(geometry, whole_of(base), whole, new, mask_at(geometry, whole_of(base)))

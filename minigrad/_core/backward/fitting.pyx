"""Fitting: a gradient, in the shape and dtype of the input that it is for.

The input of an operation may have been broadcast, promoted, or made complex on its way in.  Its gradient must go the
same way back.  That is done at the edge, in one place for all operations, so that formulas need not do it::

    x of shape (3,), float32           x * y, of shape (2, 3), complex64

    gradient of x, as the formula of mul gives it       (2, 3), complex64
      summed over what was broadcast                    (3,),   complex64
      made real                                         (3,),   float32

An edge that needs this has a `Meta`, the shape and dtype of its input (graph.pxd; `link` in call.pyx decides).  Most
have none: the input had the dtype of the output, and its shape too if the op is elementwise.  Then only the dtype of
the gradient is checked (`cast_like`), since a formula may have computed in another one.  `fit`, `meta_of` and
`cast_like` are in ``fitting.pxd``, where C can inline them.

The rest is here twice: for Tensors, where the sum and the cast are operations that may be recorded, and for arrays,
which flow in a plain pass.  That is all of the pass.  What a write does to the graph comes next, in view_history.pyx,
the last file of the story.
"""


import numpy as np

from minigrad._core.backward.pass_state cimport Pass
from minigrad._core.errors.refusals import smaller_than_its_input
from minigrad._core.graph cimport Meta, Node, Tensor, TensorHooks
from minigrad._core.graph.listener cimport OP
from minigrad._core.kernels.loops.copies cimport in_dtype
from minigrad._core.kernels.reductions.array_sums cimport sum_of, sum_rows, total
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_DescrFromType, PyArray_NDIM, PyArray_TYPE, ndarray
from minigrad._core.runtime.provided cimport provided


# ------------------------------------------------------------------------------ to the dtype of a leaf's gradient

# A leaf may ask for gradients of another dtype than its own, by .grad_dtype. Each then comes to it in the dtype that it
# was computed in, and their sum is cast in one step (`in_grad_dtype` in hooks.pyx).

cdef inline bint leaf_casts(Node n, int e) noexcept:
    """Does edge `e` lead to such a leaf?"""
    cdef Node to
    if n.edges[e].node == NULL:
        return False
    to = <Node>n.edges[e].node
    return (to.accumulates and (<Tensor>to.op).hooks is not None
            and (<TensorHooks>(<Tensor>to.op).hooks).casts)


cdef object dtype_along(object own, object dtype, Node n, int e):
    """The dtype in which a gradient goes along edge `e`: that of the input, `dtype`, or its `own`."""
    return own if own.is_complex == dtype.is_complex and leaf_casts(n, e) else dtype


cdef ndarray cast_along(ndarray a, int type_num, Node n, int e):
    """An array in that dtype."""
    if leaf_casts(n, e) and (a.dtype.kind == "c") == (PyArray_DescrFromType(type_num).kind == "c"):
        return a
    return cast(a, type_num)


# ------------------------------------------------------------------------------ Tensors

cdef object fit_tensor(object g, tuple shape, object dtype):
    """A Tensor summed to `shape`, if that is not None, and cast to `dtype`."""
    cdef object own = g.dtype
    if own is not dtype and own.is_complex and not dtype.is_complex:
        g = words.real(g)
        own = g.dtype
    if shape is not None and tuple(g.shape) != shape:
        g = words.sum_to(g, shape)
    return g if own is dtype else words.to_dtype(g, dtype)


cdef object fit_to_edge(object g, Node n, int e):
    """The same as `fit_tensor`, with shape and dtype from the Meta of an edge."""
    cdef Meta* m = meta_of(n, e)
    cdef tuple shape = shape_of(m)
    if tuple(g.shape) != shape and not is_larger(tuple(g.shape), shape):
        raise too_small(tuple(g.shape), shape, n, e)
    return fit_tensor(g, shape, dtype_along(g.dtype, provided.dtype_of[PyArray_DescrFromType(m.type_num)], n, e))


# ------------------------------------------------------------------------------ arrays

# A plain pass does this for every bias and every number that was broadcast. So the commonest cases, the sum of all
# elements and that over the leading dim, have kernels of their own, and NumPy does the rest.

cdef ndarray fit_array(Pass p, ndarray g, Node n, int e):
    """An array summed to the shape and cast to the dtype that an edge asks for."""
    cdef Meta* m = meta_of(n, e)
    cdef int lead = PyArray_NDIM(g) - m.ndim, i
    cdef bint same = lead == 0
    for i in range(m.ndim):
        if lead < 0 or PyArray_DIMS(g)[lead + i] != m.dims[i]:
            if lead < 0 or m.dims[i] != 1:
                raise too_small((<object>g).shape, shape_of(m), n, e)
            same = False
    if not same:
        g = sum_to(g, m) if p.listener is None else sum_to_heard(p, g, m)
    return g if PyArray_TYPE(g) == m.type_num else cast_along(g, m.type_num, n, e)


cdef ndarray cast(ndarray a, int type_num):
    """An array in the dtype with NumPy's number `type_num`; where only the array is complex, its real part."""
    if a.dtype.kind == "c" and PyArray_DescrFromType(type_num).kind != "c":
        a = np.asarray(a.real)
    return in_dtype(a, type_num)


cdef ndarray sum_to(ndarray a, Meta* m):
    """An array summed over the dims that `m` does not have, and over those that are of size one there."""
    cdef int lead = PyArray_NDIM(a) - m.ndim, i
    cdef object r
    cdef bint rows = lead == 1          # only the leading dim is summed over
    if m.ndim == 0:
        r = sum_of(a)
        return total(a) if r is None else r
    for i in range(m.ndim if rows else 0):
        if PyArray_DIMS(a)[i + 1] != m.dims[i]:
            rows = False
    if rows:
        r = sum_rows(a)
        if r is not None:
            return r
    axes = tuple([i for i in range(PyArray_NDIM(a)) if i < lead or (m.dims[i - lead] == 1 and PyArray_DIMS(a)[i] != 1)])
    return total(a, axes, True).reshape(shape_of(m))


cdef ndarray sum_to_heard(Pass p, ndarray a, Meta* m):
    """The same as `sum_to`, and the listener hears of it."""
    cdef int event = p.listener.begin("sum", OP, 0, [a])
    try:
        return sum_to(a, m)
    finally:
        p.listener.end(event)


# ------------------------------------------------------------------------------ gradients that do not fit

cdef tuple shape_of(Meta* m):
    """The shape that an edge asks for."""
    return tuple([m.dims[i] for i in range(m.ndim)])


cdef bint is_larger(tuple shape, tuple wanted) except -1:
    """Is `shape` what broadcasting makes of `wanted`?"""
    cdef int lead = len(shape) - len(wanted)
    return lead >= 0 and all([w == 1 or w == s for s, w in zip(shape[lead:], wanted)])


cdef object too_small(tuple shape, tuple wanted, Node n, int e):
    """The error for a formula that returned a gradient which cannot be summed to the shape of its input.

    Which input is that of edge `e`?  Each formula has one edge, but that for a list of tensors has all the others.
    """
    cdef int nr = e
    name = f"argument {e}"
    for f in n.op.formulas if n.op is not None else ():
        many = n.n_edges - len(n.op.formulas) + 1 if n.op.types[n.op.positions[f.of]].startswith("Tensor[]") else 1
        if nr < many:
            name = f.of
            break
        nr -= many
    return smaller_than_its_input(Node.name(n), None if n.op is None else n.op.name, name, e, shape, wanted)

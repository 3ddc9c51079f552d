"""Padding: arrays with a margin of one number, or of copies of their own elements; and the gradients of these.

Like all that moves elements (data_movement.pyx), these are two geometries, one in the old array and one in the new.
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.data_movement cimport (LARGEST_ELEMENT, add, element, fresh, movable_at, move,
                                                          one_everywhere, sizes_at, zeros)
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, Geometry, as_ints, take_geometry
from minigrad._core.runtime.numpy_api cimport PyArray_ITEMSIZE, PyArray_TYPE, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyLong_CheckExact, PyObject


cdef object pad(Loop* loop, PyObject** args, int n):
    """(self, pad, value)"""
    return padded(args, 1, <object>args[2])


cdef object unpad(Loop* loop, PyObject** args, int n):
    """(self, pad): the other way round"""
    return padded(args, -1, 0)


cdef bint per_axis(PyObject* x, int ndim, int sign, npy_intp* before, npy_intp* after) except -1:
    """What is added to each axis, of a list that begins with the last one."""
    cdef npy_intp given[MAX_DIMS]
    cdef int k, several = as_ints(x, given)
    if several <= 0 or several % 2 or several > 2 * ndim:
        return False
    for k in range(ndim):
        before[k] = after[k] = 0
    for k in range(several // 2):
        if abs(given[2 * k]) > (1 << 31) or abs(given[2 * k + 1]) > (1 << 31):
            return False
        before[ndim - 1 - k], after[ndim - 1 - k] = sign * given[2 * k], sign * given[2 * k + 1]
    return True


cdef object padded(PyObject** args, int sign, object value):
    cdef Geometry g, to, everywhere
    cdef npy_intp before[MAX_DIMS]
    cdef npy_intp after[MAX_DIMS]
    cdef char bytes_[LARGEST_ELEMENT]
    cdef int k
    cdef bint whole = True
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or PyArray_ITEMSIZE(a) > LARGEST_ELEMENT or not per_axis(args[1], g.ndim, sign, before, after):
        return None
    to = g
    for k in range(g.ndim):
        to.dims[k] += before[k] + after[k]
        if g.dims[k] + min(before[k], 0) + min(after[k], 0) < 0:    # more is cut than there is
            return None
        whole = whole and before[k] <= 0 and after[k] <= 0
    if whole:                                           # only cut: nothing has the value
        out = fresh(a, &to)
    elif PyLong_CheckExact(value) and value == 0:
        out = zeros(a, &to)
    elif element(value, a, bytes_):
        out = fresh(a, &to)
        take_geometry(out, &to)
        one_everywhere(bytes_, &to, &everywhere)
        move(&to, &everywhere, PyArray_ITEMSIZE(a))
    else:
        return None
    take_geometry(out, &to)
    for k in range(g.ndim):                             # what is in both
        if not kept(&g, &to, k, before[k], after[k]):
            return out
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out


cdef bint kept(Geometry* g, Geometry* to, int k, npy_intp before, npy_intp after) noexcept:
    """Leave of axis `k`, in the old and in the new array, what is in both; False if that is nothing."""
    if before < 0:
        g.data -= before * g.strides[k]
        g.dims[k] += before
    else:
        to.data += before * to.strides[k]
    if after < 0:
        g.dims[k] += after
    to.dims[k] = g.dims[k]
    return g.dims[k] > 0


# With copies, each axis has three regions.  A size of 4, padded by (2, 3):
#
#     reflect       2 1 | 0 1 2 3 | 2 1 0         before: from 2 backwards     after: from 2 backwards
#     replicate     0 0 | 0 1 2 3 | 3 3 3         before: 0 without steps      after: 3 without steps
#     circular      2 3 | 0 1 2 3 | 0 1 2         before: from 2 on            after: from 0 on
#
# The regions of several axes are combined, and each combination is one move.  The transpose adds it the other way.

cdef enum:
    REFLECT
    REPLICATE
    CIRCULAR

cdef dict MODES = {"reflect": REFLECT, "replicate": REPLICATE, "circular": CIRCULAR}


cdef bint combine(int axis, int mode, npy_intp* before, npy_intp* after, Geometry* small, Geometry* large,
                  npy_intp item, int num) noexcept:
    """Move from the `small` array to the regions of the `large` one; or, where `num` is a dtype, add back."""
    cdef Geometry s, l
    cdef npy_intp size, first
    cdef int region
    while axis < small.ndim and before[axis] == 0 and after[axis] == 0:
        axis += 1
    if axis == small.ndim:
        if num < 0:
            move(large, small, item)
            return True
        return add(small, large, num)
    size = small.dims[axis]
    for region in range(3):
        s, l, first = small[0], large[0], 0
        if region == 0:
            s.dims[axis] = before[axis]
            first = before[axis] if mode == REFLECT else 0 if mode == REPLICATE else size - before[axis]
        elif region == 2:
            s.dims[axis] = after[axis]
            first = size - 2 if mode == REFLECT else size - 1 if mode == REPLICATE else 0
            l.data += (before[axis] + size) * l.strides[axis]
        else:
            l.data += before[axis] * l.strides[axis]
        s.data += first * s.strides[axis]
        if region != 1 and mode != CIRCULAR:
            s.strides[axis] = -s.strides[axis] if mode == REFLECT else 0
        l.dims[axis] = s.dims[axis]
        if s.dims[axis] and not combine(axis + 1, mode, before, after, &s, &l, item, num):
            return False
    return True


cdef bint allowed(Geometry* small, int mode, npy_intp* before, npy_intp* after) noexcept:
    """Is nothing cut, and is there enough to copy?"""
    cdef int k
    cdef npy_intp most
    for k in range(small.ndim):
        most = before[k] if before[k] > after[k] else after[k]
        if before[k] < 0 or after[k] < 0 or small.dims[k] < 1:
            return False
        if most > (small.dims[k] - 1 if mode == REFLECT else small.dims[k] if mode == CIRCULAR else most):
            return False
    return True


cdef object pad_copies(Loop* loop, PyObject** args, int n):
    """(self, padding, mode)"""
    cdef Geometry g, to
    cdef npy_intp before[MAX_DIMS]
    cdef npy_intp after[MAX_DIMS]
    cdef int k, mode = MODES.get(<object>args[2], -1)
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or mode < 0 or not per_axis(args[1], g.ndim, 1, before, after) or not allowed(&g, mode, before, after):
        return None
    to = g
    for k in range(g.ndim):
        to.dims[k] += before[k] + after[k]
    out = fresh(a, &to)
    take_geometry(out, &to)
    combine(0, mode, before, after, &g, &to, PyArray_ITEMSIZE(a), -1)
    return out


cdef object pad_copies_backward(Loop* loop, PyObject** args, int n):
    """(grad, padding, mode, input_sizes)"""
    cdef Geometry g, to
    cdef npy_intp before[MAX_DIMS]
    cdef npy_intp after[MAX_DIMS]
    cdef int k, mode = MODES.get(<object>args[2], -1)
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or mode < 0 or not sizes_at(args[3], &to) or not per_axis(args[1], to.ndim, 1, before, after):
        return None
    if g.ndim != to.ndim or not allowed(&to, mode, before, after):
        return None
    for k in range(g.ndim):
        if g.dims[k] != to.dims[k] + before[k] + after[k]:
            return None
    out = zeros(a, &to)
    take_geometry(out, &to)
    return out if combine(0, mode, before, after, &to, &g, PyArray_ITEMSIZE(a), PyArray_TYPE(a)) else None

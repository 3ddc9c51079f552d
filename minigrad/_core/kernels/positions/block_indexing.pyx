"""Blocks chosen by numbers and masks, along some of the dims: index_select, embedding, x[i], and writes to them.

The table of places, and what is done at them, is in index_tables.pyx.
"""

from libc.float cimport FLT_MAX
from libc.math cimport INFINITY, fabs
from libc.string cimport memset
from minigrad._core.kernels.loops.numpy_loops cimport Loop, binary_into, number, resolve
from minigrad._core.kernels.positions.index_tables cimport (ADD, WRITE, Action, Around, Table, around, array, at_zero,
                                                            broadcast, choose, combines, has_sizes, is_index, is_mask,
                                                            join_sizes, masked_table, read, room, sizes_of, store,
                                                            store_element, store_zero, zeros_like_of)
from minigrad._core.kernels.shapes.data_movement cimport MOST, copied
from minigrad._core.kernels.shapes.strided_views cimport Geometry, as_int, axis_at, take_geometry
from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

import numpy as np

cdef Loop MUL
resolve(&MUL, np.multiply)


# ------------------------------------------------------------------------------ parts along a dim

cdef object parts(Table* t, Around* w, Geometry* g, PyObject* dim, PyObject* index, bint from_end):
    """The table of the parts with these numbers along `dim`; None where that is not possible, else what to keep."""
    cdef int axis = 0
    cdef object keep
    if not axis_at(dim, g.ndim, &axis) or not is_index(<object>index) or PyArray_NDIM(<ndarray>index) > 1:
        return None
    keep = room(t, PyArray_SIZE(<ndarray>index))
    t.ndim, t.dims[0] = 1, t.count
    at_zero(t)
    if not choose(t, <ndarray>index, g.dims[axis], g.strides[axis], from_end):
        return None
    around(g, axis, axis + 1, w)
    return True if keep is None else keep


cdef object index_select(Loop* loop, PyObject** args, int n):
    """(self, dim, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    keep = None if a is None else parts(&t, &w, &g, args[1], args[2], False)
    return None if keep is None else read(&t, &w, a)


cdef object index_select_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, dim, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out = zeros_like_of(args[0], args[1], &g)
    keep = None if out is None else parts(&t, &w, &g, args[2], args[3], False)
    if keep is None or not has_sizes(<ndarray>args[0], &w, &t) or not store(&t, &w, ADD, out, <ndarray>args[0]):
        return None
    return out


cdef object index_add(Loop* loop, PyObject** args, int n):
    """(self, dim, index, source, alpha), of floats where alpha is not 1"""
    cdef PyObject* others[4]
    cdef object alpha = <object>args[4], times
    cdef double value = 0
    if alpha is True or alpha is False:
        return None
    if alpha == 1:
        return stored_parts(args, ADD)
    if not number(alpha, &value) or FLT_MAX < fabs(value) < INFINITY:       # float32 has no such number
        return None
    times = binary_into(&MUL, <object>args[3], alpha, None)
    if times is None:
        return None
    others[0], others[1], others[2], others[3] = args[0], args[1], args[2], <PyObject*>times
    return stored_parts(others, ADD)


cdef object index_copy(Loop* loop, PyObject** args, int n):
    """(self, dim, index, source)"""
    return stored_parts(args, WRITE)


cdef object stored_parts(PyObject** args, Action action):
    """A copy with the parts of `source` written or added."""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out, a = array(args[0], &g)
    if a is None or type(<object>args[3]) is not ndarray or (action >= ADD and not combines(PyArray_TYPE(a), action)):
        return None
    out = copied(a)
    take_geometry(out, &g)
    keep = parts(&t, &w, &g, args[1], args[2], False)
    if keep is None or not has_sizes(<ndarray>args[3], &w, &t) or not store(&t, &w, action, out, <ndarray>args[3]):
        return None
    return out


cdef object index_fill(Loop* loop, PyObject** args, int n):
    """(self, dim, index, value), a number or a 0-d array"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out, a = array(args[0], &g)
    if a is None:
        return None
    out = copied(a)
    take_geometry(out, &g)
    keep = parts(&t, &w, &g, args[1], args[2], True)
    if keep is None:
        return None
    if type(<object>args[3]) is ndarray:
        if PyArray_NDIM(<ndarray>args[3]) or not store(&t, &w, WRITE, out, <ndarray>args[3]):
            return None
    elif not store_element(&t, &w, WRITE, out, <object>args[3]):
        return None
    return out


# ------------------------------------------------------------------------------ rows of a matrix

cdef object rows(Table* t, Around* w, Geometry* g, PyObject* indices):
    """The table of the rows of a matrix with these numbers; None where that is not possible, else what to keep."""
    cdef object keep
    if g.ndim != 2 or not is_index(<object>indices):
        return None
    keep = room(t, sizes_of(t, <ndarray>indices))
    at_zero(t)
    if not choose(t, <ndarray>indices, g.dims[0], g.strides[0], False):
        return None
    around(g, 0, 1, w)
    return True if keep is None else keep


cdef object embedding(Loop* loop, PyObject** args, int n):
    """(weight, indices, padding_idx, scale_grad_by_freq), of which the last two are for the gradient"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    keep = None if a is None else rows(&t, &w, &g, args[1])
    return None if keep is None else read(&t, &w, a)


cdef object embedding_backward(Loop* loop, PyObject** args, int n):
    """(grad, indices, weight_sizes, padding_idx, scale_grad_by_freq)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef npy_intp padding = -1
    cdef ndarray out
    if <object>args[4] is not False or not as_int(args[3], &padding):
        return None
    out = zeros_like_of(args[0], args[2], &g)
    keep = None if out is None else rows(&t, &w, &g, args[1])
    if keep is None or not has_sizes(<ndarray>args[0], &w, &t) or not store(&t, &w, ADD, out, <ndarray>args[0]):
        return None
    if padding >= g.dims[0]:
        return None
    if padding >= 0:
        memset(g.data + padding * g.strides[0], 0, g.strides[0])
    return out


# ------------------------------------------------------------------------------ at several index arrays, or at a mask

cdef object chosen(Table* t, Around* w, Geometry* g, object indices):
    """The table of what `x[indices]` reads, of an array with this geometry; None if not possible, else what to keep.

    The indices are None for a whole dim, or an array of numbers; or there is one mask.
    """
    cdef int axis = 0, first = -1, last = -1, found = 0, k, width
    cdef bint together = True, masked = False
    cdef object keep
    cdef Geometry rest
    if type(indices) is not list and type(indices) is not tuple:
        return None
    t.ndim = 0
    for x in indices:
        if axis >= g.ndim:
            return None
        width = 1
        if x is not None:
            if is_mask(x):
                masked, width = True, PyArray_NDIM(<ndarray>x)
            elif not is_index(x) or not join_sizes(&t.ndim, t.dims, <ndarray>x):
                return None
            if found and last != axis:
                together = False
            if not found:
                first = axis
            found += 1
            last = axis + width
        axis += width
    if not found or axis > g.ndim or (masked and found > 1):
        return None
    if masked:
        x = indices[first]
        width = PyArray_NDIM(<ndarray>x)
        for k in range(width):
            if PyArray_DIMS(<ndarray>x)[k] != g.dims[first + k]:
                return None
        keep = masked_table(t, <ndarray>x, width, &g.dims[first], &g.strides[first])
        if width == 0:
            return None
    else:
        t.count = 1
        for k in range(t.ndim):
            if t.dims[k] and t.count > <npy_intp>MOST // t.dims[k]:
                return None             # index tensors without memory of their own, broadcast against each other
            t.count *= t.dims[k]
        keep = room(t, t.count)
        at_zero(t)
        axis = 0
        for x in indices:
            if x is not None and not choose(t, <ndarray>x, g.dims[axis], g.strides[axis], True):
                return None
            axis += 1
    if together:
        around(g, first, last, w)
        return True if keep is None else keep
    rest, width = g[0], 0               # a whole dim is between them: the dims that are chosen come first
    for axis in range(g.ndim):
        if axis >= len(indices) or indices[axis] is None:
            rest.dims[width], rest.strides[width] = g.dims[axis], g.strides[axis]
            width += 1
    rest.ndim = width
    around(&rest, 0, 0, w)
    return True if keep is None else keep


cdef object index(Loop* loop, PyObject** args, int n):
    """(self, indices)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    keep = None if a is None else chosen(&t, &w, &g, <object>args[1])
    return None if keep is None else read(&t, &w, a)


cdef object index_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, indices); a mask chooses nothing twice"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out = zeros_like_of(args[0], args[1], &g)
    keep = None if out is None else chosen(&t, &w, &g, <object>args[2])
    if keep is None or not has_sizes(<ndarray>args[0], &w, &t):
        return None
    return out if store(&t, &w, WRITE if any_mask(<object>args[2]) else ADD, out, <ndarray>args[0]) else None


cdef bint any_mask(object indices) noexcept:
    for x in <list>indices if type(indices) is list else list(indices):
        if x is not None and is_mask(x):
            return True
    return False


cdef object index_put(Loop* loop, PyObject** args, int n):
    """(self, indices, values, accumulate)"""
    cdef Geometry g
    cdef ndarray out, a = array(args[0], &g)
    cdef Action action = ADD if <object>args[3] is True else WRITE
    cdef Table t
    cdef Around w
    if a is None or type(<object>args[2]) is not ndarray or (action >= ADD and not combines(PyArray_TYPE(a), action)):
        return None
    if action == WRITE and <object>args[3] is not False:
        return None
    out = copied(a)
    take_geometry(out, &g)
    keep = chosen(&t, &w, &g, <object>args[1])
    return out if keep is not None and store(&t, &w, action, out, <ndarray>args[2]) else None


cdef object index_erase(Loop* loop, PyObject** args, int n):
    """(self, indices, accumulate)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out, a = array(args[0], &g)
    if a is None or type(<object>args[2]) is not bool:
        return None
    out = copied(a)
    if <object>args[2] is True:
        return out
    take_geometry(out, &g)
    keep = chosen(&t, &w, &g, <object>args[1])
    return out if keep is not None and store_zero(&t, &w, out) else None


cdef bint write_chosen(Geometry* g, list indices, ndarray target, object value) except -1:
    """``target[indices] = value``, of a part with this geometry; False, with nothing written, if it is not for us."""
    cdef Table t
    cdef Around w
    keep = chosen(&t, &w, g, indices)
    if keep is None:
        return False
    if type(value) is ndarray:
        return store(&t, &w, WRITE, target, <ndarray>value)
    return store_element(&t, &w, WRITE, target, value)

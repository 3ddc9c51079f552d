"""Arrays joined along a dim, and taken apart along one.

Joined along dim 1, arrays of (2, 3, 4) and (2, 5, 4) alternate in memory: 12 elements of the one, 20 of the other, and
the same once more.  So each array is copied in as many pieces as the dims before have places, a piece at a time::

    outer 2  x  [ 3 x 4 | 5 x 4 ]       pieces of 12 and of 20 elements

That is for plain arrays of one dtype; those in other layouts are moved (data_movement.pyx).  Taken apart, nothing is
copied: the parts are views (strided_views.pyx).  Their gradients are joined again, with zeros where an output was not
used.
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop, same_shape
from minigrad._core.kernels.shapes.data_movement cimport movable, move, put, sizes_at, zeros
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, array_at, as_int, as_ints, axis_at, drop,
                                                          new_axis, seen_as, take_geometry)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_STRIDES, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/loops/moves.h" nogil:
    void mg_move_row(char* to, npy_intp s, char* source, npy_intp t, npy_intp n, npy_intp item) noexcept

cdef enum:
    USERDEF = 256               # dtypes from outside NumPy have numbers from here on


cdef inline bint has_channels_last(ndarray a) noexcept:
    """Do the channels of a pixel lie together?  Such images are joined as they lie, by the general way."""
    return (PyArray_NDIM(a) > 3 and PyArray_DIMS(a)[1] > 1 and PyArray_STRIDES(a)[1] == PyArray_ITEMSIZE(a)
            and not PyArray_ISCARRAY_RO(a))


cdef ndarray first_of(object arrays, int extra, object dim, int* axis):
    """The first of a list of arrays of one dtype and number of dims, and the axis; None for any other list."""
    cdef ndarray a, first = None
    if type(arrays) is not list or not len(<list>arrays):
        return None
    for x in <list>arrays:
        if type(x) is not ndarray:
            return None
        a = <ndarray>x
        if first is None:
            first = a
        if not movable(a) or PyArray_TYPE(a) != PyArray_TYPE(first) or PyArray_TYPE(a) >= USERDEF:
            return None
        if PyArray_NDIM(a) != PyArray_NDIM(first) or has_channels_last(a):
            return None
    return first if axis_at(<PyObject*>dim, PyArray_NDIM(first) + extra, axis) else None


cdef object cat(Loop* loop, PyObject** args, int n):
    """(tensors, dim)"""
    cdef int axis = 0, k
    cdef list arrays
    cdef ndarray a, out, first = first_of(<object>args[0], 0, <object>args[1], &axis)
    cdef npy_intp shape[MAX_DIMS]
    if first is None:
        return None
    arrays = <list><object>args[0]
    for k in range(PyArray_NDIM(first)):
        shape[k] = PyArray_DIMS(first)[k]
    shape[axis] = 0
    for x in arrays:
        a = <ndarray>x
        for k in range(PyArray_NDIM(first)):
            if k != axis and PyArray_DIMS(a)[k] != shape[k]:
                return None
        shape[axis] += PyArray_DIMS(a)[axis]
    out = new_array(PyArray_NDIM(first), shape, PyArray_TYPE(first))
    put_side_by_side(out, axis, arrays, True)
    return out


cdef int put_side_by_side(ndarray out, int axis, list arrays, bint has_dim) except -1:
    """Put arrays into `out`, one after the other along an axis; without `has_dim`, each is one place of it."""
    cdef Geometry to, source
    cdef npy_intp places = 1, outer = 1, row, piece
    cdef int k
    take_geometry(out, &to)
    for k in range(axis):
        outer *= to.dims[k]
    row = to.dims[axis] * to.strides[axis]
    for x in arrays:
        if has_dim:
            places = PyArray_DIMS(<ndarray>x)[axis]
        piece = places * to.strides[axis]
        if PyArray_ISCARRAY_RO(<ndarray>x):
            mg_move_row(to.data, row, <char*>PyArray_DATA(<ndarray>x), piece, outer, piece)
        else:
            take_geometry(<ndarray>x, &source)
            if not has_dim:
                new_axis(&source, axis)
            to.dims[axis] = places
            move(&to, &source, PyArray_ITEMSIZE(out))
        to.data += piece
    return 0


cdef object stack(Loop* loop, PyObject** args, int n):
    """(tensors, dim)"""
    cdef int axis = 0, k, ndim
    cdef list arrays
    cdef ndarray out, first = first_of(<object>args[0], 1, <object>args[1], &axis)
    cdef npy_intp shape[MAX_DIMS]
    if first is None:
        return None
    arrays = <list><object>args[0]
    ndim = PyArray_NDIM(first)
    if ndim == MAX_DIMS:
        return None
    for k in range(ndim):
        shape[k if k < axis else k + 1] = PyArray_DIMS(first)[k]
    shape[axis] = len(arrays)
    for x in arrays:
        if not same_shape(<ndarray>x, first):
            return None
    out = new_array(ndim + 1, shape, PyArray_TYPE(first))
    put_side_by_side(out, axis, arrays, False)
    return out


cdef object unbind(Loop* loop, PyObject** args, int n):
    """(self, dim): a view for each index"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0
    cdef npy_intp i, count, stride
    cdef list parts = []
    if a is None or not axis_at(args[1], g.ndim, &axis):
        return None
    count, stride = g.dims[axis], g.strides[axis]
    if count > MOST_PIECES:
        return None
    drop(&g, axis)
    for i in range(count):
        parts.append(seen_as(a, &g))
        g.data += stride
    return parts


cdef object split(Loop* loop, PyObject** args, int n):
    """(self, split_size, dim): views of `split_size` indices each, and one of the rest"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0
    cdef npy_intp size = 0, left
    cdef list parts = []
    if a is None or not as_int(args[1], &size) or not axis_at(args[2], g.ndim, &axis) or size <= 0:
        return None
    left = g.dims[axis]
    if left // size > MOST_PIECES:
        return None
    while left > 0 or not parts:
        g.dims[axis] = size if size < left else left
        parts.append(seen_as(a, &g))
        g.data += size * g.strides[axis]
        left -= size
    return parts


cdef object split_with_sizes(Loop* loop, PyObject** args, int n):
    """(self, split_sizes, dim)"""
    cdef Geometry g
    cdef npy_intp sizes[MAX_DIMS]
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0, k, several
    cdef list parts = []
    if a is None or not axis_at(args[2], g.ndim, &axis):
        return None
    several = as_ints(args[1], sizes)
    if several < 0 or not adds_up(sizes, several, g.dims[axis]):
        return None
    for k in range(several):
        g.dims[axis] = sizes[k]
        parts.append(seen_as(a, &g))
        g.data += sizes[k] * g.strides[axis]
    return parts


cdef bint adds_up(npy_intp* sizes, int several, npy_intp whole) noexcept:
    """Are these the sizes of the pieces of a whole?"""
    cdef int k
    for k in range(several):
        if not 0 <= sizes[k] <= whole:
            return False
        whole -= sizes[k]
    return whole == 0


# ------------------------------------------------------------------------------ gradients joined, and taken apart

cdef ndarray a_gradient(object grads):
    """The first of the gradients that is given, if all are of one dtype and can be moved; else None."""
    cdef ndarray first = None
    if type(grads) is not list and type(grads) is not tuple:
        return None
    for x in grads:
        if x is None:
            continue
        if type(x) is not ndarray or not movable(<ndarray>x):
            return None
        if first is None:
            first = <ndarray>x
        elif PyArray_TYPE(<ndarray>x) != PyArray_TYPE(first):
            return None
    return first


cdef object unbind_backward(Loop* loop, PyObject** args, int n):
    """(grads, dim)"""
    cdef Geometry to, part, g
    cdef int axis = 0
    cdef object grads = <object>args[0]
    cdef ndarray out, first = a_gradient(grads)
    if first is None or not axis_at(args[1], PyArray_NDIM(first) + 1, &axis):
        return None
    take_geometry(first, &to)
    new_axis(&to, axis)
    to.dims[axis] = len(grads)
    out = zeros(first, &to)
    take_geometry(out, &to)
    part = to
    drop(&part, axis)
    for x in grads:
        if x is not None:
            take_geometry(<ndarray>x, &g)
            if not put(&part, <ndarray>x, &g):
                return None
        part.data += to.strides[axis]
    return out


cdef object split_backward(Loop* loop, PyObject** args, int n):
    """(grads, split_size, dim, self_sizes), where the size is an int or one for each"""
    cdef Geometry to, g
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp left, size = 0
    cdef int axis = 0, k = 0, several = -1
    cdef object grads = <object>args[0]
    cdef ndarray out, first = a_gradient(grads)
    if first is None or not sizes_at(args[3], &to) or not axis_at(args[2], to.ndim, &axis):
        return None
    left = to.dims[axis]
    if as_int(args[1], &size):
        if size <= 0 or len(grads) != max(1, (left + size - 1) // size):
            return None
    else:
        several = as_ints(args[1], sizes)
        if several != len(grads) or not adds_up(sizes, several, left):
            return None
    out = zeros(first, &to)
    take_geometry(out, &to)
    for x in grads:
        to.dims[axis] = sizes[k] if several >= 0 else size if size < left else left
        if x is not None:
            take_geometry(<ndarray>x, &g)
            if not put(&to, <ndarray>x, &g):
                return None
        to.data += to.dims[axis] * to.strides[axis]
        left -= to.dims[axis]
        k += 1
    return out


cdef object cat_backward(Loop* loop, PyObject** args, int n):
    """(grad, shapes, dim): the part of each"""
    cdef Geometry g, part
    cdef int axis = 0, k
    cdef npy_intp left
    cdef object shapes = <object>args[1]
    cdef ndarray a = array_at(args, &g)
    cdef list parts = []
    if a is None or not axis_at(args[2], g.ndim, &axis) or type(shapes) is not list and type(shapes) is not tuple:
        return None
    if not len(shapes):
        return None
    left = g.dims[axis]
    for shape in shapes:
        if not sizes_at(<PyObject*>shape, &part) or part.ndim != g.ndim or part.dims[axis] > left:
            return None
        for k in range(g.ndim):
            if k != axis and part.dims[k] != PyArray_DIMS(a)[k]:
                return None
        g.dims[axis] = part.dims[axis]
        parts.append(seen_as(a, &g))
        g.data += g.dims[axis] * g.strides[axis]
        left -= g.dims[axis]
    return parts if left == 0 else None

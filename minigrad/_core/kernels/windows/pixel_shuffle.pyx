"""Shuffles of pixels and channels: the same elements in another order.

Like all that moves elements (data_movement.pyx), a shuffle is two geometries and one move.  A dim that stands for two,
as the rows of an image whose blocks are r rows high, is taken apart in its geometry::

    rows of blocks      sizes H r           become      sizes H, r      strides r s, s
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.data_movement cimport fresh, movable_at, move
from minigrad._core.kernels.shapes.strided_views cimport Geometry, as_int, take_geometry
from minigrad._core.runtime.numpy_api cimport PyArray_ITEMSIZE, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MOST = 1 << 20              # a factor beyond which its square might be too large


cdef void apart(Geometry* g, int axis, npy_intp inner) noexcept:
    """A dim as two, the second of which has `inner` elements, next to each other."""
    cdef int k
    for k in range(g.ndim, axis, -1):
        g.dims[k], g.strides[k] = g.dims[k - 1], g.strides[k - 1]
    g.ndim += 1
    g.dims[axis] //= inner
    g.strides[axis] *= inner
    g.dims[axis + 1] = inner


cdef void moved_dim(Geometry* g, int source, int to) noexcept:
    """One dim before others."""
    cdef npy_intp size = g.dims[source], stride = g.strides[source]
    cdef int k
    for k in range(source, to, -1):
        g.dims[k], g.strides[k] = g.dims[k - 1], g.strides[k - 1]
    g.dims[to], g.strides[to] = size, stride


cdef void blocks_in_front(Geometry* g, npy_intp r) noexcept:
    """(..., C, H r, W r) as (..., C, r, r, H, W)"""
    cdef int height = g.ndim - 2
    apart(g, height + 1, r)                             # C, H r, W, r
    apart(g, height, r)                                 # C, H, r, W, r
    moved_dim(g, height + 1, height)                    # C, r, H, W, r
    moved_dim(g, height + 3, height + 1)                # C, r, r, H, W


cdef object pixel_shuffle(Loop* loop, PyObject** args, int n):
    """(self, upscale_factor)"""
    cdef Geometry g, to
    cdef npy_intp r = 0
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or g.ndim < 3 or not as_int(args[1], &r) or not 0 < r <= MOST or g.dims[g.ndim - 3] % (r * r):
        return None
    to = g
    to.dims[to.ndim - 3] //= r * r
    to.dims[to.ndim - 2] *= r
    to.dims[to.ndim - 1] *= r
    out = fresh(a, &to)
    take_geometry(out, &to)
    blocks_in_front(&to, r)
    apart(&g, g.ndim - 3, r)
    apart(&g, g.ndim - 4, r)
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out


cdef object pixel_unshuffle(Loop* loop, PyObject** args, int n):
    """(self, downscale_factor)"""
    cdef Geometry g, to
    cdef npy_intp r = 0
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or g.ndim < 3 or not as_int(args[1], &r) or not 0 < r <= MOST:
        return None
    if g.dims[g.ndim - 2] % r or g.dims[g.ndim - 1] % r:
        return None
    to = g
    to.dims[to.ndim - 3] *= r * r
    to.dims[to.ndim - 2] //= r
    to.dims[to.ndim - 1] //= r
    out = fresh(a, &to)
    take_geometry(out, &to)
    apart(&to, to.ndim - 3, r)
    apart(&to, to.ndim - 4, r)
    blocks_in_front(&g, r)
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out


cdef object channel_shuffle(Loop* loop, PyObject** args, int n):
    """(self, groups)"""
    return regrouped(args, False)


cdef object channel_unshuffle(Loop* loop, PyObject** args, int n):
    """(self, groups)"""
    return regrouped(args, True)


cdef object regrouped(PyObject** args, bint back):
    cdef Geometry g, to
    cdef npy_intp groups = 0, of_each
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or g.ndim < 3 or not as_int(args[1], &groups) or groups < 1 or g.dims[1] % groups or g.dims[1] == 0:
        return None
    of_each = g.dims[1] // groups
    to = g
    out = fresh(a, &to)
    take_geometry(out, &to)
    apart(&g, 1, groups if back else of_each)
    apart(&to, 1, of_each if back else groups)
    moved_dim(&to, 2, 1)
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out

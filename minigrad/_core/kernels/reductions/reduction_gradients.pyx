"""The gradients of reductions, which restore the dims that were reduced.

The gradient of a sum is one number for every term.  So it is a view, in which the reduced dims have the stride 0, and
costs no memory; a gradient that is one number altogether, and small, is a new array full of it, which is
faster to make and to read.

    x of (3, 4), x.sum(1) of (3,)           the gradient: (3, 4) by strides 8, 0
"""

from libc.string cimport memcpy
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop, code, same_shape
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, array_at, as_ints, axes_at, axis_at,
                                                          seen_as)
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED, PyArray_ITEMSIZE,
                                               PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES, PyArray_TYPE, int64_t,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_CheckExact
from minigrad._core.kernels.loops.read_once cimport read_once

cdef enum:
    SMALL = 4096                # elements that are filled rather than seen again and again


cdef bint reduced_dims(PyObject* given, int ndim, bint* goes) except -1:
    """Which of `ndim` dims were reduced: None and () mean all; False where that needs a closer look."""
    cdef npy_intp axes[MAX_DIMS]
    cdef int i, count = 0, axis = 0
    for i in range(ndim):
        goes[i] = False
    if <object>given is None:
        count = 0
    elif PyTuple_CheckExact(<object>given):
        if not axes_at(given, max(ndim, 1), axes, &count):
            return False
        for i in range(count if ndim else 0):
            goes[axes[i]] = True
    else:
        if not axis_at(given, max(ndim, 1), &axis):
            return False
        count = 1
        if ndim:
            goes[axis] = True
    for i in range(ndim if count == 0 else 0):
        goes[i] = True
    return True


cdef object restore_dims(Loop* loop, PyObject** args, int n):
    """(self, dim, keepdim): a view with the reduced dims of size one again"""
    cdef Geometry g, h
    cdef npy_intp axes[MAX_DIMS]
    cdef bint goes[MAX_DIMS]
    cdef int i, k = 0, count = 1, axis = 0
    cdef ndarray a = array_at(args, &g)
    if a is None:
        return None
    if PyTuple_CheckExact(<object>args[1]):
        count = as_ints(args[1], axes)
    if <object>args[1] is None or count == 0:
        return a
    if count < 0 or g.ndim + count >= MAX_DIMS or not reduced_dims(args[1], g.ndim + count, goes):
        return None
    if <object>args[2] is True or g.ndim == 0:
        return a
    h.ndim, h.data = g.ndim + count, g.data
    for i in range(h.ndim):
        if goes[i]:
            h.dims[i], h.strides[i] = 1, 0
        else:
            h.dims[i], h.strides[i] = g.dims[k], g.strides[k]
            k += 1
    return seen_as(a, &h)


cdef object expand_reduced(Loop* loop, PyObject** args, int n):
    """(self, shape, dim, keepdim)"""
    return None if type(<object>args[0]) is not ndarray else spread(<ndarray>args[0], args, False)


cdef object mean_backward(Loop* loop, PyObject** args, int n):
    """The same, divided by how many were reduced to one."""
    return None if type(<object>args[0]) is not ndarray else spread(<ndarray>args[0], args, True)


cdef ndarray shared(ndarray a, npy_intp count):
    """`a` divided by a number; None where that needs a closer look."""
    cdef ndarray o
    cdef int t = PyArray_TYPE(a)
    if t != NPY_FLOAT and t != NPY_DOUBLE or not PyArray_ISNOTSWAPPED(a) or count == 0:
        return None
    o = new_copy(a, NPY_CORDER)
    if t == NPY_DOUBLE:
        divide(<double*>PyArray_DATA(o), <double>count, PyArray_SIZE(o))
    else:
        divide(<float*>PyArray_DATA(o), <float>count, PyArray_SIZE(o))
    return o


cdef void divide(real* o, real by, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] /= by


cdef object spread(ndarray a, PyObject** args, bint share):
    """`a` over the shape args[1] whose dims args[2] were reduced; args[3] says whether they were kept.

    With `share`, divided by how many elements became one.
    """
    cdef Geometry g
    cdef bint goes[MAX_DIMS]
    cdef npy_intp size = 1, count = 1
    cdef int i, k = 0, t, ndim = as_ints(args[1], g.dims)
    cdef bint kept = PyArray_NDIM(a) == ndim
    cdef ndarray o
    if ndim < 0 or not reduced_dims(args[2], ndim, goes):
        return None
    for i in range(ndim):
        if g.dims[i] < 0 or PyArray_NDIM(a) == 0 and not goes[i]:
            return None
        size *= g.dims[i]
        count *= g.dims[i] if goes[i] else 1
    if share:
        a = shared(a, count)
        if a is None:
            return None
    g.ndim, g.data = ndim, <char*>PyArray_DATA(a)
    t = code(a)
    if PyArray_NDIM(a) == 0 and size <= SMALL:
        if t < 0:
            return None
        o = new_array(ndim, g.dims, PyArray_TYPE(a))
        if t:
            fill(<double*>PyArray_DATA(o), (<double*>PyArray_DATA(a))[0], size)
        else:
            fill(<float*>PyArray_DATA(o), (<float*>PyArray_DATA(a))[0], size)
        return o
    for i in range(ndim):
        if goes[i]:
            g.strides[i] = 0
            if kept and PyArray_DIMS(a)[k] != 1:
                return None
            k += kept
        elif k < PyArray_NDIM(a) and PyArray_DIMS(a)[k] == g.dims[i]:
            g.strides[i] = PyArray_STRIDES(a)[k]
            k += 1
        else:
            return None
    return seen_as(a, &g) if k == PyArray_NDIM(a) else None


cdef void fill(real* o, real value, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = value


cdef object put_along(Loop* loop, PyObject** args, int n):
    """(grad, indices, shape, dim, keepdim): each entry at its index along the dim, zeros elsewhere"""
    cdef ndarray grad, indices, o
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp outer = 1, size = 1, inner = 1, m = 1
    cdef bint kept, found
    cdef int i, k = 0, axis = 0, ndim = as_ints(args[2], sizes)
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray or ndim < 0:
        return None
    grad, indices = <ndarray>args[0], <ndarray>args[1]
    if PyArray_TYPE(indices) != NPY_INT64 or not same_shape(grad, indices) or not axis_at(args[3], max(ndim, 1), &axis):
        return None
    if PyArray_TYPE(grad) != NPY_FLOAT and PyArray_TYPE(grad) != NPY_DOUBLE:
        return None
    if not PyArray_ISNOTSWAPPED(grad) or not PyArray_ISNOTSWAPPED(indices) or PyArray_SIZE(grad) == 0:
        return None
    kept = <object>args[4] is True and PyArray_NDIM(grad) > 0
    if PyArray_NDIM(grad) != (ndim if kept or ndim == 0 else ndim - 1):
        return None
    for i in range(ndim):
        if i == axis:
            size = sizes[i]
            if size < 0:
                return None
            m = PyArray_DIMS(grad)[k] if kept else 1
            k += kept
            continue
        if PyArray_DIMS(grad)[k] != sizes[i]:
            return None
        k += 1
        if i < axis:
            outer *= sizes[i]
        else:
            inner *= sizes[i]
    if not PyArray_ISCARRAY_RO(grad):
        grad = new_copy(grad, NPY_CORDER)
    if not PyArray_ISCARRAY_RO(indices):
        indices = new_copy(indices, NPY_CORDER)
    o = new_zeros(ndim, sizes, PyArray_TYPE(grad))
    found = put(<char*>PyArray_DATA(grad), <int64_t*>PyArray_DATA(indices), <char*>PyArray_DATA(o), outer, size, inner,
                m, PyArray_ITEMSIZE(grad))
    return o if found else None


cdef bint put(char* d, int64_t* at, char* o, npy_intp outer, npy_intp n, npy_intp inner, npy_intp m,
              npy_intp item) noexcept nogil:
    """(outer, m, inner) into (outer, n, inner); False at an index that is not there."""
    cdef npy_intp i, j, k, place
    cdef int64_t index
    for i in range(outer):
        for j in range(m):
            for k in range(inner):
                index = read_once(&at[k])
                if not 0 <= index < n:
                    return False
                place = <npy_intp>index
                if item == 4:
                    memcpy(o + (place * inner + k) * 4, d + k * 4, 4)
                else:
                    memcpy(o + (place * inner + k) * 8, d + k * 8, 8)
            at += inner
            d += inner * item
        o += n * inner * item
    return True

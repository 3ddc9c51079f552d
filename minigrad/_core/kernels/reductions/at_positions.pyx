"""Reductions of what is written to one place, and where that is: the rows of ops/reductions/at_positions.py.

The places are numbers of the flat result, one for each element of a flat source.  They are in an array that another
thread may write to, so each is read once, and looked at before it is followed: Note [Read once] in read_once.pxd.
"""

from libc.math cimport INFINITY
from minigrad._core.kernels.loops.numpy_loops cimport Loop, code
from minigrad._core.kernels.loops.read_once cimport read_once
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.data_movement cimport copied
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints, axis_at
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_TYPE, int64_t, ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum Reduction:
    ADD, MULTIPLY, AVERAGE, LARGEST, SMALLEST, OTHER


cdef Reduction named(object reduce) except? OTHER:
    return (ADD if reduce == "sum" else MULTIPLY if reduce == "prod" else AVERAGE if reduce == "mean"
            else LARGEST if reduce == "amax" else SMALLEST if reduce == "amin" else OTHER)


cdef ndarray numbers(PyObject* x):
    """An array of int64 in order; None for anything else."""
    cdef bint fit = type(<object>x) is ndarray and PyArray_TYPE(<ndarray>x) == NPY_INT64
    return <ndarray>x if fit and PyArray_ISCARRAY_RO(<ndarray>x) else None


# ------------------------------------------------------------------------------ what is written

cdef object reduce_at(Loop* loop, PyObject** args, int n):
    """(self, source, targets, reduce, include_self)"""
    cdef int t = code(<ndarray>args[0]) if type(<object>args[0]) is ndarray else -1
    cdef ndarray targets = numbers(args[2])
    if targets is None or t < 0 or type(<object>args[1]) is not ndarray or code(<ndarray>args[1]) != t:
        return None
    if PyArray_NDIM(targets) != 1 or PyArray_NDIM(<ndarray>args[1]) != 1 or type(<object>args[4]) is not bool:
        return None
    if PyArray_SIZE(targets) != PyArray_SIZE(<ndarray>args[1]):
        return None
    if t == 0:
        return reduced(<ndarray>args[0], <float*>PyArray_DATA(<ndarray>args[1]), targets, named(<object>args[3]),
                       <object>args[4] is True)
    if t == 1:
        return reduced(<ndarray>args[0], <double*>PyArray_DATA(<ndarray>args[1]), targets, named(<object>args[3]),
                       <object>args[4] is True)
    return None


cdef object reduced(ndarray a, real* x, ndarray targets, Reduction how, bint include_self):
    cdef ndarray out = copied(a), written
    cdef real* o = <real*>PyArray_DATA(out)
    cdef npy_intp size = PyArray_SIZE(out), many = PyArray_SIZE(targets), i
    cdef int64_t* to = <int64_t*>PyArray_DATA(targets)
    cdef int64_t at
    cdef int64_t* counts = NULL
    cdef real least = <real>(0 if how == ADD or how == AVERAGE else 1 if how == MULTIPLY
                             else -INFINITY if how == LARGEST else INFINITY)
    if how == OTHER:
        return None
    for i in range(many):
        at = read_once(&to[i])
        if not 0 <= at < size:
            return None
        if not include_self:
            o[at] = least
    if how == AVERAGE:
        written = new_zeros(1, &size, NPY_INT64)
        counts = <int64_t*>PyArray_DATA(written)
    for i in range(many):
        at = read_once(&to[i])
        if not 0 <= at < size:
            continue                            # another thread has changed it since
        if how == MULTIPLY:
            o[at] *= x[i]
        elif how == LARGEST:
            if not o[at] >= x[i] and o[at] == o[at]:            # a nan stays
                o[at] = x[i]
        elif how == SMALLEST:
            if not o[at] <= x[i] and o[at] == o[at]:
                o[at] = x[i]
        else:
            o[at] += x[i]
            if counts != NULL:
                counts[at] += 1
    if counts != NULL:
        for i in range(size):
            if counts[i] + include_self > 1:
                o[i] /= <real>(counts[i] + include_self)
    return out


# ------------------------------------------------------------------------------ where it goes

cdef object targets_of_elements(Loop* loop, PyObject** args, int n):
    """(index, dim, self_sizes, src_sizes): as of scatter, each element to the number in the index along the dim"""
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp source[MAX_DIMS]
    cdef npy_intp strides[MAX_DIMS]
    cdef npy_intp at[MAX_DIMS]
    cdef ndarray index = numbers(args[0]), out
    cdef int ndim = as_ints(args[2], dims), axis = 0, k
    cdef npy_intp i, stride = 1, start = 0, many
    cdef npy_intp* shape
    cdef int64_t* o
    cdef int64_t number
    if index is None or ndim < 1 or PyArray_NDIM(index) != ndim or as_ints(args[3], source) != ndim:
        return None
    if not axis_at(args[1], ndim, &axis):
        return None
    shape, many = PyArray_DIMS(index), PyArray_SIZE(index)
    for k in range(ndim - 1, -1, -1):
        if shape[k] > source[k] or k != axis and shape[k] > dims[k]:
            return None
        strides[k], at[k] = stride, 0
        stride *= dims[k]
    out = new_array(1, &many, NPY_INT64)
    o = <int64_t*>PyArray_DATA(out)
    for i in range(many):
        number = read_once(&(<int64_t*>PyArray_DATA(index))[i])
        if not 0 <= number < dims[axis]:
            return None
        o[i] = start + number * strides[axis]
        for k in range(ndim - 1, -1, -1):       # the place of the next: as an odometer, whose wheel `axis` is the index
            at[k] += 1
            start += 0 if k == axis else strides[k]
            if at[k] < shape[k]:
                break
            start -= 0 if k == axis else at[k] * strides[k]
            at[k] = 0
    return out


cdef object targets_of_parts(Loop* loop, PyObject** args, int n):
    """(index, dim, self_sizes, source_sizes): as of index_add, each part along the dim to the one with this number"""
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp source[MAX_DIMS]
    cdef ndarray index = numbers(args[0]), out
    cdef int ndim = as_ints(args[2], dims), axis = 0, k
    cdef npy_intp outer = 1, inner = 1, many, i, j, m, parts
    cdef int64_t* o
    cdef int64_t number
    if index is None or ndim < 1 or PyArray_NDIM(index) != 1 or as_ints(args[3], source) != ndim:
        return None
    if not axis_at(args[1], ndim, &axis):
        return None
    parts = PyArray_DIMS(index)[0]
    for k in range(ndim):
        if source[k] != (parts if k == axis else dims[k]):
            return None
        if k < axis:
            outer *= dims[k]
        elif k > axis:
            inner *= dims[k]
    many = outer * parts * inner
    out = new_array(1, &many, NPY_INT64)
    o = <int64_t*>PyArray_DATA(out)
    for i in range(outer):
        for j in range(parts):
            number = read_once(&(<int64_t*>PyArray_DATA(index))[j])
            if not 0 <= number < dims[axis]:
                return None
            number = (i * dims[axis] + number) * inner
            for m in range(inner):
                o[m] = number + m
            o += inner
    return out

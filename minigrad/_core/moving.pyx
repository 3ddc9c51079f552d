"""New arrays from the elements of others: reversed, shifted, repeated, cut, put among zeros.

All of these move elements without changing them.  So each is two geometries, one in the old array and one in the new,
and what is left to do is one move between them::

    x of (3, 4)     from x                              to the new array
    flip(0)         begins at the last row, strides     as it lies
                    -16, 4
    repeat(2, 1)    sizes 2, 3, 1, 4,                   sizes 2, 3, 1, 4
                    strides 0, 16, 0, 4
    roll(1, 0)      rows 0 to 1                         rows 1 to 2
                    row 2                               row 0
    diag_embed()    as it lies                          the diagonals, in zeros

The transpose of a view is one of them too: its gradient is put among zeros, where the view was.  The geometries are
made by the moves of geometry.pyx; the moving itself is in moving.h.
"""

from cpython.long cimport PyLong_CheckExact
from cpython.ref cimport PyObject, Py_INCREF
from libc.math cimport INFINITY, fabs
from libc.string cimport memcpy
cimport numpy as cnp
from numpy cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64,
                    NPY_UINT8, PyArray_DATA, PyArray_DESCR, PyArray_ISNOTSWAPPED, PyArray_IS_C_CONTIGUOUS,
                    PyArray_ITEMSIZE, PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, int8_t, int16_t,
                    int32_t, int64_t, ndarray, npy_intp, uint8_t)
from minigrad._core.blocks cimport large_array, perhaps_large
from minigrad._core.geometry cimport (MAX_DIMS, Geometry, array_at, as_int, as_ints, axes_at, axis_at, diagonal_at,
                                      index_at, range_at, take_geometry)
from minigrad._core.loops cimport LARGE, aligned, number

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    # `dtype` is stolen
    ndarray PyArray_NewFromDescr(type, cnp.dtype, int, npy_intp*, npy_intp*, void*, int, object)
    ndarray PyArray_Zeros(int, npy_intp*, cnp.dtype, int)

cdef extern from "moving.h" nogil:
    void mg_move(int ndim, npy_intp* dims, char* to, npy_intp* to_strides, char* source, npy_intp* from_strides,
                 npy_intp item) noexcept
    void mg_add_float(int ndim, npy_intp* dims, char* to, npy_intp* s, char* source, npy_intp* t) noexcept
    void mg_add_double(int ndim, npy_intp* dims, char* to, npy_intp* s, char* source, npy_intp* t) noexcept

cdef extern from "Python.h":
    bint PyBool_Check(object)

cdef enum:
    MOST_PLACES = 1 << 30       # of a model of the memory

cdef double LARGEST = 3.4028234663852886e38     # of float32


# ------------------------------------------------------------------------------ arrays, and one move

cdef ndarray fresh(ndarray like, Geometry* g):
    """A new array of the sizes of `g`, whose elements are still to be written."""
    cdef cnp.dtype dtype = <cnp.dtype>PyArray_DESCR(like)
    if perhaps_large(g.ndim, g.dims) and usual(like):
        return large_array(g.ndim, g.dims, PyArray_TYPE(like), NULL, False)
    Py_INCREF(dtype)
    return PyArray_NewFromDescr(ndarray, dtype, g.ndim, g.dims, NULL, NULL, 0, None)


cdef ndarray zeros(ndarray like, Geometry* g):
    cdef cnp.dtype dtype = <cnp.dtype>PyArray_DESCR(like)
    if perhaps_large(g.ndim, g.dims) and usual(like):
        return large_array(g.ndim, g.dims, PyArray_TYPE(like), NULL, True)
    Py_INCREF(dtype)
    return PyArray_Zeros(g.ndim, g.dims, dtype, 0)


cdef inline bint usual(ndarray like) noexcept:
    """Does the number of its dtype say everything of it?"""
    return PyArray_TYPE(like) <= NPY_CDOUBLE and PyArray_ISNOTSWAPPED(like)


cdef inline bint movable(ndarray a) noexcept:
    """Can its elements be moved as so many bytes?"""
    return aligned(a) and PyArray_NDIM(a) < MAX_DIMS // 2


cdef inline npy_intp count(Geometry* g) noexcept:
    cdef npy_intp total = 1
    cdef int k
    for k in range(g.ndim):
        total *= g.dims[k]
    return total


cdef void move(Geometry* to, Geometry* source, npy_intp item) noexcept:
    """Copy the elements of `source` to the places in `to`, which has the same sizes."""
    if count(to) < LARGE:
        mg_move(to.ndim, to.dims, to.data, to.strides, source.data, source.strides, item)
    else:
        with nogil:
            mg_move(to.ndim, to.dims, to.data, to.strides, source.data, source.strides, item)


cdef inline bint same_sizes(Geometry* a, Geometry* b) noexcept:
    cdef int k
    if a.ndim != b.ndim:
        return False
    for k in range(a.ndim):
        if a.dims[k] != b.dims[k]:
            return False
    return True


cdef ndarray moved(ndarray a, Geometry* g):
    """A new array of the elements of `a` that have this geometry."""
    cdef ndarray out = fresh(a, g)
    cdef Geometry to
    take_geometry(out, &to)
    move(&to, g, PyArray_ITEMSIZE(a))
    return out


cdef ndarray copied(ndarray a):
    """A new array of the same elements, in the order of their dims."""
    cdef Geometry g
    cdef ndarray out
    take_geometry(a, &g)
    if not PyArray_IS_C_CONTIGUOUS(a):
        return moved(a, &g)
    out = fresh(a, &g)
    memcpy(PyArray_DATA(out), PyArray_DATA(a), PyArray_NBYTES(a))
    return out


cdef ndarray movable_at(PyObject** args, Geometry* g):
    """The first argument, with its geometry in `g`; None if it is not an array whose elements can be moved."""
    cdef ndarray a = array_at(args, g)
    return a if a is not None and movable(a) else None


cdef bint sizes_at(PyObject* x, Geometry* g) except -1:
    """Are these the sizes of an array?"""
    cdef int k
    g.ndim = as_ints(x, g.dims)
    for k in range(g.ndim):
        if g.dims[k] < 0:
            return False
    return 0 <= g.ndim < MAX_DIMS // 2


cdef bint element(object x, ndarray like, char* out) except -1:
    """A Python number as the bytes of an element; False where it is none, or not exactly."""
    cdef int num = PyArray_TYPE(like)
    cdef npy_intp i = 0
    cdef double v = 0
    if num == NPY_BOOL:
        if PyBool_Check(x):
            out[0] = x is True
            return True
        return False
    if num == NPY_INT64 or num == NPY_INT32 or num == NPY_INT16 or num == NPY_INT8 or num == NPY_UINT8:
        if not as_int(<PyObject*>x, &i):
            return False
        if num == NPY_INT64:
            (<int64_t*>out)[0] = i
            return True
        if num == NPY_INT32:
            (<int32_t*>out)[0] = <int32_t>i
            return (<int32_t*>out)[0] == i
        if num == NPY_INT16:
            (<int16_t*>out)[0] = <int16_t>i
            return (<int16_t*>out)[0] == i
        if num == NPY_INT8:
            (<int8_t*>out)[0] = <int8_t>i
            return (<int8_t*>out)[0] == i
        (<uint8_t*>out)[0] = <uint8_t>i
        return (<uint8_t*>out)[0] == i
    if not number(x, &v):
        return False
    if num == NPY_DOUBLE or num == NPY_CDOUBLE:
        (<double*>out)[0], (<double*>out)[1] = v, 0
        return True
    if num == NPY_FLOAT or num == NPY_CFLOAT:
        if LARGEST < fabs(v) < INFINITY:
            return False                        # becomes inf, which the general way does
        (<float*>out)[0], (<float*>out)[1] = <float>v, 0
        return True
    return False


cdef object clone(Loop* loop, PyObject** args, int n):
    """(self, memory_format)"""
    cdef Geometry g
    cdef ndarray a = movable_at(args, &g)
    cdef object layout = <object>args[1]
    if a is None or layout is not None and not (type(layout) is str and layout == "contiguous_format"):
        return None
    return copied(a) if layout is not None or PyArray_IS_C_CONTIGUOUS(a) else None


# ------------------------------------------------------------------------------ reversed, turned, shifted, repeated

cdef inline void turn_round(Geometry* g, int axis) noexcept:
    if g.dims[axis]:
        g.data += (g.dims[axis] - 1) * g.strides[axis]
    g.strides[axis] = -g.strides[axis]


cdef object flip(Loop* loop, PyObject** args, int n):
    """(self, dims)"""
    cdef Geometry g
    cdef npy_intp axes[MAX_DIMS]
    cdef ndarray a = movable_at(args, &g)
    cdef int k, several = 0
    if a is None or not axes_at(args[1], g.ndim, axes, &several):
        return None
    for k in range(several):
        turn_round(&g, <int>axes[k])
    return moved(a, &g)


cdef object rot90(Loop* loop, PyObject** args, int n):
    """(self, k, dims)"""
    cdef Geometry g
    cdef npy_intp axes[MAX_DIMS]
    cdef npy_intp turns = 0
    cdef ndarray a = movable_at(args, &g)
    cdef int i, j, several = 0
    if a is None or not as_int(args[1], &turns) or not axes_at(args[2], g.ndim, axes, &several) or several != 2:
        return None
    i, j = <int>axes[0], <int>axes[1]
    turns = (turns % 4 + 4) % 4
    if turns == 1 or turns == 2:
        turn_round(&g, j)
    if turns == 2 or turns == 3:
        turn_round(&g, i)
    if turns % 2:
        g.dims[i], g.dims[j] = g.dims[j], g.dims[i]
        g.strides[i], g.strides[j] = g.strides[j], g.strides[i]
    return moved(a, &g)


cdef object roll(Loop* loop, PyObject** args, int n):
    """(self, shifts, dims)"""
    return rolled(args, 1)


cdef object unroll(Loop* loop, PyObject** args, int n):
    """The same in the other direction."""
    return rolled(args, -1)


cdef object rolled(PyObject** args, int sign):
    """By `shifts` along `dims`, of which each may be one int; without dims, all elements are one row."""
    cdef Geometry g, to
    cdef npy_intp shifts[MAX_DIMS]
    cdef npy_intp axes[MAX_DIMS]
    cdef npy_intp by[MAX_DIMS]
    cdef ndarray out, a = movable_at(args, &g)
    cdef int k, several = 1, dims = 0
    if a is None or not PyArray_SIZE(a):
        return None
    if not as_int(args[1], shifts):
        several = as_ints(args[1], shifts)
    if <object>args[2] is not None and not axes_at(args[2], g.ndim, axes, &dims):
        return None
    if dims == 0 and several == 1 and PyArray_IS_C_CONTIGUOUS(a):
        g.dims[0] = PyArray_SIZE(a)
        g.ndim, g.strides[0], axes[0], dims = 1, PyArray_ITEMSIZE(a), 0, 1
        out = copied_sizes(a)
    elif dims and dims == several:
        out = fresh(a, &g)
    else:
        return None
    take_geometry(out, &to)
    if g.ndim == 1:
        to.ndim, to.dims[0], to.strides[0] = 1, g.dims[0], PyArray_ITEMSIZE(a)
    for k in range(g.ndim):
        by[k] = 0
    for k in range(dims):
        by[axes[k]] = sign * (shifts[k] % g.dims[axes[k]])
    roll_from(0, by, &to, &g, PyArray_ITEMSIZE(a))
    return out


cdef ndarray copied_sizes(ndarray a):
    """A new array of the same sizes."""
    cdef Geometry g
    take_geometry(a, &g)
    return fresh(a, &g)


cdef void roll_from(int axis, npy_intp* by, Geometry* to, Geometry* source, npy_intp item) noexcept:
    """Move the two pieces of each axis from this one on: those that stay in order, and those that leave at the end."""
    cdef Geometry part, whole
    cdef npy_intp shift, left
    while axis < to.ndim and by[axis] == 0:
        axis += 1
    if axis == to.ndim:
        move(to, source, item)
        return
    shift = by[axis] if by[axis] > 0 else by[axis] + to.dims[axis]
    left = to.dims[axis] - shift
    part, whole = to[0], source[0]
    part.dims[axis] = whole.dims[axis] = left
    part.data += shift * to.strides[axis]
    roll_from(axis + 1, by, &part, &whole, item)
    part.dims[axis] = whole.dims[axis] = shift
    part.data = to.data
    whole.data = source.data + left * source.strides[axis]
    roll_from(axis + 1, by, &part, &whole, item)


cdef object repeat(Loop* loop, PyObject** args, int n):
    """(self, repeats)"""
    cdef Geometry g, to, source
    cdef npy_intp times[MAX_DIMS]
    cdef npy_intp count = 1
    cdef ndarray out, a = movable_at(args, &g)
    cdef int k, lead, several = -1 if a is None else as_ints(args[1], times)
    if several < 0 or several < g.ndim or several >= MAX_DIMS // 2:
        return None
    lead = several - g.ndim
    to.ndim, source.data, source.ndim = several, g.data, 2 * several
    for k in range(several):
        if times[k] < 0:
            return None
        source.dims[2 * k], source.strides[2 * k] = times[k], 0
        source.dims[2 * k + 1] = 1 if k < lead else g.dims[k - lead]
        source.strides[2 * k + 1] = 0 if k < lead else g.strides[k - lead]
        if source.dims[2 * k + 1] and times[k] > <npy_intp>MOST // source.dims[2 * k + 1]:
            return None
        to.dims[k] = times[k] * source.dims[2 * k + 1]
        if to.dims[k] and count > <npy_intp>MOST // to.dims[k]:
            return None
        count *= to.dims[k]
    out = fresh(a, &to)
    take_geometry(out, &g)
    to.data, to.ndim = g.data, 2 * several
    for k in range(several):
        to.dims[2 * k], to.dims[2 * k + 1] = source.dims[2 * k], source.dims[2 * k + 1]
        to.strides[2 * k], to.strides[2 * k + 1] = g.strides[k] * source.dims[2 * k + 1], g.strides[k]
    move(&to, &source, PyArray_ITEMSIZE(a))
    return out


# ------------------------------------------------------------------------------ triangles and diagonals

cdef object tril(Loop* loop, PyObject** args, int n):
    """(self, diagonal)"""
    return triangle(args, True)


cdef object triu(Loop* loop, PyObject** args, int n):
    """The same above the diagonal."""
    return triangle(args, False)


cdef object triangle(PyObject** args, bint lower):
    """Row by row, what is up to the diagonal, or from it on."""
    cdef Geometry g, to
    cdef npy_intp diagonal = 0, i, rows, columns, start, end
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or g.ndim < 2 or not as_int(args[1], &diagonal):
        return None
    rows, columns = g.dims[g.ndim - 2], g.dims[g.ndim - 1]
    if not -rows <= diagonal <= columns:
        return None
    out = zeros(a, &g)
    take_geometry(out, &to)
    to.dims[to.ndim - 2] = g.dims[g.ndim - 2] = 1
    for i in range(rows):
        start, end = 0, columns
        if lower:
            end = min(max(i + diagonal + 1, 0), columns)
        else:
            start = min(max(i + diagonal, 0), columns)
        to.dims[to.ndim - 1] = g.dims[g.ndim - 1] = end - start
        to.data += start * to.strides[to.ndim - 1]
        g.data += start * g.strides[g.ndim - 1]
        move(&to, &g, PyArray_ITEMSIZE(a))
        to.data += to.strides[to.ndim - 2] - start * to.strides[to.ndim - 1]
        g.data += g.strides[g.ndim - 2] - start * g.strides[g.ndim - 1]
    return out


cdef object diag_embed(Loop* loop, PyObject** args, int n):
    """(self, offset, dim1, dim2)"""
    cdef Geometry g, to
    cdef npy_intp offset = 0, size
    cdef ndarray out, a = movable_at(args, &g)
    cdef int i = 0, j = 0, k, last
    if a is None or g.ndim == 0 or not as_int(args[1], &offset) or abs(offset) > (1 << 31):
        return None
    if not axis_at(args[2], g.ndim + 1, &i) or not axis_at(args[3], g.ndim + 1, &j) or i == j:
        return None
    size = g.dims[g.ndim - 1] + abs(offset)
    if size > LARGE:                    # there may be no memory for its square
        return None
    to.ndim, last = g.ndim + 1, 0
    for k in range(to.ndim):
        if k == i or k == j:
            to.dims[k] = size
        else:
            to.dims[k] = g.dims[last]
            last += 1
    out = zeros(a, &to)
    take_geometry(out, &to)
    return out if diagonal_at(&args[1], &to) and put(&to, a, &g) else None


cdef object diagonal_copy(Loop* loop, PyObject** args, int n):
    """(self, offset, dim1, dim2)"""
    cdef Geometry g
    cdef ndarray a = movable_at(args, &g)
    return moved(a, &g) if a is not None and diagonal_at(&args[1], &g) else None


# ------------------------------------------------------------------------------ among zeros, and among others

cdef bint put(Geometry* to, ndarray a, Geometry* g) noexcept:
    """The elements of `a` in these places; False if there are not as many."""
    if not same_sizes(to, g):
        return False
    move(to, g, PyArray_ITEMSIZE(a))
    return True


cdef ndarray zeros_for(PyObject** args, Geometry* g, Geometry* to):
    """Zeros of the sizes in the second argument, with their geometry, for the elements of the first, with its own."""
    cdef ndarray out, a = movable_at(args, g)
    if a is None or not sizes_at(args[1], to):
        return None
    out = zeros(a, to)
    take_geometry(out, to)
    return out


cdef object select_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, dim, index)"""
    cdef Geometry g, to
    cdef ndarray out = zeros_for(args, &g, &to)
    if out is None or not index_at(&args[2], &to) or not put(&to, out, &g):
        return None
    return out


cdef object slice_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, dim, start, end, step)"""
    cdef Geometry g, to
    cdef ndarray out = zeros_for(args, &g, &to)
    if out is None or not range_at(&args[2], &to) or not put(&to, out, &g):
        return None
    return out


cdef object diagonal_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, offset, dim1, dim2)"""
    cdef Geometry g, to
    cdef ndarray out = zeros_for(args, &g, &to)
    if out is None or not diagonal_at(&args[2], &to) or not put(&to, out, &g):
        return None
    return out


cdef object unfold_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, dimension, size, step): windows that meet add up"""
    cdef Geometry g, to
    cdef ndarray out = zeros_for(args, &g, &to)
    cdef int axis = 0
    cdef npy_intp i, windows, size = 0, step = 0, g_stride, to_stride
    if out is None or not axis_at(args[2], to.ndim, &axis) or not as_int(args[3], &size) or not as_int(args[4], &step):
        return None
    if size < 0 or size > to.dims[axis] or step <= 0 or g.ndim != to.ndim + 1:
        return None
    # one window after the other, in which no element meets itself
    windows, g_stride, to_stride = (to.dims[axis] - size) // step + 1, g.strides[axis], to.strides[axis] * step
    if g.dims[axis] != windows or g.dims[to.ndim] != size:
        return None
    to.dims[axis], g.strides[axis] = size, g.strides[to.ndim]
    g.dims[axis], g.ndim = size, to.ndim
    if not same_sizes(&to, &g):
        return None
    for i in range(windows):
        if not add(&to, &g, PyArray_TYPE(out)):
            return None
        to.data += to_stride
        g.data += g_stride
    return out


# The gradient of as_strided is added up in a model of the memory: a row of zeros that is long enough for the elements
# of the view and for those of its input, which are then read out of it.

cdef object as_strided_backward(Loop* loop, PyObject** args, int n):
    """(grad, self_sizes, size, stride, storage_offset, self_stride, self_offset)"""
    cdef Geometry g, view, own, row
    cdef npy_intp first = 0, own_first = 0, last = 0, own_last = 0
    cdef ndarray memory, a = movable_at(args, &g)
    cdef PyObject* offset = args[6] if <object>args[4] is None else args[4]
    if (a is None or not placed(args[2], args[3], offset, &view, &first, &last)
            or not placed(args[1], args[5], args[6], &own, &own_first, &own_last)
            or not same_sizes(&g, &view) or not apart(&own)):
        return None
    row.ndim, row.dims[0] = 1, max(last, own_last) + 1
    memory = zeros(a, &row)
    scale(&view, PyArray_ITEMSIZE(a))
    scale(&own, PyArray_ITEMSIZE(a))
    view.data = <char*>PyArray_DATA(memory) + first * PyArray_ITEMSIZE(a)
    own.data = <char*>PyArray_DATA(memory) + own_first * PyArray_ITEMSIZE(a)
    return moved(memory, &own) if add(&view, &g, PyArray_TYPE(a)) else None


cdef bint placed(PyObject* sizes, PyObject* steps, PyObject* offset, Geometry* g, npy_intp* first,
                 npy_intp* last) except -1:
    """The geometry of these sizes and strides, in elements, and the first and last place; False if it has none."""
    cdef int k
    if not sizes_at(sizes, g) or as_ints(steps, g.strides) != g.ndim or not as_int(offset, first):
        return False
    last[0] = first[0]
    for k in range(g.ndim):
        if g.dims[k] == 0 or g.dims[k] > MOST_PLACES or not 0 <= g.strides[k] <= MOST_PLACES:
            return False
        last[0] += (g.dims[k] - 1) * g.strides[k]
        if last[0] > MOST_PLACES:
            return False
    return 0 <= first[0] <= MOST_PLACES


cdef bint apart(Geometry* g) noexcept:
    """Has each element a place of its own?  False where the strides alone do not say so."""
    cdef int j, k
    cdef npy_intp reach
    for k in range(g.ndim):
        reach = 0                       # of all dims with smaller steps
        for j in range(g.ndim):
            if g.strides[j] < g.strides[k] or g.strides[j] == g.strides[k] and j < k:
                reach += (g.dims[j] - 1) * g.strides[j]
        if g.dims[k] > 1 and g.strides[k] <= reach:
            return False
    return True


cdef void scale(Geometry* g, npy_intp item) noexcept:
    """Strides in elements as strides in bytes."""
    cdef int k
    for k in range(g.ndim):
        g.strides[k] *= item


cdef bint add(Geometry* to, Geometry* g, int num) noexcept:
    """Add elements to those in these places; False if that is not known for their dtype."""
    if num == NPY_FLOAT:
        mg_add_float(to.ndim, to.dims, to.data, to.strides, g.data, g.strides)
    elif num == NPY_DOUBLE:
        mg_add_double(to.ndim, to.dims, to.data, to.strides, g.data, g.strides)
    else:
        return False
    return True


cdef object select_scatter(Loop* loop, PyObject** args, int n):
    """(self, src, dim, index)"""
    cdef Geometry g, to
    cdef ndarray a = movable_at(args, &g), src = movable_at(&args[1], &to), out
    if a is None or src is None or PyArray_TYPE(a) != PyArray_TYPE(src):
        return None
    out = copied(a)
    take_geometry(out, &g)
    return out if index_at(&args[2], &g) and put(&g, src, &to) else None


cdef object select_keep(Loop* loop, PyObject** args, int n):
    """(self, dim, index)"""
    cdef Geometry g, nothing
    cdef char zero[LARGEST_ELEMENT]
    cdef int k
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or PyArray_ITEMSIZE(a) > LARGEST_ELEMENT:
        return None
    out = copied(a)
    take_geometry(out, &g)
    if not index_at(&args[1], &g):
        return None
    for k in range(LARGEST_ELEMENT):
        zero[k] = 0
    one_everywhere(zero, &g, &nothing)
    move(&g, &nothing, PyArray_ITEMSIZE(a))
    return out


cdef void one_everywhere(char* value, Geometry* g, Geometry* source) noexcept:
    """Let `source` be one element repeated to the sizes of `g`."""
    cdef int k
    source.ndim, source.data = g.ndim, value
    for k in range(g.ndim):
        source.dims[k], source.strides[k] = g.dims[k], 0


# ------------------------------------------------------------------------------ padding

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

"""New arrays from the elements of others: reversed, shifted, repeated, cut, put on a diagonal.

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

The gradients of views are moved too (view_gradients.pyx), and so is what is padded (padding.pyx).  The geometries are
made by the moves of strided_views.pyx; the moving itself is in loops/moves.h.
"""

from libc.math cimport INFINITY, fabs
from libc.string cimport memcpy
from minigrad._core.kernels.loops.copies cimport move_elements, new_copy, new_like
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, aligned, number
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, array_at, as_int, as_ints, axes_at,
                                                          axis_at, diagonal_at, in_order, seen_as, take_geometry,
                                                          view)
from minigrad._core.runtime.memory_pool cimport large_array, perhaps_large
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT16,
                                               NPY_INT32, NPY_INT64, NPY_INT8, NPY_KEEPORDER, NPY_UINT8, PyArray_DATA,
                                               PyArray_DESCR, PyArray_ISNOTSWAPPED, PyArray_IS_C_CONTIGUOUS,
                                               PyArray_ITEMSIZE, PyArray_NBYTES, PyArray_NDIM, PyArray_NewFromDescr,
                                               PyArray_SIZE, PyArray_TYPE, PyArray_Zeros, dtype as Descr, int16_t,
                                               int32_t, int64_t, int8_t, ndarray, npy_intp, uint8_t)
from minigrad._core.runtime.python_api cimport PyBool_Check, PyObject, Py_INCREF

cdef extern from "kernels/loops/moves.h" nogil:
    void mg_add_float(int ndim, npy_intp* dims, char* to, npy_intp* s, char* source, npy_intp* t) noexcept
    void mg_add_double(int ndim, npy_intp* dims, char* to, npy_intp* s, char* source, npy_intp* t) noexcept

cdef double LARGEST = 3.4028234663852886e38     # of float32


# ------------------------------------------------------------------------------ arrays, and one move

cdef ndarray fresh(ndarray like, Geometry* g):
    """A new array of the sizes of `g`, whose elements are still to be written."""
    cdef Descr dtype = <Descr>PyArray_DESCR(like)
    if perhaps_large(g.ndim, g.dims) and usual(like):
        return large_array(g.ndim, g.dims, PyArray_TYPE(like), NULL, False)
    Py_INCREF(dtype)
    return PyArray_NewFromDescr(ndarray, dtype, g.ndim, g.dims, NULL, NULL, 0, None)


cdef ndarray zeros(ndarray like, Geometry* g):
    cdef Descr dtype = <Descr>PyArray_DESCR(like)
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
        move_elements(to.ndim, to.dims, to.data, to.strides, source.data, source.strides, item)
    else:
        with nogil:
            move_elements(to.ndim, to.dims, to.data, to.strides, source.data, source.strides, item)


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


cdef bint put(Geometry* to, ndarray a, Geometry* g) noexcept:
    """The elements of `a` in these places; False if there are not as many."""
    if not same_sizes(to, g):
        return False
    move(to, g, PyArray_ITEMSIZE(a))
    return True


cdef bint add(Geometry* to, Geometry* g, int num) noexcept:
    """Add elements to those in these places; False if that is not known for their dtype."""
    if num == NPY_FLOAT:
        mg_add_float(to.ndim, to.dims, to.data, to.strides, g.data, g.strides)
    elif num == NPY_DOUBLE:
        mg_add_double(to.ndim, to.dims, to.data, to.strides, g.data, g.strides)
    else:
        return False
    return True


cdef void one_everywhere(char* value, Geometry* g, Geometry* source) noexcept:
    """Let `source` be one element repeated to the sizes of `g`."""
    cdef int k
    source.ndim, source.data = g.ndim, value
    for k in range(g.ndim):
        source.dims[k], source.strides[k] = g.dims[k], 0


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
    if a is None:
        return None
    if layout is None:
        return copied(a) if PyArray_IS_C_CONTIGUOUS(a) else new_copy(a, NPY_KEEPORDER)
    return copied(a) if str(layout).removeprefix("torch.") == "contiguous_format" else None


cdef object reshape(Loop* loop, PyObject** args, int n):
    """(self, size): a view where the layout allows it, else a copy that owns its memory"""
    cdef Geometry g, to
    cdef ndarray a, out = view(loop, args, n)
    if out is not None:
        return out
    a = movable_at(args, &g)
    if a is None or not sizes_at(args[1], &to) or count(&to) != count(&g):
        return None
    out = fresh(a, &to)
    to = g
    to.data = <char*>PyArray_DATA(out)
    in_order(&to, PyArray_ITEMSIZE(a))
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out


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
    return moved_as(a, &g)


cdef ndarray moved_as(ndarray a, Geometry* g):
    """A copy of what `g` sees, laid out as `a` is."""
    cdef Geometry to
    cdef ndarray out = new_like(a, PyArray_TYPE(a)) if usual(a) else fresh(a, g)
    take_geometry(out, &to)
    move(&to, g, PyArray_ITEMSIZE(a))
    return out


cdef object rot90(Loop* loop, PyObject** args, int n):
    """(self, k, dims): a flip, of which a view has the two dims exchanged, as in PyTorch"""
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
    if turns == 0:
        return moved(a, &g)
    a = moved_as(a, &g)
    if turns == 2:
        return a
    take_geometry(a, &g)
    g.dims[i], g.dims[j] = g.dims[j], g.dims[i]
    g.strides[i], g.strides[j] = g.strides[j], g.strides[i]
    return seen_as(a, &g)


cdef object roll(Loop* loop, PyObject** args, int n):
    """(self, shifts, dims)"""
    return rolled(args, 1)


cdef object unroll(Loop* loop, PyObject** args, int n):
    """The same in the other direction."""
    return rolled(args, -1)


cdef object rolled(PyObject** args, int sign):
    """By `shifts` along `dims`; without dims, all elements are one row."""
    cdef Geometry g, to
    cdef npy_intp shifts[MAX_DIMS]
    cdef npy_intp axes[MAX_DIMS]
    cdef npy_intp by[MAX_DIMS]
    cdef ndarray out, a = movable_at(args, &g)
    cdef int k, several = as_ints(args[1], shifts), dims = 0
    if a is None or not PyArray_SIZE(a):
        return None
    if <object>args[2] is not None and not axes_at(args[2], g.ndim, axes, &dims):
        return None
    if dims == 0 and several == 1 and PyArray_IS_C_CONTIGUOUS(a):
        g.dims[0] = PyArray_SIZE(a)
        g.ndim, g.strides[0], axes[0], dims = 1, PyArray_ITEMSIZE(a), 0, 1
        out = copied_sizes(a)
    elif dims and dims == several:          # channels that lie together remain together
        out = (new_like(a, PyArray_TYPE(a)) if g.ndim == 4 and g.strides[1] == PyArray_ITEMSIZE(a) and usual(a) else
               fresh(a, &g))
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


cdef object shown_copied(Loop* loop, PyObject** args, int n):
    """Copies of what a view shows: the arguments are those of the view, whose kernel is in the loop."""
    cdef object shown = loop.view(loop, args, n)
    if type(shown) is list:
        for part in shown:
            if not movable(<ndarray>part):
                return None
        return [copied(<ndarray>part) for part in shown]
    return copied(<ndarray>shown) if shown is not None and movable(<ndarray>shown) else None

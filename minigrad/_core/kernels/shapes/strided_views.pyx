"""Views by geometry: the same memory with other sizes and strides.

A view is where it begins, and for each dim its size and its stride.  All views of a library are made from a few moves
on these three, and none looks at an element::

    x of (3, 4), strides 16, 4      begins    sizes      strides
    transpose(0, 1)                 0         4, 3       4, 16
    select(1, 2)                    8         3          16
    slice(0, 1, 3, 1)               16        2, 4       16, 4
    unsqueeze(1)                    0         3, 1, 4    16, 16, 4
    expand(2, 3, 4)                 0         2, 3, 4    0, 16, 4
    diagonal()                      0         3          20
    unfold(1, 2, 1)                 0         3, 3, 2    16, 4, 4
    as_strided((2, 2), (5, 0), 3)   12        2, 2       20, 0

These kernels see to it that what is asked for is possible; where it is not, they return None, and the row's general
kernel says why.
"""

from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_WRITEABLE, NPY_CDOUBLE, NPY_CFLOAT, NPY_CORDER, NPY_DOUBLE,
                                               NPY_FLOAT, PyArray_BASE, PyArray_DATA, PyArray_DESCR, PyArray_DIMS,
                                               PyArray_DescrFromType, PyArray_FLAGS, PyArray_ISNOTSWAPPED,
                                               PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_NDIM,
                                               PyArray_NewFromDescr, PyArray_SIZE, PyArray_STRIDES,
                                               PyArray_SetBaseObject, PyArray_TYPE, dtype as Descr, int64_t, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport (PyLong_AsLongLongAndOverflow, PyLong_CheckExact, PyObject,
                                                PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE, Py_INCREF)

cdef enum:
    MOST_SEEN = 1 << 30         # elements of a view whose dims repeat some


# ------------------------------------------------------------------------------ in and out

cdef ndarray array_at(PyObject** args, Geometry* g):
    """The first argument, with its geometry in `g`; None if that is not an array."""
    if type(<object>args[0]) is not ndarray or PyArray_NDIM(<ndarray>args[0]) >= MAX_DIMS:
        return None
    take_geometry(<ndarray>args[0], g)
    return <ndarray>args[0]


cdef void take_geometry(ndarray a, Geometry* g) noexcept:
    cdef int k
    g.ndim = PyArray_NDIM(a)
    g.data = <char*>PyArray_DATA(a)
    for k in range(g.ndim):
        g.dims[k] = PyArray_DIMS(a)[k]
        g.strides[k] = PyArray_STRIDES(a)[k]


# Note [Arrays that cross over]
# -----------------------------
# Not only the numbers of an array can be changed, but the object itself: its shape, dtype, strides and flags, and by
# resize() its memory.  A tensor must not change so, nor what a node has saved.  So no array object is both a tensor's
# payload and in the hands of the program.  Whatever crosses over, in either direction, is another array object on the
# same memory, which its base keeps alive::
#
#     x.numpy()         the program's array ---- base ----> payload of x
#     from_numpy(a)     payload of x ----------- base ----> a
#
# A payload whose memory has another owner leads to that owner, since NumPy shortens chains of bases.  NumPy resizes no
# array that has a base, and none that is one, unless the program says resize(refcheck=False): then the memory of `a` is
# gone, for a tensor as for any view of NumPy's.

cpdef ndarray another(ndarray a):
    """Another array object, of no subclass, on the memory of ``a``.  See Note [Arrays that cross over]."""
    cdef Descr dtype = <Descr>PyArray_DESCR(a)
    cdef ndarray out
    Py_INCREF(dtype)
    out = PyArray_NewFromDescr(ndarray, dtype, PyArray_NDIM(a), PyArray_DIMS(a), PyArray_STRIDES(a), PyArray_DATA(a),
                               PyArray_FLAGS(a) & NPY_ARRAY_WRITEABLE, None)
    Py_INCREF(a)
    PyArray_SetBaseObject(out, a)
    return out


cdef object seen_as(ndarray a, Geometry* g):
    """The memory of `a` with this geometry."""
    return seen_as_dtype(a, g, <Descr>PyArray_DESCR(a))


cdef object seen_as_dtype(ndarray a, Geometry* g, Descr dtype):
    """The same, with elements of this dtype."""
    cdef ndarray out
    Py_INCREF(dtype)
    out = PyArray_NewFromDescr(ndarray, dtype, g.ndim, g.dims, g.strides, g.data,
                               PyArray_FLAGS(a) & NPY_ARRAY_WRITEABLE, None)
    Py_INCREF(a)
    PyArray_SetBaseObject(out, a)
    return out


cdef bint as_int64(PyObject* x, int64_t* value) except -1:
    """Is it a Python int that fits?"""
    cdef int overflow = 0
    if not PyLong_CheckExact(<object>x):
        return False
    value[0] = PyLong_AsLongLongAndOverflow(<object>x, &overflow)
    return overflow == 0


cdef bint as_int(PyObject* x, npy_intp* value) except -1:
    """Is it a Python int that a size or a place can be? These have 32 bits where pointers have."""
    cdef int64_t given = 0
    if not as_int64(x, &given):
        return False
    value[0] = <npy_intp>given
    return value[0] == given


cdef int as_ints(PyObject* x, npy_intp* values) except -2:
    """How many ints a tuple holds, with the ints in `values`; -1 if it is not one, or holds others."""
    cdef Py_ssize_t k, n
    if not PyTuple_CheckExact(<object>x):
        return -1
    n = PyTuple_GET_SIZE(<object>x)
    if n >= MAX_DIMS:
        return -1
    for k in range(n):
        if not as_int(PyTuple_GET_ITEM(<object>x, k), &values[k]):
            return -1
    return <int>n


cdef bint axis_at(PyObject* x, int ndim, int* axis) except -1:
    """Is it a dim of an array with so many, counted from either end?"""
    cdef npy_intp value = 0
    if not as_int(x, &value) or not -ndim <= value < ndim:
        return False
    axis[0] = <int>(value + ndim if value < 0 else value)
    return True


cdef bint axes_at(PyObject* x, int ndim, npy_intp* axes, int* count) except -1:
    """Is it such a dim, or a tuple of them, each once?"""
    cdef unsigned long long seen = 0
    cdef int k
    if as_int(x, axes):
        count[0] = 1
    else:
        count[0] = as_ints(x, axes)
    for k in range(count[0]):
        if not -ndim <= axes[k] < ndim:
            return False
        if axes[k] < 0:
            axes[k] += ndim
        if seen >> axes[k] & 1:
            return False
        seen |= 1ull << axes[k]
    return count[0] >= 0


cdef void drop(Geometry* g, int axis) noexcept:
    cdef int k
    g.ndim -= 1
    for k in range(axis, g.ndim):
        g.dims[k] = g.dims[k + 1]
        g.strides[k] = g.strides[k + 1]


cdef void new_axis(Geometry* g, int axis) noexcept:
    """A dim of size one."""
    cdef int k
    for k in range(g.ndim, axis, -1):
        g.dims[k] = g.dims[k - 1]
        g.strides[k] = g.strides[k - 1]
    g.ndim += 1
    g.dims[axis] = 1
    g.strides[axis] = 0


cdef inline npy_intp within(int64_t index, npy_intp size) noexcept:
    """The end of a range as Python reads it: from the end where it is negative, and never outside."""
    if index < 0:
        index += size
    return 0 if index < 0 else size if index > size else <npy_intp>index


cdef void range_of(Geometry* g, int axis, int64_t start, int64_t end, int64_t step) noexcept:
    cdef npy_intp first = within(start, g.dims[axis]), last = within(end, g.dims[axis])
    g.data += first * g.strides[axis]
    g.dims[axis] = 0 if last <= first else <npy_intp>((last - first - 1) // step + 1)
    g.strides[axis] *= <npy_intp>step


# ------------------------------------------------------------------------------ the order of dims

cdef object transpose(Loop* loop, PyObject** args, int n):
    """(self, dim0, dim1)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int i = 0, j = 0
    if a is None or not axis_at(args[1], g.ndim, &i) or not axis_at(args[2], g.ndim, &j):
        return None
    g.dims[i], g.dims[j] = g.dims[j], g.dims[i]
    g.strides[i], g.strides[j] = g.strides[j], g.strides[i]
    return seen_as(a, &g)


cdef object permute(Loop* loop, PyObject** args, int n):
    """(self, dims)"""
    cdef Geometry g
    cdef npy_intp axes[MAX_DIMS]
    cdef ndarray a = array_at(args, &g)
    cdef int k, count = 0
    if a is None or not axes_at(args[1], g.ndim, axes, &count) or count != g.ndim:
        return None
    for k in range(g.ndim):
        g.dims[k] = PyArray_DIMS(a)[axes[k]]
        g.strides[k] = PyArray_STRIDES(a)[axes[k]]
    return seen_as(a, &g)


cdef object unpermute(Loop* loop, PyObject** args, int n):
    """(self, dims): the other way round"""
    cdef Geometry g
    cdef npy_intp axes[MAX_DIMS]
    cdef ndarray a = array_at(args, &g)
    cdef int k, count = 0
    if a is None or not axes_at(args[1], g.ndim, axes, &count) or count != g.ndim:
        return None
    for k in range(g.ndim):
        g.dims[axes[k]] = PyArray_DIMS(a)[k]
        g.strides[axes[k]] = PyArray_STRIDES(a)[k]
    return seen_as(a, &g)


# ------------------------------------------------------------------------------ the number of dims

cdef object unsqueeze(Loop* loop, PyObject** args, int n):
    """(self, dim)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0
    if a is None or not axis_at(args[1], g.ndim + 1, &axis):
        return None
    new_axis(&g, axis)
    return seen_as(a, &g)


cdef object squeeze(Loop* loop, PyObject** args, int n):
    """(self)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int k
    if a is None:
        return None
    for k in range(g.ndim - 1, -1, -1):
        if g.dims[k] == 1:
            drop(&g, k)
    return seen_as(a, &g)


cdef object squeeze_dim(Loop* loop, PyObject** args, int n):
    """(self, dim)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0
    if a is None or not axis_at(args[1], g.ndim, &axis):
        return None
    if g.dims[axis] == 1:
        drop(&g, axis)
    return seen_as(a, &g)


cdef object squeeze_dims(Loop* loop, PyObject** args, int n):
    """(self, dim), several"""
    cdef Geometry g
    cdef npy_intp axes[MAX_DIMS]
    cdef unsigned long long seen = 0
    cdef ndarray a = array_at(args, &g)
    cdef int k, count = 0
    if a is None or not axes_at(args[1], g.ndim, axes, &count):
        return None
    for k in range(count):
        seen |= 1ull << axes[k]
    for k in range(g.ndim - 1, -1, -1):
        if seen >> k & 1 and g.dims[k] == 1:
            drop(&g, k)
    return seen_as(a, &g)


# ------------------------------------------------------------------------------ a part

cdef object select(Loop* loop, PyObject** args, int n):
    """(self, dim, index)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    return seen_as(a, &g) if a is not None and index_at(&args[1], &g) else None


cdef bint index_at(PyObject** args, Geometry* g) except -1:
    """Let `g` be its part at (dim, index); False where it has none."""
    cdef int axis = 0
    cdef npy_intp index = 0
    if not axis_at(args[0], g.ndim, &axis) or not as_int(args[1], &index):
        return False
    if index < 0:
        index += g.dims[axis]
    if not 0 <= index < g.dims[axis]:
        return False
    g.data += index * g.strides[axis]
    drop(g, axis)
    return True


cdef object slice_(Loop* loop, PyObject** args, int n):
    """(self, dim, start, end, step)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    return seen_as(a, &g) if a is not None and range_at(&args[1], &g) else None


cdef bint range_at(PyObject** args, Geometry* g) except -1:
    """Let `g` be its part at (dim, start, end, step); False where it has none."""
    cdef int axis = 0
    cdef int64_t start = 0, end = 0, step = 0
    if not axis_at(args[0], g.ndim, &axis):
        return False
    if not as_int64(args[1], &start) and <object>args[1] is not None:
        return False
    if <object>args[2] is None:
        end = g.dims[axis]
    elif not as_int64(args[2], &end):
        return False
    if not as_int64(args[3], &step) or step <= 0:
        return False
    range_of(g, axis, start, end, step)
    return True


cdef object diagonal(Loop* loop, PyObject** args, int n):
    """(self, offset, dim1, dim2)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    return seen_as(a, &g) if a is not None and diagonal_at(&args[1], &g) else None


cdef bint diagonal_at(PyObject** args, Geometry* g) except -1:
    """Let `g` be its diagonal (offset, dim1, dim2); False where it has none."""
    cdef int i = 0, j = 0
    cdef npy_intp offset = 0, rows, columns, size, stride
    if not as_int(args[0], &offset) or not axis_at(args[1], g.ndim, &i) or not axis_at(args[2], g.ndim, &j) or i == j:
        return False
    rows, columns = g.dims[i], g.dims[j]
    if not -rows <= offset <= columns:
        return False
    if offset >= 0:
        columns -= offset
    else:
        rows += offset
    size = rows if rows < columns else columns
    if size > 0:
        g.data += offset * g.strides[j] if offset >= 0 else -offset * g.strides[i]
    stride = g.strides[i] + g.strides[j]
    drop(g, i if i > j else j)
    drop(g, j if i > j else i)
    g.dims[g.ndim] = size
    g.strides[g.ndim] = stride
    g.ndim += 1
    return True


cdef object unfold(Loop* loop, PyObject** args, int n):
    """(self, dimension, size, step)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int axis = 0
    cdef npy_intp size = 0, step = 0
    if a is None or not axis_at(args[1], g.ndim, &axis) or not as_int(args[2], &size) or not as_int(args[3], &step):
        return None
    if size < 0 or size > g.dims[axis] or step <= 0:
        return None
    g.dims[g.ndim] = size
    g.strides[g.ndim] = g.strides[axis]
    g.dims[axis] = (g.dims[axis] - size) // step + 1
    g.strides[axis] *= step
    g.ndim += 1
    return seen_as(a, &g)


# ------------------------------------------------------------------------------ other sizes

cdef object expand(Loop* loop, PyObject** args, int n):
    """(self, size): new dims in front, and -1 for a size that stays"""
    cdef Geometry g
    cdef npy_intp sizes[MAX_DIMS]
    cdef ndarray a = array_at(args, &g)
    cdef int k, lead, count = -1 if a is None else as_ints(args[1], sizes)
    if a is None or count < g.ndim:
        return None
    lead = count - g.ndim
    for k in range(count - 1, -1, -1):
        if k < lead:
            if sizes[k] < 0:
                return None
            g.dims[k] = sizes[k]
            g.strides[k] = 0
            continue
        g.dims[k] = PyArray_DIMS(a)[k - lead]
        g.strides[k] = PyArray_STRIDES(a)[k - lead]
        if sizes[k] == -1 or sizes[k] == g.dims[k]:
            continue
        if g.dims[k] != 1 or sizes[k] < 0:
            return None
        g.dims[k] = sizes[k]
        g.strides[k] = 0
    g.ndim = count
    return seen_as(a, &g)


cdef object view(Loop* loop, PyObject** args, int n):
    """(self, size), where the layout of the array allows it"""
    cdef Geometry g
    cdef npy_intp sizes[MAX_DIMS]
    cdef ndarray a = array_at(args, &g)
    cdef int k, open = -1, count = -1 if a is None else as_ints(args[1], sizes)
    cdef npy_intp total, product = 1
    if count < 0:
        return None
    total = PyArray_SIZE(a)
    for k in range(count):
        if sizes[k] < 0:
            if sizes[k] != -1 or open >= 0:
                return None
            open = k
        else:
            product *= sizes[k]
    if open >= 0:
        if product == 0 or total % product:
            return None
        sizes[open] = total // product
        product = total
    if product != total:
        return None
    if not PyArray_IS_C_CONTIGUOUS(a):
        return seen_as(a, &g) if regrouped(&g, sizes, count) else None
    g.ndim = count
    for k in range(count):
        g.dims[k] = sizes[k]
    in_order(&g, PyArray_ITEMSIZE(a))
    return seen_as(a, &g)


cdef void in_order(Geometry* g, npy_intp stride) noexcept:
    """Let the elements, which take so many bytes, follow one another."""
    cdef int k
    for k in range(g.ndim - 1, -1, -1):
        g.strides[k] = stride
        if g.dims[k]:
            stride *= g.dims[k]


cdef bint regrouped(Geometry* g, npy_intp* sizes, int count) noexcept:
    """Give it these sizes, of as many elements; False where that needs a copy.

    Dims that follow each other in memory are a group, and each group must be that of some of the new dims.  Where dims
    of one element belong says PyTorch.
    """
    cdef npy_intp strides[MAX_DIMS]
    cdef npy_intp group = 1, taken = 1, step = g.strides[g.ndim - 1]
    cdef int k, to = count - 1
    for k in range(g.ndim - 1, -1, -1):
        group *= g.dims[k]
        if k and (g.dims[k - 1] == 1 or g.strides[k - 1] == group * step):
            continue
        while to >= 0 and (taken < group or sizes[to] == 1):
            strides[to] = taken * step
            taken *= sizes[to]
            to -= 1
        if taken != group:
            return False
        group = taken = 1
        if k:
            step = g.strides[k - 1]
    g.ndim = count
    for k in range(count):
        g.dims[k], g.strides[k] = sizes[k], strides[k]
    return True


cdef ndarray owner_of(ndarray a):
    """The array whose memory `a` is a part of."""
    while PyArray_BASE(a) != NULL and isinstance(<object>PyArray_BASE(a), ndarray):
        a = <ndarray>PyArray_BASE(a)
    return a


cdef tuple place_of(ndarray a):
    """The strides of an array, and where it begins in the memory of its owner, both in elements."""
    cdef npy_intp item = PyArray_ITEMSIZE(a)
    cdef int k
    steps = tuple([PyArray_STRIDES(a)[k] // item for k in range(PyArray_NDIM(a))])
    return steps, (<char*>PyArray_DATA(a) - <char*>PyArray_DATA(owner_of(a))) // item


def lies_at(ndarray a not None):
    """The same for Python."""
    return place_of(a)


cdef object as_strided(Loop* loop, PyObject** args, int n):
    """(self, size, stride, storage_offset, _, self_offset), in the memory of an owner without gaps"""
    cdef Geometry g
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp steps[MAX_DIMS]
    cdef npy_intp item, room, last = 0, elements = 1
    cdef ndarray owner, a = array_at(args, &g)
    cdef int k, count = -1 if a is None else as_ints(args[1], sizes)
    if count < 0 or as_ints(args[2], steps) != count:
        return None
    if not as_int(args[5] if <object>args[3] is None else args[3], &last) or last < 0:
        return None
    owner = owner_of(a)
    if PyArray_TYPE(owner) != PyArray_TYPE(a) or not PyArray_IS_C_CONTIGUOUS(owner):
        return None
    item, room = PyArray_ITEMSIZE(a), PyArray_SIZE(owner)
    g.ndim = count
    g.data = <char*>PyArray_DATA(owner) + last * item if last < room else NULL
    for k in range(count):
        # sizes and steps beyond the memory are left alone before anything is multiplied by them
        if sizes[k] <= 0 or steps[k] < 0 or sizes[k] > MOST_SEEN // elements:
            return None
        elements *= sizes[k]
        if sizes[k] > 1 and steps[k] > 0 and (steps[k] > room or sizes[k] > room):
            return None
        last += (sizes[k] - 1) * steps[k] if sizes[k] > 1 else 0
        if last >= room or steps[k] > MOST_SEEN:
            return None
        g.dims[k], g.strides[k] = sizes[k], steps[k] * item
    return None if last >= room else seen_as(owner, &g)


cdef object alias(Loop* loop, PyObject** args, int n):
    """(self)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    return None if a is None else seen_as(a, &g)


# ------------------------------------------------------------------------------ pairs of real numbers

cdef object view_as_real(Loop* loop, PyObject** args, int n):
    """(self)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    cdef int num = -1 if a is None or not PyArray_ISNOTSWAPPED(a) else PyArray_TYPE(a)
    if num != NPY_CFLOAT and num != NPY_CDOUBLE:
        return None
    g.dims[g.ndim], g.strides[g.ndim] = 2, PyArray_ITEMSIZE(a) // 2
    g.ndim += 1
    return seen_as_dtype(a, &g, PyArray_DescrFromType(NPY_FLOAT if num == NPY_CFLOAT else NPY_DOUBLE))


cdef object view_as_complex(Loop* loop, PyObject** args, int n):
    """(self)"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    return None if a is None else pairs(a, &g)


cdef object pairs(ndarray a, Geometry* g):
    """The pairs of the last dim as complex numbers; None where they are none, or others lie between them."""
    cdef int num = PyArray_TYPE(a), k
    cdef npy_intp item = PyArray_ITEMSIZE(a)
    if num != NPY_FLOAT and num != NPY_DOUBLE or not PyArray_ISNOTSWAPPED(a):
        return None
    if g.ndim == 0 or g.dims[g.ndim - 1] != 2 or g.strides[g.ndim - 1] != item:
        return None
    g.ndim -= 1
    for k in range(g.ndim):
        if g.dims[k] != 1 and g.strides[k] % (2 * item):
            return None
    return seen_as_dtype(a, g, PyArray_DescrFromType(NPY_CFLOAT if num == NPY_FLOAT else NPY_CDOUBLE))


cdef object pairs_to_complex(Loop* loop, PyObject** args, int n):
    """(self), of any layout: its copy has the pairs together"""
    cdef Geometry g
    cdef ndarray a = array_at(args, &g)
    if a is None:
        return None
    a = new_copy(a, NPY_CORDER)
    take_geometry(a, &g)
    return pairs(a, &g)

"""Elements chosen by number or by mask: read, written or added to.

All of these have one plan, in two steps.  First every choice becomes a *place*, the distance in bytes from the
beginning of the array; each number is checked on the way.  Then one block after the other is read from its place,
written to it or added to what is there::

    x of (4, 3), float32            places                  blocks of
    x.index_select(0, [2, 0])       24, 0                   12 bytes
    x.index_select(1, [2, 0])       8, 0    for each row    4 bytes
    x[[2, 0], [1, 1]]               28, 4                   4 bytes
    x.gather(1, [[2], [0]])         8, 12                   4 bytes
    x[x > 0]                        those of the elements   4 bytes

Reading repeats elements, and the transpose adds to them, in the order of the places.  What does not fit (a number out
of bounds, a float as an index, sizes that disagree) is left to the general way, which says why.
"""

from cpython.ref cimport PyObject
from libc.string cimport memset
cimport numpy as cnp
from numpy cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64,
                    NPY_INTP, NPY_UINT8, PyArray_DATA, PyArray_DIMS, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE,
                    PyArray_NBYTES, PyArray_NDIM, PyArray_SIZE, PyArray_SimpleNew, PyArray_TYPE, PyArray_ZEROS, int64_t,
                    ndarray, npy_intp)
from minigrad._core.geometry cimport MAX_DIMS, Geometry, as_int, as_ints, axis_at, seen_as, take_geometry
from minigrad._core.loops cimport LARGE, same_shape
from minigrad._core.moving cimport LARGEST_ELEMENT, MOST, copied, element, fresh, movable, move, sizes_at, zeros

cnp.import_array()

cdef extern from "numpy/arrayobject.h":
    object PyArray_Cast(ndarray, int)

cdef extern from "choosing.h" nogil:
    npy_intp* mg_own_places(npy_intp* places, int ndim, npy_intp* dims, npy_intp* strides, npy_intp start) noexcept
    npy_intp* mg_choose_64(npy_intp* places, int ndim, npy_intp* dims, char* index, npy_intp* strides, npy_intp size,
                           npy_intp stride, int from_end) noexcept
    npy_intp* mg_choose_32(npy_intp* places, int ndim, npy_intp* dims, char* index, npy_intp* strides, npy_intp size,
                           npy_intp stride, int from_end) noexcept
    npy_intp* mg_masked_places(npy_intp* places, int ndim, npy_intp* dims, char* mask, npy_intp* mask_strides,
                               npy_intp* strides, npy_intp start) noexcept
    npy_intp mg_count_mask(int ndim, npy_intp* dims, char* mask, npy_intp* strides) noexcept
    void mg_read_places(char* to, char* data, npy_intp* places, npy_intp n, npy_intp block) noexcept
    void mg_write_places(char* data, npy_intp* places, npy_intp n, char* source, npy_intp step, npy_intp block) noexcept
    void mg_add_places(char* data, npy_intp* places, npy_intp n, char* source, npy_intp step, npy_intp block,
                       int type) noexcept
    void mg_multiply_places(char* data, npy_intp* places, npy_intp n, char* source, npy_intp step, npy_intp block,
                            int type) noexcept
    int64_t* mg_coordinates(int64_t* out, npy_intp count, int ndim, int axis, npy_intp* dims, char* mask,
                            npy_intp* strides, int64_t* at) noexcept
    int MG_FLOAT, MG_DOUBLE, MG_INT8, MG_INT16, MG_INT32, MG_INT64

cdef enum:
    FEW = 128

cdef struct Table:
    npy_intp* places
    npy_intp count
    int ndim                    # the sizes of what is chosen, without the dims around it
    npy_intp dims[MAX_DIMS]
    npy_intp few[FEW]

cdef enum Action:
    READ
    WRITE
    ADD
    MULTIPLY


# ------------------------------------------------------------------------------ the table

cdef object room(Table* t, npy_intp count):
    """Make room for so many places; the caller keeps what is returned for as long as it uses the table."""
    cdef ndarray many
    t.count = count
    if count < FEW:
        t.places = t.few
        return None
    count += 1                  # one more, for masked places
    many = PyArray_SimpleNew(1, &count, NPY_INTP)
    t.places = <npy_intp*>PyArray_DATA(many)
    return many


cdef npy_intp sizes_of(Table* t, ndarray like) noexcept:
    """Let what is chosen have the sizes of this array; returns how many elements these are."""
    cdef int k
    t.ndim = PyArray_NDIM(like)
    for k in range(t.ndim):
        t.dims[k] = PyArray_DIMS(like)[k]
    return PyArray_SIZE(like)


cdef inline bint is_index(object x) noexcept:
    return (type(x) is ndarray and (PyArray_TYPE(<ndarray>x) == NPY_INT64 or PyArray_TYPE(<ndarray>x) == NPY_INT32)
            and movable(<ndarray>x))


cdef inline bint is_mask(object x) noexcept:
    return type(x) is ndarray and PyArray_TYPE(<ndarray>x) == NPY_BOOL and movable(<ndarray>x)


cdef inline void at_zero(Table* t) noexcept:
    memset(t.places, 0, t.count * sizeof(npy_intp))


cdef bint choose(Table* t, ndarray index, npy_intp size, npy_intp stride, bint from_end) noexcept:
    """Lead each place on by a number, times `stride`; False if one is out of bounds.

    The index has the sizes of the table, or broadcasts to them.
    """
    cdef Geometry g
    take_geometry(index, &g)
    broadcast(&g, t.ndim, t.dims)
    if PyArray_TYPE(index) == NPY_INT64:
        return mg_choose_64(t.places, t.ndim, t.dims, g.data, g.strides, size, stride, from_end) != NULL
    return mg_choose_32(t.places, t.ndim, t.dims, g.data, g.strides, size, stride, from_end) != NULL


cdef bint broadcast(Geometry* g, int ndim, npy_intp* dims) noexcept:
    """Repeat `g` to these sizes; False where they do not fit."""
    cdef int k, lead = ndim - g.ndim
    if lead < 0:
        return False
    for k in range(ndim - 1, -1, -1):
        if k < lead:
            g.strides[k] = 0
        else:
            if g.dims[k - lead] != dims[k] and g.dims[k - lead] != 1:
                return False
            g.strides[k] = 0 if g.dims[k - lead] == 1 else g.strides[k - lead]
        g.dims[k] = dims[k]
    g.ndim = ndim
    return True


cdef bint join_sizes(int* ndim, npy_intp* dims, ndarray a) noexcept:
    """Let these be the sizes to which they and those of `a` broadcast; False where there are none."""
    cdef int k, n = PyArray_NDIM(a), lead = n - ndim[0]
    cdef npy_intp size
    if lead > 0:
        for k in range(n - 1, -1, -1):
            dims[k] = dims[k - lead] if k >= lead else 1
        ndim[0], lead = n, 0
    for k in range(n):
        size = PyArray_DIMS(a)[k]
        if dims[k - lead] == 1:
            dims[k - lead] = size
        elif size != 1 and size != dims[k - lead]:
            return False
    return True


# ------------------------------------------------------------------------------ using it

cdef struct Around:
    # The dims of an array that are not chosen from: the choice is made at each place of `before`, and takes a block
    # with all of `after`.
    char* data
    Geometry before
    Geometry after


cdef void around(Geometry* g, int first, int last, Around* w) noexcept:
    """The dims before `first`, and those from `last` on."""
    cdef int k
    w.data, w.before.ndim, w.after.ndim = g.data, first, g.ndim - last
    for k in range(first):
        w.before.dims[k], w.before.strides[k] = g.dims[k], g.strides[k]
    for k in range(last, g.ndim):
        w.after.dims[k - last], w.after.strides[k - last] = g.dims[k], g.strides[k]


cdef void whole_sizes(Around* w, Table* t, Geometry* g) noexcept:
    """The sizes of what is chosen, in `g`: before, the sizes of the table, after."""
    cdef int k
    g.ndim = w.before.ndim + t.ndim + w.after.ndim
    for k in range(w.before.ndim):
        g.dims[k] = w.before.dims[k]
    for k in range(t.ndim):
        g.dims[w.before.ndim + k] = t.dims[k]
    for k in range(w.after.ndim):
        g.dims[w.before.ndim + t.ndim + k] = w.after.dims[k]


cdef bint meet(Table* t, Around* w, Action action, int num, npy_intp item, char* other, bint one) except -1:
    """Read from the places, or write, add or multiply there, from first to last in `other`.

    With `one`, that is one element, which goes everywhere.  False if there is no adding or multiplying for the dtype.
    """
    cdef npy_intp block = item, k, n
    cdef Table larger
    cdef ndarray filled
    cdef object keep
    cdef int type_ = number_type(num)
    if action >= ADD and not combines(num, action):
        return False
    for k in range(w.before.ndim):
        if w.before.dims[k] == 0:
            return True
    while w.after.ndim and (w.after.strides[w.after.ndim - 1] == block or w.after.dims[w.after.ndim - 1] == 1):
        w.after.ndim -= 1
        block *= w.after.dims[w.after.ndim]
    n = 1
    for k in range(w.after.ndim):
        n *= w.after.dims[k]
    if n * t.count * block == 0:
        return True
    if w.after.ndim:                    # no blocks in a row: a place for each of them
        keep = room(&larger, t.count * n)
        for k in range(t.count):
            mg_own_places(larger.places + k * n, w.after.ndim, w.after.dims, w.after.strides, t.places[k])
        w.after.ndim = 0
        t = &larger
    if one and block != item:           # a block that is filled with it
        filled = PyArray_SimpleNew(1, &block, NPY_UINT8)
        for k in range(block // item):
            copy_item(<char*>PyArray_DATA(filled) + k * item, other, item)
        other = <char*>PyArray_DATA(filled)
    if t.count * block < LARGE:
        each_before(t, &w.before, 0, w.data, action, type_, block, &other, one)
    else:
        with nogil:
            each_before(t, &w.before, 0, w.data, action, type_, block, &other, one)
    return True


cdef inline void copy_item(char* to, char* source, npy_intp item) noexcept nogil:
    cdef npy_intp nowhere = 0
    mg_write_places(to, &nowhere, 1, source, 0, item)


cdef void each_before(Table* t, Geometry* before, int axis, char* data, Action action, int type_, npy_intp block,
                      char** other, bint one) noexcept nogil:
    """The action at each place of the dims before; `other` moves on with them."""
    cdef npy_intp i
    if axis < before.ndim:
        for i in range(before.dims[axis]):
            each_before(t, before, axis + 1, data + i * before.strides[axis], action, type_, block, other, one)
        return
    if action == READ:
        mg_read_places(other[0], data, t.places, t.count, block)
    elif action == WRITE:
        mg_write_places(data, t.places, t.count, other[0], 0 if one else block, block)
    elif action == MULTIPLY:
        mg_multiply_places(data, t.places, t.count, other[0], 0 if one else block, block, type_)
    else:
        mg_add_places(data, t.places, t.count, other[0], 0 if one else block, block, type_)
    if not one:
        other[0] += t.count * block


cdef int number_type(int num) noexcept:
    """As what numbers of this dtype are added: complex ones as two; -1 where we do not."""
    if num == NPY_FLOAT or num == NPY_CFLOAT:
        return MG_FLOAT
    if num == NPY_DOUBLE or num == NPY_CDOUBLE:
        return MG_DOUBLE
    if num == NPY_INT64:
        return MG_INT64
    if num == NPY_INT32:
        return MG_INT32
    if num == NPY_INT16:
        return MG_INT16
    return MG_INT8 if num == NPY_INT8 or num == NPY_UINT8 else -1


cdef inline bint combines(int num, Action action) noexcept:
    """Can elements of this dtype be added or multiplied?"""
    return number_type(num) >= 0 and not (action == MULTIPLY and (num == NPY_CFLOAT or num == NPY_CDOUBLE))


cdef ndarray read(Table* t, Around* w, ndarray a):
    """What is chosen from `a`, as a new array."""
    cdef Geometry g
    cdef ndarray out
    whole_sizes(w, t, &g)
    out = fresh(a, &g)
    meet(t, w, READ, PyArray_TYPE(a), PyArray_ITEMSIZE(a), <char*>PyArray_DATA(out), False)
    return out


cdef bint store(Table* t, Around* w, Action action, ndarray out, ndarray values) except -1:
    """Write or add values, which broadcast to what is chosen, to `out`; False where they do not fit."""
    cdef Geometry wanted, g
    if PyArray_TYPE(out) != PyArray_TYPE(values) or not movable(values):
        return False
    whole_sizes(w, t, &wanted)
    take_geometry(values, &g)
    if not broadcast(&g, wanted.ndim, wanted.dims):
        return False
    if PyArray_SIZE(values) == 1:
        return meet(t, w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(values), True)
    values = in_order(values, &g)
    return meet(t, w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(values), False)


cdef bint store_element(Table* t, Around* w, Action action, ndarray out, object value) except -1:
    """Write one number everywhere, or add it; False where it is not exactly an element."""
    cdef char bytes_[LARGEST_ELEMENT]
    if not element(value, out, bytes_):
        return False
    return meet(t, w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), bytes_, True)


cdef bint store_zero(Table* t, Around* w, ndarray out) except -1:
    cdef char bytes_[LARGEST_ELEMENT]
    if PyArray_ITEMSIZE(out) > LARGEST_ELEMENT:
        return False
    memset(bytes_, 0, LARGEST_ELEMENT)
    return meet(t, w, WRITE, PyArray_TYPE(out), PyArray_ITEMSIZE(out), bytes_, True)


cdef ndarray in_order(ndarray a, Geometry* g):
    """The elements of `a` that have this geometry, one after the other in memory; `a` itself if they are."""
    cdef ndarray out
    cdef Geometry to
    cdef npy_intp total = 1
    cdef int k
    for k in range(g.ndim):
        total *= g.dims[k]
    if PyArray_IS_C_CONTIGUOUS(a) and total == PyArray_SIZE(a):
        return a
    out = fresh(a, g)
    take_geometry(out, &to)
    move(&to, g, PyArray_ITEMSIZE(a))
    return out


cdef ndarray array(PyObject* x, Geometry* g):
    """An array whose elements can be moved, with its geometry in `g`; else None."""
    if type(<object>x) is not ndarray or not movable(<ndarray>x):
        return None
    take_geometry(<ndarray>x, g)
    return <ndarray>x


cdef ndarray zeros_like_of(PyObject* grad, PyObject* sizes, Geometry* g):
    """Zeros of these sizes, with their geometry, in the dtype of the gradient; None where there are none."""
    cdef ndarray out
    if type(<object>grad) is not ndarray or not movable(<ndarray>grad) or not sizes_at(sizes, g):
        return None
    out = zeros(<ndarray>grad, g)
    take_geometry(out, g)
    return out


cdef bint has_sizes(ndarray a, Around* w, Table* t) noexcept:
    """Has this array the sizes of what is chosen?"""
    cdef Geometry g
    cdef int k
    whole_sizes(w, t, &g)
    if PyArray_NDIM(a) != g.ndim:
        return False
    for k in range(g.ndim):
        if PyArray_DIMS(a)[k] != g.dims[k]:
            return False
    return True


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
    """(self, dim, index, source, alpha), where alpha is 1"""
    return stored_parts(args, ADD) if <object>args[4] is not True and <object>args[4] == 1 else None


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


cdef object masked_table(Table* t, ndarray mask, int ndim, npy_intp* dims, npy_intp* strides):
    """The table of the elements for which the mask is True, of an array with these sizes and strides."""
    cdef Geometry m
    cdef object keep
    take_geometry(mask, &m)
    broadcast(&m, ndim, dims)
    keep = room(t, mg_count_mask(ndim, dims, m.data, m.strides))
    mg_masked_places(t.places, ndim, dims, m.data, m.strides, strides, 0)
    t.ndim, t.dims[0] = 1, t.count
    return keep


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


# ------------------------------------------------------------------------------ single elements along a dim

cdef object along(Table* t, Around* w, Geometry* g, PyObject* dim, PyObject* index):
    """The table of the elements whose number along `dim` is in the index, and whose other coordinates are its own."""
    cdef int axis = 0, k
    cdef npy_intp stride
    cdef ndarray i
    cdef object keep
    if not axis_at(dim, g.ndim, &axis) or not is_index(<object>index):
        return None
    i = <ndarray>index
    if PyArray_NDIM(i) != g.ndim or not PyArray_SIZE(i):
        return None
    for k in range(g.ndim):
        if k != axis and PyArray_DIMS(i)[k] > g.dims[k]:
            return None
    keep = room(t, sizes_of(t, i))
    stride, g.strides[axis] = g.strides[axis], 0
    mg_own_places(t.places, t.ndim, t.dims, g.strides, 0)
    if not choose(t, i, g.dims[axis], stride, False):
        return None
    around(g, 0, g.ndim, w)
    return True if keep is None else keep


cdef ndarray corner(PyObject* x, Table* t):
    """The part of an array at the places of the table's own sizes, in order; None where it is smaller."""
    cdef Geometry g
    cdef ndarray a = array(x, &g)
    cdef int k
    if a is None or g.ndim != t.ndim:
        return None
    for k in range(g.ndim):
        if g.dims[k] < t.dims[k]:
            return None
        g.dims[k] = t.dims[k]
    return in_order(a, &g)


cdef object gather(Loop* loop, PyObject** args, int n):
    """(self, dim, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    keep = None if a is None else along(&t, &w, &g, args[1], args[2])
    return None if keep is None else read(&t, &w, a)


cdef object gather_into(Loop* loop, PyObject** args, int n):
    """(self, dim, index, sizes), where these are the sizes of the index"""
    cdef npy_intp sizes[MAX_DIMS]
    cdef int k, ndim = as_ints(args[3], sizes)
    if type(<object>args[2]) is not ndarray or PyArray_NDIM(<ndarray>args[2]) != ndim:
        return None
    for k in range(ndim):
        if sizes[k] != PyArray_DIMS(<ndarray>args[2])[k]:
            return None
    return gather(loop, args, n)


cdef object gather_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, dim, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray grad, out = zeros_like_of(args[0], args[1], &g)
    keep = None if out is None else along(&t, &w, &g, args[2], args[3])
    grad = None if keep is None else corner(args[0], &t)
    return out if grad is not None and store(&t, &w, ADD, out, grad) else None


cdef object scatter(Loop* loop, PyObject** args, int n):
    """(self, dim, index, src), an array or a number"""
    return scattered(args, WRITE)


cdef object scatter_add(Loop* loop, PyObject** args, int n):
    """(self, dim, index, src)"""
    return scattered(args, ADD)


cdef object scatter_reduce(Loop* loop, PyObject** args, int n):
    """(self, dim, index, src, reduce)"""
    how = <object>args[4]
    return scattered(args, ADD) if how == "add" else scattered(args, MULTIPLY) if how == "multiply" else None


cdef object scattered(PyObject** args, Action action):
    """A copy with the elements of `src`, or one number, written at the places, or added or multiplied there."""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray src, out, a = array(args[0], &g)
    if a is None or (action >= ADD and not combines(PyArray_TYPE(a), action)):
        return None
    out = copied(a)
    take_geometry(out, &g)
    keep = along(&t, &w, &g, args[1], args[2])
    if keep is None:
        return None
    if type(<object>args[3]) is not ndarray:
        return out if store_element(&t, &w, action, out, <object>args[3]) else None
    src = corner(args[3], &t)
    return out if src is not None and store(&t, &w, action, out, src) else None


# ------------------------------------------------------------------------------ elements of the flat array

cdef object flat(Table* t, Around* w, ndarray a, PyObject* index):
    """The table of the elements of a contiguous array with these numbers, counted through all of it."""
    cdef Geometry g
    cdef object keep
    if type(<object>index) is not ndarray or PyArray_TYPE(<ndarray>index) != NPY_INT64 or not movable(<ndarray>index):
        return None
    g.ndim, g.data = 0, <char*>PyArray_DATA(a)
    keep = room(t, sizes_of(t, <ndarray>index))
    at_zero(t)
    if not choose(t, <ndarray>index, PyArray_SIZE(a), PyArray_ITEMSIZE(a), True):
        return None
    around(&g, 0, 0, w)
    return True if keep is None else keep


cdef object take(Loop* loop, PyObject** args, int n):
    """(self, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    if a is None:
        return None
    a = in_order(a, &g)
    keep = flat(&t, &w, a, args[1])
    return None if keep is None else read(&t, &w, a)


cdef object take_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, index)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out = zeros_like_of(args[0], args[1], &g)
    keep = None if out is None else flat(&t, &w, out, args[2])
    if keep is None or not has_sizes(<ndarray>args[0], &w, &t) or not store(&t, &w, ADD, out, <ndarray>args[0]):
        return None
    return out


cdef object put(Loop* loop, PyObject** args, int n):
    """(self, index, source, accumulate)"""
    cdef Geometry g, s
    cdef Table t
    cdef Around w
    cdef ndarray out, a = array(args[0], &g), source = array(args[2], &s)
    cdef Action action = ADD if <object>args[3] is True else WRITE
    if a is None or source is None or type(<object>args[3]) is not bool or PyArray_TYPE(a) != PyArray_TYPE(source):
        return None
    if action >= ADD and not combines(PyArray_TYPE(a), action):
        return None
    out = copied(a)
    keep = flat(&t, &w, out, args[1])
    if keep is None or t.count != PyArray_SIZE(source):
        return None
    source = in_order(source, &s)
    meet(&t, &w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(source), False)
    return out


cdef object put_backward(Loop* loop, PyObject** args, int n):
    """(grad, index, accumulate)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out, a = array(args[0], &g)
    if a is None or type(<object>args[2]) is not bool:
        return None
    out = copied(a)
    if <object>args[2] is True:
        return out
    keep = flat(&t, &w, out, args[1])
    return out if keep is not None and store_zero(&t, &w, out) else None


# ------------------------------------------------------------------------------ masks that broadcast

cdef object under_mask(Table* t, Around* w, Geometry* g, PyObject* mask):
    """The table of what a mask chooses from an array that broadcasts together with it."""
    cdef object keep
    cdef int ndim = g.ndim
    cdef npy_intp dims[MAX_DIMS]
    cdef int k
    if not is_mask(<object>mask):
        return None
    for k in range(ndim):
        dims[k] = g.dims[k]
    if not join_sizes(&ndim, dims, <ndarray>mask) or not broadcast(g, ndim, dims):
        return None
    keep = masked_table(t, <ndarray>mask, ndim, dims, g.strides)
    around(g, 0, g.ndim, w)
    return True if keep is None else keep


cdef object masked_select(Loop* loop, PyObject** args, int n):
    """(self, mask)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g)
    keep = None if a is None else under_mask(&t, &w, &g, args[1])
    return None if keep is None else read(&t, &w, a)


cdef object masked_select_backward(Loop* loop, PyObject** args, int n):
    """(grad, mask, input_sizes)"""
    cdef Geometry g
    cdef Table t
    cdef Around w
    cdef ndarray out
    if not sizes_at(args[2], &g) or not is_mask(<object>args[1]):
        return None
    if type(<object>args[0]) is not ndarray or not join_sizes(&g.ndim, g.dims, <ndarray>args[1]):
        return None
    out = zeros(<ndarray>args[0], &g)
    take_geometry(out, &g)
    keep = under_mask(&t, &w, &g, args[1])
    if keep is None or not has_sizes(<ndarray>args[0], &w, &t) or not store(&t, &w, WRITE, out, <ndarray>args[0]):
        return None
    return out


cdef object masked_scatter(Loop* loop, PyObject** args, int n):
    """(self, mask, source)"""
    cdef Geometry g, to
    cdef ndarray out, a = array(args[0], &g)
    if a is None or not is_mask(<object>args[1]) or type(<object>args[2]) is not ndarray:
        return None
    if PyArray_TYPE(a) != PyArray_TYPE(<ndarray>args[2]):
        return None
    to.ndim = 0
    if not join_sizes(&to.ndim, to.dims, a) or not join_sizes(&to.ndim, to.dims, <ndarray>args[1]):
        return None
    broadcast(&g, to.ndim, to.dims)
    out = fresh(a, &to)
    take_geometry(out, &to)
    move(&to, &g, PyArray_ITEMSIZE(a))
    return out if from_the_first(out, args[1], args[2]) else None


cdef bint from_the_first(ndarray out, PyObject* mask, PyObject* source) except -1:
    """Write the first elements of `source` where the mask is True; False where they do not suffice."""
    cdef Geometry g, s
    cdef Table t
    cdef Around w
    cdef ndarray values = array(source, &s)
    take_geometry(out, &g)
    keep = None if values is None else under_mask(&t, &w, &g, mask)
    if keep is None or t.count > PyArray_SIZE(values) or g.ndim != PyArray_NDIM(out):
        return False
    values = in_order(values, &s)
    return meet(&t, &w, WRITE, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(values), False)


cdef object masked_read(Loop* loop, PyObject** args, int n):
    """(grad, mask, sizes)"""
    cdef Geometry g, sizes
    cdef Table t
    cdef Around w
    cdef ndarray a = array(args[0], &g), out
    cdef int ndim = g.ndim if a is not None else 0
    out = None if a is None else zeros_like_of(args[0], args[2], &sizes)
    keep = None if out is None else under_mask(&t, &w, &g, args[1])
    if keep is None or g.ndim != ndim or t.count > PyArray_SIZE(out) or not same_sizes(&g, a):
        return None
    meet(&t, &w, READ, PyArray_TYPE(a), PyArray_ITEMSIZE(a), <char*>PyArray_DATA(out), False)
    return out


cdef bint same_sizes(Geometry* g, ndarray a) noexcept:
    cdef int k
    for k in range(g.ndim):
        if g.dims[k] != PyArray_DIMS(a)[k]:
            return False
    return True


cdef object masked_write(Loop* loop, PyObject** args, int n):
    """(self, mask, sizes)"""
    cdef Geometry g
    cdef ndarray out = zeros_like_of(args[0], args[2], &g)
    cdef int ndim
    if out is None or not is_mask(<object>args[1]):
        return None
    ndim = g.ndim
    if not join_sizes(&ndim, g.dims, <ndarray>args[1]) or ndim != g.ndim or not same_sizes(&g, out):
        return None                     # the mask is larger
    return out if from_the_first(out, args[1], args[0]) else None


# ------------------------------------------------------------------------------ numbers of elements

cdef ndarray coordinates(PyObject* x):
    """A row for each dim, with the coordinates there of all elements that are not zero; None if that is not for us."""
    cdef Geometry g
    cdef npy_intp dims[2]
    cdef int64_t at[MAX_DIMS]
    cdef ndarray out, a = array(x, &g)
    if a is None or PyArray_TYPE(a) > NPY_CDOUBLE:
        return None
    if PyArray_TYPE(a) != NPY_BOOL:
        a = PyArray_Cast(a, NPY_BOOL)
        take_geometry(a, &g)
    dims[0], dims[1] = g.ndim, 0
    if PyArray_SIZE(a):
        dims[1] = mg_count_mask(g.ndim, g.dims, g.data, g.strides)
    out = PyArray_SimpleNew(2, dims, NPY_INT64)
    if dims[1]:
        mg_coordinates(<int64_t*>PyArray_DATA(out), dims[1], g.ndim, 0, g.dims, g.data, g.strides, at)
    return out


cdef object argwhere(Loop* loop, PyObject** args, int n):
    """(self): a row of coordinates for each element that is not zero"""
    cdef Geometry g
    cdef ndarray found = coordinates(args[0])
    if found is None:
        return None
    take_geometry(found, &g)
    g.dims[0], g.dims[1] = g.dims[1], g.dims[0]
    g.strides[0], g.strides[1] = g.strides[1], g.strides[0]
    return seen_as(found, &g)


cdef object indices_by_dim(Loop* loop, PyObject** args, int n):
    """(condition): a vector of coordinates for each dim"""
    cdef Geometry g
    cdef ndarray found = coordinates(args[0])
    cdef list vectors = []
    cdef int k, several
    if found is None or PyArray_DIMS(found)[0] == 0:
        return None
    take_geometry(found, &g)
    several = <int>g.dims[0]
    g.ndim, g.dims[0] = 1, g.dims[1]
    g.strides[0] = sizeof(int64_t)
    for k in range(several):
        vectors.append(seen_as(found, &g))
        g.data += g.dims[0] * <npy_intp>sizeof(int64_t)
    return vectors


cdef object one_hot(Loop* loop, PyObject** args, int n):
    """(self, num_classes)"""
    cdef Geometry g
    cdef npy_intp classes = 0, i, size, number
    cdef ndarray out, a = array(args[0], &g)
    cdef int64_t* numbers
    if a is None or PyArray_TYPE(a) != NPY_INT64 or not as_int(args[1], &classes):
        return None
    a, size = in_order(a, &g), PyArray_SIZE(a)
    numbers = <int64_t*>PyArray_DATA(a)
    if classes == -1:
        for i in range(size):
            classes = max(classes, numbers[i] + 1)
    if classes <= 0:
        return None
    for i in range(size):
        if not 0 <= numbers[i] < classes:
            return None
    g.dims[g.ndim] = classes
    g.ndim += 1
    out = PyArray_ZEROS(g.ndim, g.dims, NPY_INT64, 0)
    for i in range(size):
        number = numbers[i]             # which a thread without the GIL may have changed since
        if 0 <= number < classes:
            (<int64_t*>PyArray_DATA(out))[i * classes + number] = 1
    return out


cdef object counted_from_start(Loop* loop, PyObject** args, int n):
    """(indices, size)"""
    cdef Geometry g
    cdef npy_intp size = 0, i
    cdef ndarray a = array(args[0], &g)
    cdef int64_t* numbers
    if a is None or PyArray_TYPE(a) != NPY_INT64 or not as_int(args[1], &size):
        return None
    a = copied(a)
    numbers = <int64_t*>PyArray_DATA(a)
    for i in range(PyArray_SIZE(a)):
        if numbers[i] < 0:
            numbers[i] += size
    return a

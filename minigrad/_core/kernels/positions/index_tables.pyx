"""Elements chosen by number or by mask: read, written or added to.

All of these have one plan, in two steps.  First every choice becomes a *place*, the distance in bytes from the
beginning of the array; each number is checked on the way.  Then one block after the other is read from its place,
written to it or added to what is there::

    x of (4, 3), float32            places                  blocks of
    x.index_select(0, [2, 0])       24, 0                   12 bytes
    x.index_select(1, [2, 0])       8, 0    for each row    4 bytes
    x[[2, 0], [1, 1]]               28, 4                   4 bytes
    x[x > 0]                        those of the elements   4 bytes

Reading repeats elements, and the transpose adds to them, in the order of the places.  What does not fit (a number out
of bounds, a float as an index, sizes that disagree) is left to the general way, which says why.
"""

from libc.string cimport memcpy, memset
from minigrad._core.kernels.loops.numpy_loops cimport LARGE
from minigrad._core.kernels.shapes.data_movement cimport (LARGEST_ELEMENT, copied, element, fresh, movable, move,
                                                          sizes_at, zeros)
from minigrad._core.kernels.shapes.strided_views cimport Geometry, take_geometry
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_INT16,
                                               NPY_INT32, NPY_INT64, NPY_INT8, NPY_INTP, NPY_UINT8, PyArray_DATA,
                                               PyArray_DIMS, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_STRIDES, PyArray_SimpleNew, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MANY = 64                   # elements or blocks that are moved together from one place, without places of their own

cdef extern from "kernels/positions/index_tables.h" nogil:
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
    int MG_FLOAT, MG_DOUBLE, MG_INT8, MG_INT16, MG_INT32, MG_INT64


# ------------------------------------------------------------------------------ the table

cdef object room(Table* t, npy_intp count):
    """Make room for so many places; the caller keeps what is returned for as long as it uses the table."""
    cdef ndarray many
    t.count = count
    if count < FEW:
        t.places = t.few
        return None
    count += 1                  # one more, for masked places
    many = new_array(1, &count, NPY_INTP)
    t.places = <npy_intp*>PyArray_DATA(many)
    return many


cdef npy_intp sizes_of(Table* t, ndarray like) noexcept:
    """Let what is chosen have the sizes of this array; returns how many elements these are."""
    cdef int k
    t.ndim = PyArray_NDIM(like)
    for k in range(t.ndim):
        t.dims[k] = PyArray_DIMS(like)[k]
    return PyArray_SIZE(like)


cdef bint is_index(object x) noexcept:
    return (type(x) is ndarray and (PyArray_TYPE(<ndarray>x) == NPY_INT64 or PyArray_TYPE(<ndarray>x) == NPY_INT32)
            and movable(<ndarray>x))


cdef bint is_mask(object x) noexcept:
    return type(x) is ndarray and PyArray_TYPE(<ndarray>x) == NPY_BOOL and movable(<ndarray>x)


cdef void at_zero(Table* t) noexcept:
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


cdef object masked_table(Table* t, ndarray mask, int ndim, npy_intp* dims, npy_intp* strides):
    """The table of the elements for which the mask is True, of an array with these sizes and strides."""
    cdef Geometry m
    cdef object keep
    cdef char little[LITTLE]
    cdef ndarray own = own_mask(mask, &m, little)
    broadcast(&m, ndim, dims)
    keep = room(t, mg_count_mask(ndim, dims, m.data, m.strides))
    mg_masked_places(t.places, ndim, dims, m.data, m.strides, strides, 0)
    t.ndim, t.dims[0] = 1, t.count
    return keep


# ------------------------------------------------------------------------------ using it

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
    if w.after.ndim and n >= MANY and action <= WRITE and not one:
        parts_before(t, w, 0, w.data, action == READ, block, &other)
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


cdef void parts_before(Table* t, Around* w, int axis, char* data, bint reading, npy_intp block, char** other) noexcept:
    """Blocks of the dims after that do not lie in a row, from or to where they do: in `other`, which moves on."""
    cdef Geometry dense = w.after
    cdef npy_intp i, size = block
    cdef int k
    if axis < w.before.ndim:
        for i in range(w.before.dims[axis]):
            parts_before(t, w, axis + 1, data + i * w.before.strides[axis], reading, block, other)
        return
    for k in range(dense.ndim - 1, -1, -1):
        dense.strides[k] = size
        size *= dense.dims[k]
    for i in range(t.count):
        dense.data, w.after.data = other[0], data + t.places[i]
        move(&dense if reading else &w.after, &w.after if reading else &dense, block)
        other[0] += size


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


cdef bint combines(int num, Action action) noexcept:
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
    if is_one_number(values):           # such as the gradient of a sum
        return meet(t, w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(values), True)
    values = in_order(values, &g)
    return meet(t, w, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), <char*>PyArray_DATA(values), False)


cdef bint is_one_number(ndarray a) noexcept:
    """Are all of its elements at one place?"""
    cdef int k
    for k in range(PyArray_NDIM(a)):
        if PyArray_DIMS(a)[k] != 1 and (PyArray_DIMS(a)[k] == 0 or PyArray_STRIDES(a)[k] != 0):
            return False
    return True


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


cdef ndarray own_mask(ndarray mask, Geometry* m, char* little):
    """A copy that no other thread changes between counting and finding, in `little` if there is room; keep the result.

    A mask of another thread could become longer in between than the table that was made for it.  See Note [Read once]
    in read_once.pxd.
    """
    take_geometry(mask, m)
    if PyArray_SIZE(mask) <= LITTLE and PyArray_IS_C_CONTIGUOUS(mask):
        memcpy(little, m.data, PyArray_SIZE(mask))
        m.data = little
    else:
        mask = copied(mask)
        take_geometry(mask, m)
    return mask


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

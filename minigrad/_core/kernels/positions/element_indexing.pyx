"""Elements chosen one by one: gather, scatter, take, masks, and the indices of the elements selected by a mask.

The table of places, and what is done at them, is in index_tables.pyx.  An index along one dim, which has a number for
each element, needs no table: the element is read or written as its number is read.
"""

from minigrad._core.kernels.loops.copies cimport in_dtype
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop
from minigrad._core.kernels.positions.index_tables cimport (ADD, LITTLE, MULTIPLY, READ, WRITE, Action, Around,
                                                            Table, around, array, at_zero, broadcast, choose, combines,
                                                            has_sizes, in_order, is_index, is_mask,
                                                            is_one_number, join_sizes, masked_table, meet, number_type,
                                                            own_mask, read, room, sizes_of, store, store_element,
                                                            store_zero, zeros_like_of)
from minigrad._core.kernels.shapes.data_movement cimport (LARGEST_ELEMENT, copied, element, fresh, movable, move,
                                                          sizes_at, zeros)
from minigrad._core.kernels.shapes.strided_views cimport (MAX_DIMS, Geometry, as_int, as_ints, axis_at, seen_as,
                                                          take_geometry)
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_INT64, PyArray_DATA,
                                               PyArray_DIMS, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_SimpleNew, PyArray_TYPE, PyArray_ZEROS, int64_t, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport read_once
from minigrad._core.runtime.type_promotion cimport in_tables, known_num

cdef extern from "kernels/positions/index_tables.h" nogil:
    ctypedef struct Choice "mg_choice":
        npy_intp size, stride, item, step
        int action, type
    char* mg_choose_along(const Choice* c, int ndim, npy_intp* dims, char* data, npy_intp* own, char* index,
                          npy_intp* strides, char* other) noexcept
    npy_intp* mg_own_places(npy_intp* places, int ndim, npy_intp* dims, npy_intp* strides, npy_intp start) noexcept
    npy_intp mg_count_mask(int ndim, npy_intp* dims, char* mask, npy_intp* strides) noexcept
    int64_t* mg_coordinates(int64_t* out, npy_intp count, int ndim, int axis, npy_intp* dims, char* mask,
                            npy_intp* strides, int64_t* at) noexcept


# ------------------------------------------------------------------------------ single elements along a dim

cdef bint along(Table* t, Geometry* g, PyObject* dim, PyObject* index, int* axis) except -1:
    """Does the index choose elements along `dim`, whose other coordinates are its own?

    The table gets the sizes of the index, and no places.
    """
    cdef int k
    cdef ndarray i
    if not axis_at(dim, max(g.ndim, 1), axis) or not is_index(<object>index):
        return False
    i = <ndarray>index
    if PyArray_NDIM(i) != g.ndim or not PyArray_SIZE(i):
        return False
    if g.ndim == 0:                                     # as if it had a dim of size one
        g.dims[0], g.strides[0] = 1, 0
    for k in range(g.ndim):
        if k != axis[0] and PyArray_DIMS(i)[k] > g.dims[k]:
            return False
    t.count = sizes_of(t, i)
    return True


cdef bint each_along(Table* t, Geometry* g, int axis, PyObject* index, Action action, int num, npy_intp item,
                     char* other, bint one) except -1:
    """Read from these elements, or write or add to them, from first to last in `other`; False if one is outside."""
    cdef Geometry i
    cdef Choice c
    cdef ndarray numbers = <ndarray>index
    cdef char* end
    if action >= ADD and not combines(num, action):
        return False
    if PyArray_TYPE(numbers) != NPY_INT64:
        numbers = in_dtype(numbers, NPY_INT64)
    take_geometry(numbers, &i)
    if t.ndim == 0:
        t.ndim, t.dims[0], i.strides[0] = 1, 1, 0
    c.size, c.stride, c.item, c.step = g.dims[axis], g.strides[axis], item, 0 if one else item
    c.action, c.type = action, number_type(num)
    g.strides[axis] = 0
    if t.count * item < LARGE:
        end = mg_choose_along(&c, t.ndim, t.dims, g.data, g.strides, i.data, i.strides, other)
    else:
        with nogil:
            end = mg_choose_along(&c, t.ndim, t.dims, g.data, g.strides, i.data, i.strides, other)
    return end != NULL


cdef ndarray corner(PyObject* x, Table* t, bint one):
    """The part of an array at the places of the table's own sizes, in order unless it is `one` number; None where it is
    smaller."""
    cdef Geometry g
    cdef ndarray a = array(x, &g)
    cdef int k
    if a is None or g.ndim != t.ndim:
        return None
    for k in range(g.ndim):
        if g.dims[k] < t.dims[k]:
            return None
        g.dims[k] = t.dims[k]
    return a if one else in_order(a, &g)


cdef object gather(Loop* loop, PyObject** args, int n):
    """(self, dim, index)"""
    cdef Geometry g
    cdef Table t
    cdef int axis = 0
    cdef ndarray out, a = array(args[0], &g)
    if a is None or not along(&t, &g, args[1], args[2], &axis):
        return None
    out = fresh_of(a, &t)
    return out if each_along(&t, &g, axis, args[2], READ, PyArray_TYPE(a), PyArray_ITEMSIZE(a),
                             <char*>PyArray_DATA(out), False) else None


cdef ndarray fresh_of(ndarray a, Table* t):
    """A new array of the sizes of what is chosen from `a`."""
    cdef Geometry g
    cdef int k
    g.ndim = t.ndim
    for k in range(t.ndim):
        g.dims[k] = t.dims[k]
    return fresh(a, &g)


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
    cdef int axis = 0
    cdef ndarray out = zeros_like_of(args[0], args[1], &g)
    if out is None or not along(&t, &g, args[2], args[3], &axis):
        return None
    return out if put_along(&t, &g, axis, args[3], ADD, out, args[0]) else None


cdef bint put_along(Table* t, Geometry* g, int axis, PyObject* index, Action action, ndarray out,
                    PyObject* source) except -1:
    """Write or add the elements of `source`, an array or a number, to `out`; False where they do not fit."""
    cdef char bytes_[LARGEST_ELEMENT]
    cdef ndarray src
    cdef bint one
    if type(<object>source) is not ndarray:
        return element(<object>source, out, bytes_) and each_along(
            t, g, axis, index, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out), bytes_, True)
    if PyArray_TYPE(<ndarray>source) != PyArray_TYPE(out):
        return False
    one = is_one_number(<ndarray>source)                # such as the gradient of a sum
    src = corner(source, t, one)
    return src is not None and each_along(t, g, axis, index, action, PyArray_TYPE(out), PyArray_ITEMSIZE(out),
                                          <char*>PyArray_DATA(src), one)


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
    cdef int axis = 0
    cdef ndarray out, a = array(args[0], &g)
    if a is None or (action >= ADD and not combines(PyArray_TYPE(a), action)):
        return None
    if not along(&t, &g, args[1], args[2], &axis):
        return None
    out = copied(a)
    take_geometry(out, &g)
    if g.ndim == 0:
        g.dims[0], g.strides[0] = 1, 0
    return out if put_along(&t, &g, axis, args[2], action, out, args[3]) else None


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
    cdef char little[LITTLE]
    cdef ndarray out, a = array(x, &g)
    if a is None or not known_num(in_tables(PyArray_TYPE(a))):
        return None
    if PyArray_TYPE(a) == NPY_BOOL:
        a = own_mask(a, &g, little)
    else:
        a = in_dtype(a, NPY_BOOL)
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
    cdef npy_intp classes = 0, i, size
    cdef int64_t most = 0, number
    cdef ndarray out, a = array(args[0], &g)
    cdef int64_t* numbers
    if a is None or PyArray_TYPE(a) != NPY_INT64 or not as_int(args[1], &classes):
        return None
    a, size = in_order(a, &g), PyArray_SIZE(a)
    numbers = <int64_t*>PyArray_DATA(a)
    if classes == -1:
        for i in range(size):
            most = max(most, numbers[i] + 1)
        classes = <npy_intp>most
    if classes <= 0:
        return None
    for i in range(size):
        if not 0 <= numbers[i] < classes:
            return None
    g.dims[g.ndim] = classes
    g.ndim += 1
    out = PyArray_ZEROS(g.ndim, g.dims, NPY_INT64, 0)
    for i in range(size):
        number = read_once(&numbers[i])         # another thread may have changed it since
        if 0 <= number < classes:
            (<int64_t*>PyArray_DATA(out))[i * classes + <npy_intp>number] = 1
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

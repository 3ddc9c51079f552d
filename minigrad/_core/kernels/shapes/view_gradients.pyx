"""The gradients of views: written among zeros, where the view was; and parts that replace others.

A view reads some elements of its input, so its transpose writes the gradient of each to the same place among zeros::

    x of (3, 4)     x[1]                    grad of (4,)
                    begins at the           zeros of (3, 4), and the gradient
                    second row              from the second row on

Where windows overlap, gradients of one element are added up.
"""

from libc.string cimport memset
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.data_movement cimport (LARGEST_ELEMENT, add, copied, movable_at, move, moved,
                                                          one_everywhere, put, same_sizes, sizes_at, zeros)
from minigrad._core.kernels.shapes.strided_views cimport (Geometry, as_int, as_ints, axis_at, diagonal_at, index_at,
                                                          range_at, take_geometry)
from minigrad._core.runtime.numpy_api cimport (PyArray_DATA, PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    MOST_PLACES = 1 << 30       # of a model of the memory
    MOST_ARGUMENTS = 8          # of a view


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
            or not same_sizes(&g, &view) or not apart(&own) or repeats(&view)):
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


cdef bint repeats(Geometry* g) noexcept:
    """Is an element repeated along a whole dim?  Then gradients are summed along it first, and not added one by one."""
    cdef int k
    for k in range(g.ndim):
        if g.strides[k] == 0 and g.dims[k] > 1:
            return True
    return False


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


# ------------------------------------------------------------------------------ parts in the places of others

cdef object written_where_shown(Loop* loop, PyObject** args, int n):
    """(self, src, ...): a copy with `src` where a view shows it, whose kernel and other arguments these are."""
    cdef Geometry g, to
    cdef ndarray a = movable_at(args, &g), src = movable_at(&args[1], &g), out
    if a is None or src is None or PyArray_TYPE(a) != PyArray_TYPE(src) or not PyArray_IS_C_CONTIGUOUS(a):
        return None
    out = copied(a)
    return out if shown_of(out, loop, &args[2], n - 2, &to) and put(&to, src, &g) else None


cdef object erased_where_shown(Loop* loop, PyObject** args, int n):
    """(self, ...): a copy with zeros there."""
    cdef Geometry g, nothing
    cdef char zero[LARGEST_ELEMENT]
    cdef ndarray out, a = movable_at(args, &g)
    if a is None or PyArray_ITEMSIZE(a) > LARGEST_ELEMENT or not PyArray_IS_C_CONTIGUOUS(a):
        return None
    out = copied(a)
    if not shown_of(out, loop, &args[1], n - 1, &g):
        return None
    memset(zero, 0, LARGEST_ELEMENT)
    one_everywhere(zero, &g, &nothing)
    move(&g, &nothing, PyArray_ITEMSIZE(a))
    return out


cdef bint shown_of(ndarray a, Loop* loop, PyObject** args, int n, Geometry* g) except -1:
    """The geometry of what the view shows of `a`, with these arguments; False where the view has no kernel for it."""
    cdef PyObject* all_of_them[MOST_ARGUMENTS]
    cdef int i
    if n >= MOST_ARGUMENTS:
        return False
    all_of_them[0] = <PyObject*>a
    for i in range(n):
        all_of_them[i + 1] = args[i]
    shown = loop.view(loop, all_of_them, n + 1)
    if shown is None:
        return False
    take_geometry(<ndarray>shown, g)
    return True

"""Subscripts of ints, slices, None, Ellipsis, index tensors and masks: x[0], x[:, 1:3], x[x > 0], read and written.

What a subscript means is written in ops/positions/subscripting.py, with all that can be in one: lists, arrays, bools,
tensors of a transform, and everything that can be wrong.  Here are the most common ones, for ordinary tensors.
Reading, each item but for tensors becomes a view of its own, as in PyTorch::

    x[0, :, None, 2:4]      x.select(0, 0)          the other dims move up
                                                    a whole dim: nothing to do
                             .unsqueeze(1)
                             .slice(2, 2, 4)

A tensor without dims is an int; others choose from what the views leave, by one call of the row ``index``.

Writing, where nothing is recorded, the place is computed, and written to: no view is made.  A write that is recorded is
one of the rows ``copy``, ``fill`` or ``index_put`` in place, into the part that the views leave.
"""

from libc.math cimport INFINITY, fabs
from libc.string cimport memcpy
from minigrad._core.dispatch.call cimport call
from minigrad._core.dispatch.op cimport Op
from minigrad._core.dispatch.torch_function cimport answered, either_unusual, is_unusual
from minigrad._core.graph cimport Tensor, count_write, may_require, new_tensor, version_of
from minigrad._core.graph.special_methods cimport later
from minigrad._core.inplace.write cimport write
from minigrad._core.inplace.write_checks cimport check_history
from minigrad._core.kernels cimport table
from minigrad._core.kernels.loops.copies cimport copy_elements
from minigrad._core.kernels.loops.numpy_loops cimport aligned
from minigrad._core.kernels.positions.block_indexing cimport write_chosen
from minigrad._core.kernels.shapes.data_movement cimport LARGEST_ELEMENT, element, fresh
from minigrad._core.kernels.shapes.strided_views cimport Geometry, array_at, drop, new_axis, range_of, seen_as
from minigrad._core.runtime.core_ops cimport words
from minigrad._core.runtime.numpy_api cimport (NPY_ARRAY_WRITEABLE, NPY_BOOL, NPY_DOUBLE, NPY_FLOAT, NPY_INT32,
                                               NPY_INT64, PyArray_BASE, PyArray_DATA, PyArray_DIMS, PyArray_FLAGS,
                                               PyArray_ITEMSIZE, PyArray_NDIM, PyArray_SIZE, PyArray_STRIDES,
                                               PyArray_TYPE, int32_t, int64_t, ndarray, npy_intp)
from minigrad._core.runtime.provided cimport provided
from minigrad._core.runtime.python_api cimport (PyFloat_AS_DOUBLE, PyFloat_CheckExact, PyLong_AsLongLongAndOverflow,
                                                PyLong_CheckExact, PyObject, PySlice_Check, PyTuple_CheckExact,
                                                PyTuple_GET_ITEM, PyTuple_GET_SIZE)
from minigrad._core.kernels.loops.read_once cimport of_int32, read_once
from minigrad._core.runtime.thread_state cimport State, records, state

cdef extern from "Python.h":
    ctypedef struct PySliceObject:
        PyObject* start
        PyObject* stop
        PyObject* step

cdef object _read = None        # the functions of ops/positions/subscripting.py, which knows all subscripts, and is not
cdef object _write = None       # imported before it is needed

cdef object _false = False

cdef double LARGEST = 3.4028234663852886e38     # of float32

cdef enum:
    MAX_ITEMS = 32

cdef enum What:
    AN_INDEX
    A_RANGE
    WHOLE                       # a whole dim
    A_NEW_DIM
    A_TENSOR                    # of indices, or a mask

cdef struct Item:
    What what
    PyObject* tensor            # borrowed from the subscript
    int width                   # how many dims it takes
    int64_t start               # or the index
    int64_t stop
    int64_t step

cdef int64_t END = 9223372036854775807         # how a slice without an end is recorded, as in PyTorch


cdef object read_in_python(object self, object key):
    if _read is None:
        know_all()
    return _read(self, key)


cdef int write_in_python(object self, object key, object value) except -1:
    if _write is None:
        know_all()
    _write(self, key, value)
    return 0


cdef int know_all() except -1:
    global _read, _write
    _read, _write = provided.subscripts()
    return 0


# ------------------------------------------------------------------------------ taking a subscript apart

cdef inline bint as_int(object x, int64_t* value) except -1:
    cdef int overflow = 0
    if not PyLong_CheckExact(x):
        return False
    value[0] = PyLong_AsLongLongAndOverflow(x, &overflow)
    return overflow == 0


cdef inline bint read_slice(object x, Item* item) except -1:
    cdef PySliceObject* s = <PySliceObject*><PyObject*>x
    item.what = A_RANGE
    item.start, item.stop, item.step = 0, END, 1
    if <object>s.start is not None and not as_int(<object>s.start, &item.start):
        return False
    if <object>s.stop is not None and not as_int(<object>s.stop, &item.stop):
        return False
    if <object>s.step is not None and not as_int(<object>s.step, &item.step):
        return False
    return item.step > 0


cdef int take_apart(object key, ndarray a, Item* items) except -2:
    """The items of a subscript, with a whole dim for each that it does not name up to an Ellipsis; how many there are.

    -1 where something else is among them, or what they say does not fit the array.
    """
    cdef bint several = PyTuple_CheckExact(key)
    cdef Py_ssize_t n = PyTuple_GET_SIZE(key) if several else 1, i
    cdef int left = PyArray_NDIM(a), found = 0, axis = 0
    cdef object x
    if n > MAX_ITEMS or left > MAX_ITEMS:
        return -1
    for i in range(n):
        x = <object>PyTuple_GET_ITEM(key, i) if several else key
        if PyLong_CheckExact(x) or PySlice_Check(x):
            left -= 1
        elif isinstance(x, Tensor):
            left -= places_of(<Tensor>x)
    for i in range(n):
        x = <object>PyTuple_GET_ITEM(key, i) if several else key
        if PyLong_CheckExact(x):
            items[found].what = AN_INDEX
            if left < 0 or not as_int(x, &items[found].start):
                return -1
            if not -PyArray_DIMS(a)[axis] <= items[found].start < PyArray_DIMS(a)[axis]:
                return -1
            axis += 1
        elif PySlice_Check(x):
            if left < 0 or not read_slice(x, &items[found]):
                return -1
            if items[found].start == 0 and items[found].step == 1 and items[found].stop >= PyArray_DIMS(a)[axis]:
                items[found].what = WHOLE
            axis += 1
        elif isinstance(x, Tensor):
            if left < 0 or not read_tensor(<Tensor>x, a, axis, &items[found]):
                return -1
            axis += items[found].width
        elif x is None:
            items[found].what = A_NEW_DIM
        elif x is Ellipsis:
            if found + left >= MAX_ITEMS:
                return -1
            while left > 0:
                items[found].what = WHOLE
                found += 1
                left -= 1
                axis += 1
            continue
        else:
            return -1
        found += 1
        if found >= MAX_ITEMS - 1:
            return -1
    return found


cdef inline int places_of(Tensor x) noexcept:
    """How many dims a tensor takes in a subscript: one, or as many as a mask has."""
    if type(x.payload) is ndarray and PyArray_TYPE(<ndarray>x.payload) == NPY_BOOL:
        return PyArray_NDIM(<ndarray>x.payload)
    return 1


cdef bint read_tensor(Tensor x, ndarray a, int axis, Item* item) noexcept:
    """A tensor as an item: of indices, a mask of the dims from `axis` on, or an int; False if it is none of these."""
    cdef ndarray i
    cdef int k, num
    if type(x.payload) is not ndarray or not aligned(<ndarray>x.payload):
        return False
    i = <ndarray>x.payload
    num = PyArray_TYPE(i)
    item.what, item.tensor, item.width = A_TENSOR, <PyObject*>x, places_of(x)
    if num == NPY_BOOL and PyArray_NDIM(i):
        for k in range(item.width):
            if PyArray_DIMS(i)[k] != PyArray_DIMS(a)[axis + k]:
                return False
        return True
    if num != NPY_INT64 and num != NPY_INT32:
        return False
    if PyArray_NDIM(i):
        return True
    if state().active:                  # a listener hears that it is read
        return False
    item.what = AN_INDEX
    item.start = read_once(<int64_t*>PyArray_DATA(i)) if num == NPY_INT64 else of_int32(<int32_t*>PyArray_DATA(i))
    return -PyArray_DIMS(a)[axis] <= item.start < PyArray_DIMS(a)[axis]


# ------------------------------------------------------------------------------ reading

cdef object view_of(object op, object t, object a, object b, object c, object d):
    """One view: `op(t, a, ...)`."""
    cdef PyObject* bound[5]
    bound[0], bound[1], bound[2] = <PyObject*>t, <PyObject*>a, <PyObject*>b
    bound[3], bound[4] = <PyObject*>c, <PyObject*>d
    return call(<Op>op, bound)


cdef object getitem(object self, object key):
    """`self[key]`."""
    cdef Item items[MAX_ITEMS]
    cdef Tensor t = <Tensor?>self
    cdef list indices
    cdef int n
    cdef object out
    if either_unusual(<PyObject*>self, <PyObject*>key):
        out = answered(Tensor.__getitem__, [self, key], None)
        if out is not NotImplemented:
            return out
    if type(t.payload) is not ndarray:
        return read_in_python(self, key)
    n = take_apart(key, <ndarray>t.payload, items)
    if n < 0:
        return read_in_python(self, key)
    if PySlice_Check(key):
        items[0].what = A_RANGE                 # x[:] is a slice too
    out = seen_through(t, items, n)
    indices = indices_in(items, n)
    if indices is not None:
        return view_of(words.index, out, indices, None, None, None)
    return view_of(words.alias, out, None, None, None, None) if out is t else out


later.read = getitem


cdef list indices_in(Item* items, int n):
    """The tensors among the items, each at the place of its dim in what the views leave, None at others; or None."""
    cdef list found = None
    cdef int i, k, place = 0, covered = 0
    for i in range(n):
        if items[i].what == A_TENSOR:
            if found is None:
                found = []
            for k in range(place - covered):
                found.append(None)
            found.append(<object>items[i].tensor)
            place += items[i].width
            covered = place
        elif items[i].what != AN_INDEX:
            place += 1
    return found


cdef object seen_through(Tensor t, Item* items, int n):
    """The views that the other items are, one after the other; `t` itself where there are none."""
    cdef int i, axis = 0
    cdef object out = t
    for i in range(n):
        if items[i].what == AN_INDEX:
            out = view_of(words.select, out, axis, items[i].start, None, None)
            continue
        if items[i].what == A_RANGE:
            out = view_of(words.slice_, out, axis, items[i].start, items[i].stop, items[i].step)
        elif items[i].what == A_NEW_DIM:
            out = view_of(words.unsqueeze, out, axis, None, None, None)
        axis += items[i].width if items[i].what == A_TENSOR else 1
    return out


# ------------------------------------------------------------------------------ writing

cdef int setitem(object self, object key, object value) except -1:
    """`self[key] = value`."""
    cdef State* st = state()
    cdef Tensor t = <Tensor?>self
    cdef Item items[MAX_ITEMS]
    cdef Geometry g
    cdef PyObject* first
    cdef ndarray a
    cdef int n
    cdef list indices
    if either_unusual(<PyObject*>self, <PyObject*>key) or is_unusual(<PyObject*>value):
        if answered(Tensor.__setitem__, [self, key, value], None) is not NotImplemented:
            return 0
    if st.active or type(t.payload) is not ndarray or t.inference:
        return write_in_python(self, key, value)
    first = <PyObject*>t.payload
    a = array_at(&first, &g)
    n = -1 if a is None else take_apart(key, a, items)
    if n < 0 or not narrowed(&g, items, n) or not (PyArray_FLAGS(a) & NPY_ARRAY_WRITEABLE) or not aligned(a):
        return write_in_python(self, key, value)
    indices = indices_in(items, n)
    if recorded(t, value, st):
        if not write_recorded(t, items, n, &g, indices, value):
            return write_in_python(self, key, value)
        return 0
    if indices is not None and is_filled(a, &g, indices, value):
        seen_through(t, items, n).masked_fill_(indices[0], value)
        return 0
    if t.version is not None and t.version.keepers != NULL or not (
            written(a, &g, value) if indices is None else written_at(a, &g, indices, value)):
        return write_in_python(self, key, value)
    count_write(version_of(t))
    return 0


later.write = setitem


cdef bint write_recorded(Tensor t, Item* items, int n, Geometry* g, list indices, object value) except -1:
    """Write in place into the part that the views leave; False, with nothing done, where that is not so simple."""
    cdef ndarray a = <ndarray>t.payload, b, number
    cdef PyObject* bound[4]
    cdef Tensor v
    cdef object part
    if isinstance(value, Tensor):
        v = <Tensor>value
        if type(v.payload) is not ndarray:
            return False
        b = <ndarray>v.payload
        if PyArray_TYPE(b) != PyArray_TYPE(a) or owner(a) == owner(b):
            return False
        if not fits(b, g) if indices is None else PyArray_SIZE(b) == 1 or PyArray_DIMS(b)[0] == 1:
            return False
    else:
        number = element_of(value, a)
        if number is None:
            return False
        v = new_tensor(number)
    part = seen_through(t, items, n)
    check_history("x[i] = v", <Tensor>part)
    bound[0], bound[1] = <PyObject*>part, <PyObject*>v
    if indices is not None:
        bound[1], bound[2], bound[3] = <PyObject*>indices, <PyObject*>v, <PyObject*>_false
        write(<Op>words.index_put, bound)
    elif PyArray_NDIM(<ndarray>v.payload) == 0:
        write(<Op>words.fill, bound)
    else:
        bound[2] = <PyObject*>_false
        write(<Op>words.copy, bound)
    return True


cdef ndarray element_of(object value, ndarray like):
    """A Python number as an array without dims; None where it is none, or not exactly."""
    cdef Geometry g
    cdef char bytes_[LARGEST_ELEMENT]
    cdef ndarray out
    if not element(value, like, bytes_):
        return None
    g.ndim = 0
    out = fresh(like, &g)
    memcpy(PyArray_DATA(out), bytes_, PyArray_ITEMSIZE(out))
    return out


cdef bint written_at(ndarray a, Geometry* g, list indices, object value) except -1:
    """Write a number or a tensor at indices of the part `g`; False where that is not for us."""
    cdef list arrays = [None if x is None else (<Tensor>x).payload for x in indices]
    if not table.in_use:
        return False
    if not isinstance(value, Tensor):
        return write_chosen(g, arrays, a, value)
    if type((<Tensor>value).payload) is not ndarray or owner(<ndarray>(<Tensor>value).payload) == owner(a):
        return False
    return write_chosen(g, arrays, a, (<Tensor>value).payload)


cdef bint is_filled(ndarray a, Geometry* g, list indices, object value) except -1:
    """Does one mask of all dims of the part say where a number goes?  Then there is no table of positions to make."""
    cdef Tensor mask
    cdef char bytes_[LARGEST_ELEMENT]
    if len(indices) != 1 or isinstance(value, Tensor):
        return False
    mask = <Tensor>indices[0]
    return (PyArray_TYPE(<ndarray>mask.payload) == NPY_BOOL and PyArray_NDIM(<ndarray>mask.payload) == g.ndim
            and element(value, a, bytes_))


cdef bint recorded(Tensor t, object value, State* st) except -1:
    if not records(st):
        return False
    return may_require(t) or (isinstance(value, Tensor) and may_require(<Tensor>value))


cdef bint narrowed(Geometry* g, Item* items, int n) noexcept:
    """Let `g` be the part that a subscript means; False where an element of it stands for several."""
    cdef int i, axis = 0
    for i in range(n):
        if items[i].what == AN_INDEX:
            g.data += (<npy_intp>items[i].start + (g.dims[axis] if items[i].start < 0 else 0)) * g.strides[axis]
            drop(g, axis)
            continue
        if items[i].what == A_RANGE:
            range_of(g, axis, items[i].start, items[i].stop, items[i].step)
        elif items[i].what == A_NEW_DIM:
            new_axis(g, axis)
        axis += items[i].width if items[i].what == A_TENSOR else 1
    for i in range(g.ndim):
        if g.strides[i] == 0 and g.dims[i] > 1:
            return False
    return True


cdef bint written(ndarray a, Geometry* g, object value) except -1:
    """Write a float, an int or an ordinary tensor of the same dtype; False where it is anything else."""
    cdef Tensor v
    cdef ndarray b, target
    cdef int k, num = PyArray_TYPE(a)
    cdef int64_t i = 0
    if isinstance(value, Tensor):
        v = <Tensor>value
        if type(v.payload) is not ndarray:
            return False
        b = <ndarray>v.payload
        if PyArray_TYPE(b) != num or not aligned(b) or not fits(b, g):
            return False
        if owner(b) == owner(a):
            return is_here(b, g)                # x[i] += 1 ends with x[i] = x[i]
        target = seen_as(a, g)
        copy_elements(target, b)
        return True
    if num == NPY_INT64 and as_int(value, &i):
        if g.ndim == 0:
            (<int64_t*>g.data)[0] = i
        else:
            seen_as(a, g).fill(i)
        return True
    if (num == NPY_FLOAT or num == NPY_DOUBLE) and PyFloat_CheckExact(value):
        if num == NPY_FLOAT and LARGEST < fabs(PyFloat_AS_DOUBLE(value)) < INFINITY:
            return False                        # becomes inf, of which NumPy's fill would warn
        if g.ndim:
            seen_as(a, g).fill(value)
        elif num == NPY_FLOAT:
            (<float*>g.data)[0] = <float>PyFloat_AS_DOUBLE(value)
        else:
            (<double*>g.data)[0] = PyFloat_AS_DOUBLE(value)
        return True
    return False


cdef bint fits(ndarray b, Geometry* g) noexcept:
    """Does it broadcast to this geometry?"""
    cdef int k
    cdef npy_intp size
    if PyArray_NDIM(b) > g.ndim:
        return False
    for k in range(PyArray_NDIM(b)):
        size = PyArray_DIMS(b)[PyArray_NDIM(b) - 1 - k]
        if size != 1 and size != g.dims[g.ndim - 1 - k]:
            return False
    return True


cdef bint is_here(ndarray b, Geometry* g) noexcept:
    """Is it the very part itself?"""
    cdef int k
    if PyArray_NDIM(b) != g.ndim or <char*>PyArray_DATA(b) != g.data:
        return False
    for k in range(g.ndim):
        if PyArray_DIMS(b)[k] != g.dims[k] or PyArray_STRIDES(b)[k] != g.strides[k]:
            return False
    return True


cdef PyObject* owner(ndarray a) noexcept:
    """Whose memory it is."""
    cdef PyObject* base = PyArray_BASE(a)
    return <PyObject*>a if base == NULL else base

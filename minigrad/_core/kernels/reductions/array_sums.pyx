"""Sums and means of arrays, and running totals: what brings arrays into the form that the loops of pairwise_sums.pyx
take.

That form is (outer, n, inner), summed over its middle axis.  A sum over one axis of a plain array has it as it is; a
sum over several takes neighbouring axes as one, and as many steps as there are then; an array in another layout is
first read with its axes in the order of their strides, and one with gaps is put together without them.
"""

from libc.string cimport memcpy, memset
from minigrad._core.kernels.loops.copies cimport in_dtype, new_copy
from minigrad._core.kernels.loops.numpy_loops cimport ADD, LARGE, Loop, aligned, code, empty_like, run_loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.pairwise_sums cimport (RUN_PRODUCT, RUN_RECURRENCE, RUN_SUM, Running, run_along,
                                                              sum_middle)
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CDOUBLE, NPY_CFLOAT, NPY_DOUBLE, NPY_FLOAT, NPY_KEEPORDER,
                                               PyArray_DATA,
                                               PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_ITEMSIZE, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_STRIDES, PyArray_SimpleNew, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE

from minigrad._core.kernels.loops.copies import shown_once

import numpy as np

cdef enum:
    MAX_DIMS = 64               # of an array
    GAPPED = 128                # elements that NumPy may add up one by one, where memory has gaps


# ------------------------------------------------------------------------------ sums

cdef void sum_plain(real* data, real* o, npy_intp outer, npy_intp n, npy_intp inner) noexcept:
    """`sum_middle`; a large one lets other threads run meanwhile."""
    if outer * n * inner > LARGE:
        with nogil:
            sum_middle(data, o, outer, n, inner)
    else:
        sum_middle(data, o, outer, n, inner)


cdef void sum_into(ndarray o, void* data, int t, npy_intp outer, npy_intp n, npy_intp inner) noexcept:
    """The sums over the middle axis of plain memory, into the plain array `o`; see pairwise_sums.pyx."""
    if n == 0:
        memset(PyArray_DATA(o), 0, outer * inner * (8 if t else 4))
    elif t:
        sum_plain(<double*>data, <double*>PyArray_DATA(o), outer, n, inner)
    else:
        sum_plain(<float*>data, <float*>PyArray_DATA(o), outer, n, inner)


cdef object sum_of(ndarray a):
    """The sum of all elements of a plain array, by the loop of `add` with stride 0 for the result, which NumPy makes
    a pairwise sum.

    None where the array is not plain.
    """
    cdef ndarray o
    cdef npy_intp size
    cdef npy_intp s[3]
    cdef char* p[3]
    cdef int t = code(a)
    if t < 0 or ADD.f[t] == NULL:
        return None
    o = PyArray_SimpleNew(0, NULL, NPY_FLOAT + t)
    size = PyArray_SIZE(a)
    memset(PyArray_DATA(o), 0, PyArray_ITEMSIZE(o))
    p[0] = p[2] = <char*>PyArray_DATA(o)
    p[1] = <char*>PyArray_DATA(a)
    s[0] = s[2] = 0
    s[1] = 8 if t else 4
    run_loop(&ADD, t, p, &size, s, size > LARGE)
    return o


cdef inline void around(ndarray a, int axis, npy_intp* outer, npy_intp* inner) noexcept:
    """How many elements the axes before `axis` count, and those after it."""
    cdef int i
    outer[0] = inner[0] = 1
    for i in range(PyArray_NDIM(a)):
        if i < axis:
            outer[0] *= PyArray_DIMS(a)[i]
        elif i > axis:
            inner[0] *= PyArray_DIMS(a)[i]


cdef object sum_along(ndarray a, int axis, bint keepdims):
    """The sum over one axis of a plain array; None where it is not plain."""
    cdef ndarray o
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp outer, inner
    cdef int t = code(a), ndim = PyArray_NDIM(a), i, k = 0
    if t < 0:
        return None
    around(a, axis, &outer, &inner)
    for i in range(ndim):
        if i != axis or keepdims:
            dims[k] = 1 if i == axis else PyArray_DIMS(a)[i]
            k += 1
    o = new_array(k, dims, NPY_FLOAT + t)
    sum_into(o, PyArray_DATA(a), t, outer, PyArray_DIMS(a)[axis], inner)
    return o


cdef object sum_rows(ndarray a):
    """The sum over the first axis, which the gradient of a broadcast bias needs; None where `a` is not plain."""
    return None if PyArray_NDIM(a) < 1 else sum_along(a, 0, False)


cdef object sum_to(Loop* loop, PyObject** args, int n):
    """(self, size): over the leading dims, of a plain array"""
    cdef ndarray a, o
    cdef npy_intp count = 1, inner = 1
    cdef int lead, i
    cdef object size = <object>args[1]
    if type(<object>args[0]) is not ndarray or not PyTuple_CheckExact(size):
        return None
    a = <ndarray>args[0]
    lead = PyArray_NDIM(a) - <int>PyTuple_GET_SIZE(size)
    if lead < 0:
        return None
    for i in range(PyArray_NDIM(a)):
        if i < lead:
            count *= PyArray_DIMS(a)[i]
        elif <object>PyTuple_GET_ITEM(size, i - lead) != PyArray_DIMS(a)[i]:
            return None
        else:
            inner *= PyArray_DIMS(a)[i]
    if lead == 0:
        return a
    if code(a) < 0:
        return None
    o = new_array(PyArray_NDIM(a) - lead, PyArray_DIMS(a) + lead, PyArray_TYPE(a))
    sum_into(o, PyArray_DATA(a), code(a), 1, count, inner)
    return o


cpdef object total(array, axes=None, bint keepdims=False):
    """The sum over a tuple of axes (None for all), by the one routine that the library has for it.

    Floating point numbers are summed in pairs, in whatever layout; 16-bit ones in single precision; bools and
    integers as int64.  The result is laid out row by row, as in PyTorch.
    """
    found = total_as_laid_out(array, axes, keepdims)
    return found if PyArray_ISCARRAY_RO(<ndarray>found) else np.asarray(found, order="C")


cdef object total_as_laid_out(array, axes, bint keepdims):
    cdef ndarray a = np.asarray(array)
    cdef bint reduced[MAX_DIMS]
    cdef int order[MAX_DIMS]
    cdef npy_intp count = 1
    cdef int i, t = PyArray_TYPE(a), ndim = PyArray_NDIM(a)
    cdef object kind, found
    if PyArray_SIZE(a) > GAPPED and not PyArray_ISCARRAY_RO(a) and (<object>a).dtype.kind != "c":
        found = total_of_equal(a, axes, keepdims)
        if found is not None:
            return found
    if axes is None and not keepdims:
        found = sum_of(a)
        if found is not None:
            return found
    kind = (<object>a).dtype.kind
    if kind in "biu":
        return np.asarray(np.add.reduce(a, axis=axes, dtype=np.int64, keepdims=keepdims))
    if kind in "fV" and PyArray_ITEMSIZE(a) == 2:
        return in_dtype(total(in_dtype(a, NPY_FLOAT), axes, keepdims), t)
    for i in range(ndim):
        reduced[i] = axes is None
    if axes is not None:
        for axis in axes:
            reduced[<int>axis] = True
    for i in range(ndim):
        if reduced[i]:
            count *= PyArray_DIMS(a)[i]
    if ((t != NPY_FLOAT and t != NPY_DOUBLE and t != NPY_CFLOAT and t != NPY_CDOUBLE)
            or PyArray_SIZE(a) == 0 or not aligned(a) or (count <= GAPPED and not PyArray_ISCARRAY_RO(a))):
        return np.asarray(np.add.reduce(a, axis=axes, keepdims=keepdims))
    if dense_order(a, order):
        return total_dense(a, order, reduced, keepdims)
    return total_strided(a, tuple([i for i in range(ndim) if reduced[i]]), keepdims)


cdef object total_of_equal(ndarray a, axes, bint keepdims):
    """Along dims that are expanded and reduced, a number is added to itself: it is multiplied by their sizes.  None
    where there is no such dim."""
    cdef ndarray one = shown_once(a, axes)
    cdef npy_intp times = PyArray_SIZE(a) // PyArray_SIZE(one)
    cdef bint half = PyArray_ITEMSIZE(a) == 2 and (<object>a).dtype.kind in "fV"
    if one is a:
        return None
    one = np.asarray(total(in_dtype(one, NPY_FLOAT) if half else one, axes, keepdims) * times)
    return in_dtype(one, PyArray_TYPE(a)) if half else one


cdef bint dense_order(ndarray a, int* order):
    """Put the axes in the order of their strides, the widest first; is the array without gaps in that order?"""
    cdef int ndim = PyArray_NDIM(a), i, k, axis
    cdef npy_intp* strides = PyArray_STRIDES(a)
    cdef npy_intp* dims = PyArray_DIMS(a)
    cdef npy_intp step = PyArray_ITEMSIZE(a)
    for i in range(ndim):
        order[i] = i
    if PyArray_ISCARRAY_RO(a):
        return True
    for i in range(1, ndim):
        axis = order[i]
        k = i
        while k and strides[order[k - 1]] < strides[axis]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = axis
    for i in range(ndim - 1, -1, -1):
        if dims[order[i]] != 1:
            if strides[order[i]] != step:
                return False
            step *= dims[order[i]]
    return True


cdef object total_dense(ndarray a, int* order, bint* reduced, bint keepdims):
    """Neighbouring axes that are all to go, or all to stay, count as one;
    those to go are summed over from the last to the first."""
    cdef npy_intp sizes[MAX_DIMS + 1]
    cdef bint goes[MAX_DIMS + 1]
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp outer = PyArray_SIZE(a), inner = 1
    cdef int ndim = PyArray_NDIM(a), t = PyArray_TYPE(a), i, groups = 0, left = 0
    cdef bint moved = False
    cdef ndarray o, whole
    cdef object source = a
    for i in range(ndim):
        dims[i] = 1 if reduced[order[i]] else PyArray_DIMS(a)[order[i]]
        moved = moved or order[i] != i
        if PyArray_DIMS(a)[order[i]] == 1:
            continue
        if groups and goes[groups - 1] == reduced[order[i]]:
            sizes[groups - 1] *= PyArray_DIMS(a)[order[i]]
        else:
            sizes[groups] = PyArray_DIMS(a)[order[i]]
            goes[groups] = reduced[order[i]]
            left += goes[groups]
            groups += 1
    whole = new_array(ndim, dims, t)
    if left == 0:
        memcpy(PyArray_DATA(whole), PyArray_DATA(a), PyArray_SIZE(a) * PyArray_ITEMSIZE(a))
    if t == NPY_CFLOAT or t == NPY_CDOUBLE:         # pairs of real numbers, which stay
        t += NPY_FLOAT - NPY_CFLOAT
        inner = 2
    for i in range(groups - 1, -1, -1):
        outer //= sizes[i]
        if goes[i]:
            left -= 1
            dims[0] = outer * inner
            o = whole if left == 0 else new_array(1, dims, t)
            sum_into(o, PyArray_DATA(<ndarray>source), t - NPY_FLOAT, outer, sizes[i], inner)
            source = o
        else:
            inner *= sizes[i]
    out = whole
    if moved:
        out = out.transpose(np.argsort([order[i] for i in range(ndim)]))
    return out if keepdims else out.reshape([PyArray_DIMS(a)[i] for i in range(ndim) if not reduced[i]])


cdef object total_strided(object a, tuple axes, bint keepdims):
    """Memory with gaps: blocks along the longest axis first, whose sums are an array without gaps.  Where lines go
    whose elements are neighbours, NumPy adds each of them up alone; there it is sooner to put the array together."""
    cdef npy_intp blocks
    axis = max(axes, key=a.shape.__getitem__, default=0)
    if np.prod([a.shape[i] for i in axes], dtype=np.int64) <= GAPPED:
        return np.asarray(np.add.reduce(a, axis=axes, keepdims=keepdims))
    lead = a.ndim - len(axes)
    if axes == tuple(range(lead, a.ndim)) and a[(0,) * lead].flags.c_contiguous and a.dtype.kind == "f":
        return total_of_rows(a, lead, keepdims)
    if 0 not in a.strides and len(axes) < a.ndim and a.strides.index(min(a.strides)) in axes:
        return total(new_copy(<ndarray>a, NPY_KEEPORDER), axes, keepdims)
    before = (slice(None),) * axis
    blocks = a.shape[axis] // GAPPED
    split = a[before + (slice(blocks * GAPPED),)].reshape(a.shape[:axis] + (blocks, GAPPED) + a.shape[axis + 1:])
    rest = a[before + (slice(blocks * GAPPED, None),)]
    parts = [np.add.reduce(split, axis=axis + 1), np.add.reduce(rest, axis=axis, keepdims=True)]
    return total(np.concatenate(parts, axis=axis), axes, keepdims)


cdef object total_of_rows(ndarray a, int lead, bint keepdims):
    """The sum of each row, which has no gaps, and all dims behind the first `lead`."""
    cdef ndarray o = new_array(lead, PyArray_DIMS(a), PyArray_TYPE(a))
    cdef npy_intp n = 1
    cdef int i
    for i in range(lead, PyArray_NDIM(a)):
        n *= PyArray_DIMS(a)[i]
    if PyArray_TYPE(a) == NPY_DOUBLE:
        with nogil:
            sum_rows_from(a, 0, lead, n, <double*>PyArray_DATA(a), <double*>PyArray_DATA(o))
    else:
        with nogil:
            sum_rows_from(a, 0, lead, n, <float*>PyArray_DATA(a), <float*>PyArray_DATA(o))
    return (<object>o).reshape(list(a.shape)[:lead] + [1] * (PyArray_NDIM(a) - lead)) if keepdims else o


cdef real* sum_rows_from(ndarray a, int dim, int lead, npy_intp n, real* at, real* o) noexcept nogil:
    """Those at the places of this dim and of those behind it, one after the other; returns where the next one goes."""
    cdef npy_intp i
    if dim == lead:
        sum_middle(at, o, 1, n, 1)
        return o + 1
    for i in range(PyArray_DIMS(a)[dim]):
        o = sum_rows_from(a, dim + 1, lead, n, <real*>(<char*>at + i * PyArray_STRIDES(a)[dim]), o)
    return o


cdef ndarray readable(ndarray a):
    """Its numbers without gaps, each at an address and in an order of bytes that this machine reads."""
    return np.require(a, a.dtype.newbyteorder("="), "CA")


def running(str what, ndarray self not None, coefficients, int axis, bint backwards=False):
    """Running totals along an axis, kept in double precision: ``"sum"``, ``"product"`` or ``"recurrence"``; see
    pairwise_sums.pyx.

    None where the dtype is not float32 or float64.  ``coefficients``, those of a recurrence, are of the same shape
    and dtype.
    """
    cdef ndarray b, a, o
    cdef npy_intp outer, inner
    cdef int t = PyArray_TYPE(self) - NPY_FLOAT
    cdef Running kind = RUN_SUM if what == "sum" else RUN_PRODUCT if what == "product" else RUN_RECURRENCE
    if t != 0 and t != 1:
        return None
    b = readable(self)
    o = empty_like(b)
    a = b if coefficients is None else readable(coefficients)
    around(b, axis, &outer, &inner)
    with nogil:
        if t:
            run_along(kind, <double*>PyArray_DATA(b), <double*>PyArray_DATA(a), <double*>PyArray_DATA(o),
                      outer, PyArray_DIMS(b)[axis], inner, backwards)
        else:
            run_along(kind, <float*>PyArray_DATA(b), <float*>PyArray_DATA(a), <float*>PyArray_DATA(o),
                      outer, PyArray_DIMS(b)[axis], inner, backwards)
    return o

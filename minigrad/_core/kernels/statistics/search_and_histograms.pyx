"""Binary search in sorted entries, distinct entries, and counting into bins.

Where bins are so small that their edges are rounded, the answer is NumPy's, whose functions are the general way.
"""

from libc.math cimport INFINITY, isfinite
from libc.string cimport memcpy
from minigrad._core.kernels.loops.copies cimport new_copy
from minigrad._core.kernels.loops.numpy_loops cimport Loop, number as as_double
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.reductions.lines cimport missing, number
from minigrad._core.kernels.reductions.sorting cimport find_distinct, find_runs
from minigrad._core.kernels.shapes.strided_views cimport as_int
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_BOOL, NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, NPY_INT16, NPY_INT32,
                                               NPY_INT64, NPY_INT8, NPY_UINT8, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_ISNOTSWAPPED, PyArray_NDIM, PyArray_SIZE,
                                               PyArray_TYPE, int16_t, int32_t, int64_t, int8_t, ndarray, npy_intp,
                                               uint8_t)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport whole, whole_once

import numpy as np

cdef enum:
    FEW = 16                    # entries that are looked through one by one
    MANY = 1 << 30              # integers below this are elements of int64
    MOST_BINS = 1 << 24         # more are left to the general way, which knows what to say where memory ends


cdef ndarray plain(object x):
    """An array of real numbers as it lies in memory without gaps, or such a copy; None for anything else."""
    cdef int num
    if type(x) is not ndarray:
        return None
    num = PyArray_TYPE(<ndarray>x)
    if not (num == NPY_BOOL or num == NPY_UINT8 or num == NPY_INT8 or num == NPY_INT16 or num == NPY_INT32
            or num == NPY_INT64 or num == NPY_FLOAT or num == NPY_DOUBLE):
        return None
    if PyArray_ISCARRAY_RO(<ndarray>x):
        return <ndarray>x
    return new_copy(<ndarray>x, NPY_CORDER) if PyArray_ISNOTSWAPPED(<ndarray>x) else None


# ------------------------------------------------------------------------------ places in an order

cdef inline npy_intp place(number* row, npy_intp n, number x, bint right) noexcept nogil:
    """By plain bisection, as in PyTorch: its steps decide where the row is not sorted, or nan compares with nothing."""
    cdef npy_intp low = 0, high = n, middle
    while low < high:
        middle = low + (high - low) // 2
        if (row[middle] > x) if right else (row[middle] >= x):
            high = middle
        else:
            low = middle + 1
    return low


cdef void search_rows(number* rows, npy_intp n, number* sought, npy_intp count, npy_intp outer, bint one_row,
                      bint right, int64_t* o) noexcept nogil:
    cdef npy_intp i, k
    for i in range(outer):
        for k in range(count):
            o[k] = place(rows, n, sought[k], right)
        rows += 0 if one_row else n
        sought += count
        o += count


cdef object search(Loop* loop, PyObject** args, int n):
    """(sorted_sequence, input, sorter, out_int32, right, side)"""
    cdef ndarray rows = plain(<object>args[0]), sought = plain(<object>args[1]), out, short
    cdef npy_intp count, size, outer = 1, i
    cdef int k, num, last
    cdef bint right, one_row
    cdef object side = <object>args[5]
    if rows is None or sought is None or <object>args[2] is not None or PyArray_TYPE(rows) != PyArray_TYPE(sought):
        return None
    if not (<object>args[3] is True or <object>args[3] is False) or not (<object>args[4] is True
                                                                         or <object>args[4] is False):
        return None
    if side is not None and (type(side) is not str or <str>side not in ("left", "right")):
        return None
    right = <object>args[4] is True or side == "right"
    if PyArray_NDIM(rows) == 0 or (side == "left" and right):
        return None
    one_row = PyArray_NDIM(rows) == 1
    last = PyArray_NDIM(rows) - 1
    size = PyArray_DIMS(rows)[last]
    count = PyArray_SIZE(sought)
    if not one_row:
        if PyArray_NDIM(sought) != PyArray_NDIM(rows):
            return None
        for k in range(last):
            if PyArray_DIMS(sought)[k] != PyArray_DIMS(rows)[k]:
                return None
            outer *= PyArray_DIMS(rows)[k]
        count = PyArray_DIMS(sought)[last]
    out = new_array(PyArray_NDIM(sought), PyArray_DIMS(sought), NPY_INT64)
    num = PyArray_TYPE(rows)
    if num == NPY_FLOAT:
        search_in[float](rows, size, sought, count, outer, one_row, right, out, 0)
    elif num == NPY_DOUBLE:
        search_in[double](rows, size, sought, count, outer, one_row, right, out, 0)
    elif num == NPY_INT64:
        search_in[int64_t](rows, size, sought, count, outer, one_row, right, out, 0)
    elif num == NPY_INT32:
        search_in[int32_t](rows, size, sought, count, outer, one_row, right, out, 0)
    elif num == NPY_INT16:
        search_in[int16_t](rows, size, sought, count, outer, one_row, right, out, 0)
    elif num == NPY_INT8:
        search_in[int8_t](rows, size, sought, count, outer, one_row, right, out, 0)
    else:
        search_in[uint8_t](rows, size, sought, count, outer, one_row, right, out, 0)
    if <object>args[3] is False:
        return out
    short = new_array(PyArray_NDIM(sought), PyArray_DIMS(sought), NPY_INT32)
    for i in range(PyArray_SIZE(out)):
        (<int32_t*>PyArray_DATA(short))[i] = <int32_t>(<int64_t*>PyArray_DATA(out))[i]
    return short


cdef void search_in(ndarray rows, npy_intp n, ndarray sought, npy_intp count, npy_intp outer, bint one_row, bint right,
                    ndarray out, number kind) noexcept:
    search_rows(<number*>PyArray_DATA(rows), n, <number*>PyArray_DATA(sought), count, outer, one_row, right,
                <int64_t*>PyArray_DATA(out))


# ------------------------------------------------------------------------------ one of a few

cdef object isin(Loop* loop, PyObject** args, int n):
    """(elements, test_elements, assume_unique, invert), for so few of the second that each is compared with each"""
    cdef ndarray a = plain(<object>args[0]), few = plain(<object>args[1]), out
    cdef bint invert = <object>args[3] is True
    cdef int num
    if type(<object>args[1]) is int and -MANY < <object>args[1] < MANY:
        few = np.array(<object>args[1], np.int64)
    if a is None or few is None or PyArray_SIZE(few) > FEW or PyArray_TYPE(a) != PyArray_TYPE(few):
        return None
    num = PyArray_TYPE(a)
    if num != NPY_INT64 and num != NPY_FLOAT and num != NPY_DOUBLE:
        return None
    out = new_array(PyArray_NDIM(a), PyArray_DIMS(a), NPY_BOOL)
    if num == NPY_INT64:
        compare_each[int64_t](a, few, invert, out, 0)
    elif num == NPY_FLOAT:
        compare_each[float](a, few, invert, out, 0)
    else:
        compare_each[double](a, few, invert, out, 0)
    return out


cdef void compare_each(ndarray a, ndarray few, bint invert, ndarray out, number kind) noexcept:
    cdef number* x = <number*>PyArray_DATA(a)
    cdef number* y = <number*>PyArray_DATA(few)
    cdef char* o = <char*>PyArray_DATA(out)
    cdef npy_intp i, k, many = PyArray_SIZE(few)
    cdef char found
    for i in range(PyArray_SIZE(a)):
        found = False
        for k in range(many):
            found |= x[i] == y[k]
        o[i] = found != invert


# ------------------------------------------------------------------------------ distinct entries

cdef object distinct(Loop* loop, PyObject** args, int n):
    """(self, dim): the places of the distinct entries, the place of each entry among them, how often each occurs."""
    return found_distinct(args, False)


cdef object distinct_runs(Loop* loop, PyObject** args, int n):
    """The same, of runs of equal entries."""
    return found_distinct(args, True)


cdef object found_distinct(PyObject** args, bint runs):
    cdef ndarray a = plain(<object>args[0]), firsts, inverse, counts
    cdef npy_intp size, axis = 0, many
    cdef int num
    if a is None or PyArray_SIZE(a) == 0:
        return None
    if <object>args[1] is not None and not (PyArray_NDIM(a) == 1 and as_int(args[1], &axis) and -1 <= axis <= 0):
        return None
    size = PyArray_SIZE(a)
    num = PyArray_TYPE(a)
    firsts, counts = new_array(1, &size, NPY_INT64), new_array(1, &size, NPY_INT64)
    inverse = new_array(PyArray_NDIM(a), PyArray_DIMS(a), NPY_INT64)
    if num == NPY_FLOAT:
        many = distinct_in[float](a, runs, firsts, inverse, counts, 0)
    elif num == NPY_DOUBLE:
        many = distinct_in[double](a, runs, firsts, inverse, counts, 0)
    elif num == NPY_INT64:
        many = distinct_in[int64_t](a, runs, firsts, inverse, counts, 0)
    elif num == NPY_INT32:
        many = distinct_in[int32_t](a, runs, firsts, inverse, counts, 0)
    elif num == NPY_INT16:
        many = distinct_in[int16_t](a, runs, firsts, inverse, counts, 0)
    elif num == NPY_INT8:
        many = distinct_in[int8_t](a, runs, firsts, inverse, counts, 0)
    else:
        many = distinct_in[uint8_t](a, runs, firsts, inverse, counts, 0)
    return None if many < 0 else (first_of(firsts, many), inverse, first_of(counts, many))


cdef npy_intp distinct_in(ndarray a, bint runs, ndarray firsts, ndarray inverse, ndarray counts, number kind) noexcept:
    cdef int64_t* o[3]
    cdef npy_intp found
    o[0], o[1] = <int64_t*>PyArray_DATA(firsts), <int64_t*>PyArray_DATA(inverse)
    o[2] = <int64_t*>PyArray_DATA(counts)
    if runs:
        return find_runs(<number*>PyArray_DATA(a), PyArray_SIZE(a), o[0], o[1], o[2])
    with nogil:
        found = find_distinct(<number*>PyArray_DATA(a), PyArray_SIZE(a), o[0], o[1], o[2])
    return found


cdef ndarray first_of(ndarray a, npy_intp many):
    """The first numbers of an array, with memory of their own."""
    cdef ndarray o
    if many == PyArray_SIZE(a):
        return a
    o = new_array(1, &many, NPY_INT64)
    memcpy(PyArray_DATA(o), PyArray_DATA(a), many * sizeof(int64_t))
    return o


# ------------------------------------------------------------------------------ counting into bins

cdef object bincount(Loop* loop, PyObject** args, int n):
    """(self, weights, minlength)"""
    cdef ndarray a = plain(<object>args[0]), weights = None
    cdef npy_intp least = 0
    cdef int num
    if a is None or PyArray_NDIM(a) != 1 or not as_int(args[2], &least) or not 0 <= least <= MOST_BINS:
        return None
    if <object>args[1] is not None:
        weights = plain(<object>args[1])
        if (weights is None or PyArray_NDIM(weights) != 1 or PyArray_SIZE(weights) != PyArray_SIZE(a)
                or PyArray_TYPE(weights) != NPY_FLOAT and PyArray_TYPE(weights) != NPY_DOUBLE):
            return None
    num = PyArray_TYPE(a)
    if num == NPY_INT64:
        return counted[int64_t](a, weights, least, 0)
    if num == NPY_INT32:
        return counted[int32_t](a, weights, least, 0)
    if num == NPY_INT16:
        return counted[int16_t](a, weights, least, 0)
    if num == NPY_INT8:
        return counted[int8_t](a, weights, least, 0)
    return counted[uint8_t](a, weights, least, 0) if num == NPY_UINT8 else None


cdef object counted(ndarray a, ndarray weights, npy_intp least, whole kind):
    cdef whole* x = <whole*>PyArray_DATA(a)
    cdef npy_intp i, size = PyArray_SIZE(a), bins = least
    cdef ndarray out, single
    cdef whole number
    for i in range(size):
        number = whole_once(&x[i])
        if number < 0 or number >= MOST_BINS:
            return None
        bins = max(bins, <npy_intp>number + 1)
    out = new_zeros(1, &bins, NPY_INT64 if weights is None else NPY_DOUBLE)
    for i in range(size):                   # checked again: another thread may write to it meanwhile
        number = whole_once(&x[i])
        if number < 0 or number >= bins:
            return None
        if weights is None:
            (<int64_t*>PyArray_DATA(out))[<npy_intp>number] += 1
        elif PyArray_TYPE(weights) == NPY_FLOAT:
            (<double*>PyArray_DATA(out))[<npy_intp>number] += (<float*>PyArray_DATA(weights))[i]
        else:
            (<double*>PyArray_DATA(out))[<npy_intp>number] += (<double*>PyArray_DATA(weights))[i]
    if weights is None or PyArray_TYPE(weights) == NPY_DOUBLE:
        return out
    single = new_array(1, &bins, NPY_FLOAT)
    for i in range(bins):
        (<float*>PyArray_DATA(single))[i] = <float>(<double*>PyArray_DATA(out))[i]
    return single


cdef object histc(Loop* loop, PyObject** args, int n):
    """(self, bins, min, max)"""
    cdef ndarray a = plain(<object>args[0])
    cdef npy_intp bins = 0
    cdef double low = 0, high = 0
    if a is None or not as_int(args[1], &bins) or not 0 < bins <= MOST_BINS:
        return None
    if not as_double(<object>args[2], &low) or not as_double(<object>args[3], &high):
        return None
    if PyArray_TYPE(a) == NPY_FLOAT:
        return histogram[float](a, bins, low, high, 0)
    return histogram[double](a, bins, low, high, 0) if PyArray_TYPE(a) == NPY_DOUBLE else None


cdef object histogram(ndarray a, npy_intp bins, double low, double high, real kind):
    """How many numbers lie in each of a number of equal intervals, of which the last has both of its ends.

    Ends that are found in the data are of its dtype, and so is everything that is made of them.
    """
    cdef real* x = <real*>PyArray_DATA(a)
    cdef real* o
    cdef npy_intp i, k, size = PyArray_SIZE(a), ends = bins + 1
    cdef real least = <real>INFINITY, most = -<real>INFINITY, first, last
    cdef bint from_data = low == high and size > 0
    cdef ndarray edges_, out
    cdef real* edges
    cdef double step, at
    if from_data:
        for i in range(size):
            if missing(x[i]):
                return None
            least, most = min(least, x[i]), max(most, x[i])
        if least == most:
            least, most = least - 1, most + 1
        low, high = least, most
    elif low == high:
        low, high = low - 1, high + 1
    if not (isfinite(low) and isfinite(high) and low < high):
        return None
    first, last = <real>low, <real>high
    if first == last or not isfinite(<real>(last - first)):
        return None

    edges_ = new_array(1, &ends, PyArray_TYPE(a))
    edges = <real*>PyArray_DATA(edges_)
    step = <real>((last - first) / <real>bins) if from_data else (high - low) / bins
    for i in range(bins):
        edges[i] = <real>(<real>(<real>i * <real>step) + first) if from_data else <real>(i * step + low)
    edges[bins] = last
    for i in range(bins):
        if edges[i] >= edges[i + 1]:        # too narrow, of which NumPy complains
            return None

    out = new_zeros(1, &bins, PyArray_TYPE(a))
    o = <real*>PyArray_DATA(out)
    counts = new_zeros(1, &bins, NPY_INT64)
    cdef int64_t* c = <int64_t*>PyArray_DATA(<ndarray>counts)
    for i in range(size):
        if not first <= x[i] <= last:
            continue
        if from_data:
            k = <npy_intp>(<real>((x[i] - first) / <real>(last - first)) * <real>bins)
        else:
            at = <double><real>(x[i] - first) / (high - low) * bins
            k = <npy_intp>at
        k = min(max(k, 0), bins - 1)        # another thread may write to it meanwhile
        if x[i] < edges[k] and k > 0:
            k -= 1
        if x[i] >= edges[k + 1] and k != bins - 1:
            k += 1
        c[k] += 1
    for i in range(bins):
        o[i] = <real>c[i]
    return out

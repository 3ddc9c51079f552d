"""Embedding bags: the bag of each index, sums over bags and their gradients, and where the largest entries are.

A number i stands for the row n[i] of a matrix W, and belongs to the bag b[i].  A sum over bags, D, and its derivatives
come from one sum of three factors, as it is explained in ops/networks/bags.py:

    T(W, p, D) = sum over i of  s[i] p[i] <W[n[i]], D[b[i]]>            s[i] = 1, or 1 / the size of the bag

Only int64 numbers, and matrices of float32 or float64 without gaps, are for us; any other, and all errors, for the
general kernels.  Numbers and bags that are out of range are never followed: each is read once, and looked at where it
is used.
"""

from libc.string cimport memset
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, int64_t,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport read_once

cdef struct Bags:
    npy_intp n, rows, count, width      # numbers, rows of W, bags, and columns of W and D
    int64_t* numbers
    int64_t* bags
    int64_t* sizes
    bint mean
    npy_intp padding                    # the number that does not count, or a negative one
    void* p                             # NULL where all are one


cdef int64_t* numbers_at(PyObject* x, npy_intp* n) noexcept:
    """The memory of a plain vector of int64, and its length; NULL where it is something else, or empty."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return NULL
    a = <ndarray>x
    n[0] = PyArray_SIZE(a)
    if PyArray_NDIM(a) != 1 or n[0] == 0 or PyArray_TYPE(a) != NPY_INT64 or not PyArray_ISCARRAY_RO(a):
        return NULL
    return <int64_t*>PyArray_DATA(a)


cdef bint matrix(PyObject* x, npy_intp* rows, npy_intp* columns) noexcept:
    """Is it a plain matrix of float32 or float64, with elements?"""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return False
    a = <ndarray>x
    if PyArray_NDIM(a) != 2 or PyArray_SIZE(a) == 0 or not PyArray_ISCARRAY_RO(a):
        return False
    rows[0], columns[0] = PyArray_DIMS(a)[0], PyArray_DIMS(a)[1]
    return PyArray_TYPE(a) == NPY_FLOAT or PyArray_TYPE(a) == NPY_DOUBLE


cdef bint read(Bags* s, PyObject** args) noexcept:
    """(indices, bags, sizes): are they plain, and is there a bag for each number?"""
    cdef npy_intp n = 0
    s.numbers, s.bags, s.sizes = numbers_at(args[0], &s.n), numbers_at(args[1], &n), numbers_at(args[2], &s.count)
    return s.numbers != NULL and s.bags != NULL and s.sizes != NULL and n == s.n


cdef inline bint both(Bags* s, npy_intp i, npy_intp* number, npy_intp* bag) noexcept nogil:
    """Number i and its bag; False where one of them is out of range."""
    cdef int64_t row = read_once(&s.numbers[i]), at = read_once(&s.bags[i])
    number[0], bag[0] = <npy_intp>row, <npy_intp>at
    return 0 <= row < s.rows and 0 <= at < s.count


cdef bint read_all(Bags* s, PyObject* p, int num, PyObject** args) except -1:
    """The same with `mean` and `padding_idx` behind these three; and a factor for each number, or None."""
    if not read(s, args) or type(<object>args[3]) is not bool or not as_int(args[4], &s.padding):
        return False
    s.mean, s.p = <object>args[3], NULL
    if <object>p is None:
        return True
    if (type(<object>p) is not ndarray or PyArray_NDIM(<ndarray>p) != 1 or PyArray_SIZE(<ndarray>p) != s.n
            or PyArray_TYPE(<ndarray>p) != num or not PyArray_ISCARRAY_RO(<ndarray>p)):
        return False
    s.p = PyArray_DATA(<ndarray>p)
    return True


# ------------------------------------------------------------------------------ bags

cdef object embedding_bags(Loop* loop, PyObject** args, int n):
    """(indices, offsets, rows, include_last_offset, padding_idx)"""
    cdef npy_intp length = 0, bags = 0, rows = 0, padding = 0, k, i = 0, end
    cdef int64_t* numbers = numbers_at(args[0], &length)
    cdef int64_t* starts = numbers_at(args[1], &bags)
    cdef int64_t* of
    cdef int64_t* sizes
    cdef ndarray each, counts
    if numbers == NULL or starts == NULL or not as_int(args[2], &rows) or not as_int(args[4], &padding):
        return None
    if <object>args[3] is True:
        bags -= 1
    if not bags or starts[0] or (<object>args[3] is True and starts[bags] != length):
        return None
    for k in range(length):
        if not 0 <= numbers[k] < rows:
            return None
    for k in range(1, bags):
        if not starts[k - 1] <= starts[k] <= length:
            return None
    if <object>args[3] is True and starts[bags] < starts[bags - 1]:
        return None
    each, counts = new_array(1, &length, NPY_INT64), new_array(1, &bags, NPY_INT64)
    of, sizes = <int64_t*>PyArray_DATA(each), <int64_t*>PyArray_DATA(counts)
    for k in range(bags):
        end = <npy_intp>min(read_once(&starts[k + 1]), <int64_t>length) if k + 1 < bags else length
        sizes[k] = 0
        while i < end:
            of[i] = k
            sizes[k] += numbers[i] != padding or padding < 0
            i += 1
    return each, counts


# ------------------------------------------------------------------------------ the three derivatives

cdef inline real factor(Bags* s, npy_intp i, npy_intp bag, bint mean, real one) noexcept nogil:
    """s[i] p[i], or p[i] alone; `one` says in which precision."""
    cdef real f = one if s.p == NULL else (<real*>s.p)[i]
    return f / s.sizes[bag] if mean and s.sizes[bag] > 1 else f


cdef inline bint counts(Bags* s, npy_intp number) noexcept nogil:
    return s.padding < 0 or number != s.padding


cdef void add_row(real* x, real f, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp k
    if f == 1:
        for k in range(n):
            o[k] += x[k]
    else:
        for k in range(n):
            o[k] += f * x[k]


cdef bint sums(Bags* s, real* w, real* o) noexcept nogil:
    cdef npy_intp i, k, number, bag
    for i in range(s.n):
        if not both(s, i, &number, &bag):
            return False
        if counts(s, number):
            add_row(w + number * s.width, factor(s, i, bag, False, <real>1), o + bag * s.width, s.width)
    for i in range(s.count if s.mean else 0):
        for k in range(s.width if s.sizes[i] > 1 else 0):
            o[i * s.width + k] /= s.sizes[i]
    return True


cdef bint spread(Bags* s, real* d, real* o) noexcept nogil:
    cdef npy_intp i, number, bag
    for i in range(s.n):
        if not both(s, i, &number, &bag):
            return False
        if counts(s, number):
            add_row(d + bag * s.width, factor(s, i, bag, s.mean, <real>1), o + number * s.width, s.width)
    return True


cdef bint products(Bags* s, real* w, real* d, real* o) noexcept nogil:
    cdef npy_intp i, k, number, bag
    cdef double total
    for i in range(s.n):
        if not both(s, i, &number, &bag):
            return False
        total = 0
        for k in range(s.width if counts(s, number) else 0):
            total += w[number * s.width + k] * d[bag * s.width + k]
        o[i] = <real>total * factor(s, i, bag, s.mean, <real>1)
    return True


cdef object bag_sums(Loop* loop, PyObject** args, int n):
    """(weight, per_sample_weights, indices, bags, sizes, mean, padding_idx)"""
    cdef Bags s
    cdef bint found
    cdef npy_intp shape[2]
    cdef ndarray out
    if not matrix(args[0], &s.rows, &s.width):
        return None
    if not read_all(&s, args[1], PyArray_TYPE(<ndarray>args[0]), args + 2):
        return None
    shape[0], shape[1] = s.count, s.width
    out = zeros(shape, PyArray_TYPE(<ndarray>args[0]))
    if PyArray_TYPE(out) == NPY_FLOAT:
        found = sums(&s, <float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(out))
    else:
        found = sums(&s, <double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(out))
    return out if found else None


cdef object bag_spread(Loop* loop, PyObject** args, int n):
    """(grad, per_sample_weights, indices, bags, sizes, mean, padding_idx, weight_sizes)"""
    cdef Bags s
    cdef bint found
    cdef npy_intp shape[MAX_DIMS]
    cdef npy_intp bags = 0
    cdef ndarray out
    if not matrix(args[0], &bags, &s.width) or as_ints(args[7], shape) != 2 or shape[1] != s.width or shape[0] < 0:
        return None
    s.rows = shape[0]
    if not read_all(&s, args[1], PyArray_TYPE(<ndarray>args[0]), args + 2) or bags != s.count:
        return None
    out = zeros(shape, PyArray_TYPE(<ndarray>args[0]))
    if PyArray_TYPE(out) == NPY_FLOAT:
        found = spread(&s, <float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(out))
    else:
        found = spread(&s, <double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(out))
    return out if found else None


cdef object bag_products(Loop* loop, PyObject** args, int n):
    """(weight, grad, indices, bags, sizes, mean, padding_idx)"""
    cdef Bags s
    cdef bint found
    cdef npy_intp bags = 0, width = 0
    cdef ndarray out, w, d
    if not matrix(args[0], &s.rows, &s.width) or not matrix(args[1], &bags, &width):
        return None
    w, d = <ndarray>args[0], <ndarray>args[1]
    if width != s.width or PyArray_TYPE(w) != PyArray_TYPE(d):
        return None
    if not read_all(&s, <PyObject*>None, PyArray_TYPE(w), args + 2) or bags != s.count:
        return None
    out = new_array(1, &s.n, PyArray_TYPE(w))
    if PyArray_TYPE(out) == NPY_FLOAT:
        found = products(&s, <float*>PyArray_DATA(w), <float*>PyArray_DATA(d), <float*>PyArray_DATA(out))
    else:
        found = products(&s, <double*>PyArray_DATA(w), <double*>PyArray_DATA(d), <double*>PyArray_DATA(out))
    return out if found else None


cdef ndarray zeros(npy_intp* shape, int num):
    cdef ndarray out = new_array(2, shape, num)
    memset(PyArray_DATA(out), 0, PyArray_SIZE(out) * (4 if num == NPY_FLOAT else 8))
    return out


# ------------------------------------------------------------------------------ the largest

cdef bint largest(Bags* s, real* w, int64_t* o, real* top) noexcept nogil:
    """Which number has the largest entry, for each bag and column: the first of equal ones, or the first nan.

    `top` is room for the entries themselves.
    """
    cdef npy_intp i, k, number, bag
    cdef int64_t* best
    cdef real* most
    cdef real* x
    cdef bint larger
    for i in range(s.count):
        o[i * s.width] = -1
    for i in range(s.n):
        if not both(s, i, &number, &bag):
            return False
        if not counts(s, number):
            continue
        best, most, x = o + bag * s.width, top + bag * s.width, w + number * s.width
        if best[0] < 0:                     # the first of its bag
            for k in range(s.width):
                best[k], most[k] = number, x[k]
            continue
        for k in range(s.width):
            larger = (x[k] > most[k]) | ((x[k] != x[k]) & (most[k] == most[k]))
            best[k] ^= (best[k] ^ number) & -<int64_t>larger        # a choice without a branch
            most[k] = x[k] if larger else most[k]
    for i in range(s.count):
        if o[i * s.width] < 0:
            memset(o + i * s.width, 0, s.width * sizeof(int64_t))
    return True


cdef object largest_in_bags(Loop* loop, PyObject** args, int n):
    """(weight, indices, bags, sizes, padding_idx)"""
    cdef Bags s
    cdef bint found
    cdef npy_intp shape[2]
    cdef ndarray out, top
    if not matrix(args[0], &s.rows, &s.width) or not read(&s, args + 1) or not as_int(args[4], &s.padding):
        return None
    shape[0], shape[1] = s.count, s.width
    out, top = new_array(2, shape, NPY_INT64), new_array(2, shape, PyArray_TYPE(<ndarray>args[0]))
    if PyArray_TYPE(<ndarray>args[0]) == NPY_FLOAT:
        found = largest(&s, <float*>PyArray_DATA(<ndarray>args[0]), <int64_t*>PyArray_DATA(out),
                        <float*>PyArray_DATA(top))
    else:
        found = largest(&s, <double*>PyArray_DATA(<ndarray>args[0]), <int64_t*>PyArray_DATA(out),
                        <double*>PyArray_DATA(top))
    return out if found else None

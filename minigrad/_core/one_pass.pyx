"""Kernels that do in one pass what takes NumPy several: activations, softmax, the loss of classification.

``d * (1 - result**2)`` is three ufuncs to NumPy, each of which reads and writes memory; here it is one loop.

Every kernel is written once, for ``real``, and compiled twice, for float and for double.  ``by_dtype`` checks that the
first argument is a plain array, and calls the kernel for its dtype with a pointer to its numbers.  A kernel returns
None if it cannot take one of the other arguments.  The first line of each says what these are.
"""

from cpython.long cimport PyLong_CheckExact
from cpython.ref cimport PyObject
from libc.math cimport INFINITY, log
cimport numpy as cnp
from numpy cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE,
                    PyArray_SimpleNew, PyArray_TYPE, int64_t, ndarray, npy_intp)
from minigrad._core.blocks cimport new_array
from minigrad._core.loops cimport Loop, code, empty_like, number, resolve, same_shape
from minigrad._core.sums cimport real

import numpy as np

cnp.import_array()


cdef object by_dtype(Loop* loop, PyObject** args, int n):
    """The kernel in `loop` for the dtype of the first argument."""
    cdef PyObject* a = args[0]
    cdef int t = code(<ndarray>a) if type(<object>a) is ndarray else -1
    if t == 0:
        return (<OnFloats>loop.data[0])(<ndarray>a, <float*>PyArray_DATA(<ndarray>a), args)
    if t == 1:
        return (<OnDoubles>loop.data[1])(<ndarray>a, <double*>PyArray_DATA(<ndarray>a), args)
    return None


cdef inline real* beside(real* x, ndarray a, PyObject* other) noexcept:
    """The numbers of another plain array, if it has the shape and dtype of `a`, whose numbers are `x`; else NULL."""
    if type(<object>other) is not ndarray or PyArray_TYPE(<ndarray>other) != PyArray_TYPE(a):
        return NULL
    if not PyArray_ISCARRAY_RO(<ndarray>other) or not same_shape(<ndarray>other, a):
        return NULL
    return <real*>PyArray_DATA(<ndarray>other)


# ------------------------------------------------------------------------------ activations

cdef object relu(ndarray a, real* x, PyObject** args):
    """(self)"""
    cdef ndarray out = empty_like(a)
    cdef real* o = <real*>PyArray_DATA(out)
    cdef real value
    cdef npy_intp i
    for i in range(PyArray_SIZE(a)):
        value = x[i]
        o[i] = 0 if value < 0 else value            # a nan stays a nan, and -0. stays -0.
    return out


cdef object threshold_backward(ndarray a, real* d, PyObject** args):
    """(d, self, threshold)"""
    cdef real* x = beside(d, a, args[1])
    cdef double threshold = 0
    cdef ndarray out
    if x == NULL or not number(<object>args[2], &threshold):
        return None
    out = empty_like(a)
    pass_above(d, x, <real>threshold, <real*>PyArray_DATA(out), PyArray_SIZE(a))
    return out


cdef void pass_above(real* d, real* x, real threshold, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    cdef real kept
    for i in range(n):
        kept = d[i]                 # read first, so that the compiler can do without a branch
        o[i] = 0 if x[i] <= threshold else kept


cdef object tanh_backward(ndarray a, real* d, PyObject** args):
    """(d, result)"""
    cdef real* y = beside(d, a, args[1])
    cdef real* o
    cdef ndarray out
    cdef npy_intp i
    if y == NULL:
        return None
    out = empty_like(a)
    o = <real*>PyArray_DATA(out)
    for i in range(PyArray_SIZE(a)):
        o[i] = d[i] * (1 - y[i] * y[i])
    return out


cdef object sigmoid_backward(ndarray a, real* d, PyObject** args):
    """(d, result)"""
    cdef real* y = beside(d, a, args[1])
    cdef real* o
    cdef ndarray out
    cdef npy_intp i
    if y == NULL:
        return None
    out = empty_like(a)
    o = <real*>PyArray_DATA(out)
    for i in range(PyArray_SIZE(a)):
        o[i] = d[i] * (1 - y[i]) * y[i]
    return out


# ------------------------------------------------------------------------------ softmax, over the last axis
#
#     softmax(x) = exp(x - max) / sum(exp(x - max))           log_softmax(x) = x - max - log(sum(exp(x - max)))
#
# x - max is in [-inf, 0], so that no exponential overflows.  NumPy's loop of exp does the exponentials, many at a time;
# what is done to each row is done here.  Sums are in double precision: in float, the millionth term would be lost.

cdef Loop EXP
resolve(&EXP, np.exp)


cdef inline bint exponentiate(real* x, real* o, npy_intp size) noexcept:
    """o = exp(x); False where NumPy's loop was not found."""
    cdef int t = sizeof(real) == sizeof(double)
    cdef npy_intp strides[2]
    cdef char* p[2]
    if EXP.f[t] == NULL:
        return False
    strides[0] = strides[1] = sizeof(real)
    p[0], p[1] = <char*>x, <char*>o
    EXP.f[t](p, &size, strides, EXP.data[t])
    return True


cdef inline bint last_axis(ndarray a, PyObject* dim, npy_intp* rows, npy_intp* n) except -1:
    """True if `dim` is the last axis of a non-empty array, which then has `rows` rows of `n` numbers."""
    cdef int ndim = PyArray_NDIM(a)
    if ndim == 0 or PyArray_SIZE(a) == 0 or not PyLong_CheckExact(<object>dim):
        return False
    if <object>dim != -1 and <object>dim != ndim - 1:
        return False
    n[0] = PyArray_DIMS(a)[ndim - 1]
    rows[0] = PyArray_SIZE(a) // n[0]
    return True


cdef void shift_rows(real* x, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    """Subtract from each row its largest number; from one of -inf alone, nothing."""
    cdef npy_intp i, k
    cdef real largest
    for i in range(rows):
        largest = x[0]
        for k in range(1, n):
            if x[k] > largest:
                largest = x[k]
        if largest == -INFINITY:
            largest = 0
        for k in range(n):
            o[k] = x[k] - largest
        x += n
        o += n


cdef inline double sum_row(real* x, npy_intp n) noexcept nogil:
    cdef npy_intp k
    cdef double total = 0
    for k in range(n):
        total += x[k]
    return total


cdef object softmax(ndarray a, real* x, PyObject** args):
    """(self, dim)"""
    cdef npy_intp rows, n, i, k
    cdef double scale
    cdef ndarray out
    cdef real* o
    if not last_axis(a, args[1], &rows, &n):
        return None
    out = empty_like(a)
    o = <real*>PyArray_DATA(out)
    shift_rows(x, o, rows, n)
    if not exponentiate(o, o, rows * n):
        return None
    for i in range(rows):
        scale = 1 / sum_row(o, n)
        for k in range(n):
            o[k] = <real>(o[k] * scale)
        o += n
    return out


cdef object log_softmax(ndarray a, real* x, PyObject** args):
    """(self, dim)"""
    cdef npy_intp rows, n, i, k
    cdef double shift
    cdef ndarray out, powers
    cdef real* o
    cdef real* e
    if not last_axis(a, args[1], &rows, &n):
        return None
    out, powers = empty_like(a), empty_like(a)
    o, e = <real*>PyArray_DATA(out), <real*>PyArray_DATA(powers)
    shift_rows(x, o, rows, n)
    if not exponentiate(o, e, rows * n):
        return None
    for i in range(rows):
        shift = log(sum_row(e, n))
        for k in range(n):
            o[k] = <real>(o[k] - shift)
        o += n
        e += n
    return out


cdef object softmax_backward(ndarray a, real* d, PyObject** args):
    """(d, result, dim): result * (d - sum(d * result))"""
    cdef real* y = beside(d, a, args[1])
    cdef npy_intp rows, n, i, k
    cdef double total
    cdef ndarray out
    cdef real* o
    if y == NULL or not last_axis(a, args[2], &rows, &n):
        return None
    out = empty_like(a)
    o = <real*>PyArray_DATA(out)
    for i in range(rows):
        total = 0
        for k in range(n):
            total += <double>d[k] * y[k]
        for k in range(n):
            o[k] = <real>(y[k] * (d[k] - total))
        d += n
        y += n
        o += n
    return out


cdef object log_softmax_backward(ndarray a, real* d, PyObject** args):
    """(d, result, dim): d - exp(result) * sum(d)"""
    cdef real* y = beside(d, a, args[1])
    cdef npy_intp rows, n, i, k
    cdef double total
    cdef ndarray out, powers
    cdef real* o
    cdef real* e
    if y == NULL or not last_axis(a, args[2], &rows, &n):
        return None
    out, powers = empty_like(a), empty_like(a)
    o, e = <real*>PyArray_DATA(out), <real*>PyArray_DATA(powers)
    if not exponentiate(y, e, rows * n):
        return None
    for i in range(rows):
        total = sum_row(d, n)
        for k in range(n):
            o[k] = <real>(d[k] - e[k] * total)
        d += n
        e += n
        o += n
    return out


# ------------------------------------------------------------------------------ picking one class of each row
#
# The loss is minus the sum of x[i, target[i]], divided by how many there are if it is a mean.  Its transpose puts the
# gradient there, and zeros everywhere else.

cdef enum:
    MEAN = 1                        # the reductions of ops/networks/loss.py
    SUM = 2


cdef struct Classes:
    int64_t* of                     # the class of each row
    npy_intp rows, n                # how many rows, and how many classes
    npy_intp ignored                # the class that does not count
    npy_intp divisor                # of the sum


cdef bint plain_classes(Classes* c, PyObject* target, PyObject* weight, PyObject* reduction,
                        PyObject* ignored) except -1:
    """True if these are classes of `c.rows` rows, all below `c.n`, without weights, for a loss that is one number."""
    cdef npy_intp i, counted = 0
    cdef int how = <object>reduction
    if <object>weight is not None or (how != MEAN and how != SUM):
        return False
    if type(<object>target) is not ndarray or PyArray_TYPE(<ndarray>target) != NPY_INT64:
        return False
    if not PyArray_ISCARRAY_RO(<ndarray>target) or PyArray_NDIM(<ndarray>target) != 1:
        return False
    if PyArray_DIMS(<ndarray>target)[0] != c.rows:
        return False
    c.of = <int64_t*>PyArray_DATA(<ndarray>target)
    c.ignored = <object>ignored
    for i in range(c.rows):
        if c.of[i] != c.ignored:
            if c.of[i] < 0 or c.of[i] >= c.n:
                return False
            counted += 1
    c.divisor = counted if how == MEAN else 1
    return True


cdef object nll_loss(ndarray a, real* x, PyObject** args):
    """(self, target, weight, reduction, ignore_index)"""
    cdef Classes c
    cdef npy_intp i
    cdef double total = 0
    cdef ndarray out
    if PyArray_NDIM(a) != 2:
        return None
    c.rows, c.n = PyArray_DIMS(a)[0], PyArray_DIMS(a)[1]
    if not plain_classes(&c, args[1], args[2], args[3], args[4]):
        return None
    for i in range(c.rows):
        if c.of[i] != c.ignored:
            total -= x[i * c.n + c.of[i]]
    out = PyArray_SimpleNew(0, NULL, PyArray_TYPE(a))
    (<real*>PyArray_DATA(out))[0] = <real>(total / c.divisor)
    return out


cdef object nll_loss_backward(ndarray a, real* g, PyObject** args):
    """(grad, target, weight, shape, reduction, ignore_index)"""
    cdef Classes c
    cdef npy_intp dims[2]
    cdef npy_intp i
    cdef real value
    cdef real* o
    cdef ndarray out
    shape = <object>args[3]
    if PyArray_NDIM(a) != 0 or len(shape) != 2:
        return None
    c.rows, c.n = dims[0], dims[1] = shape
    if not plain_classes(&c, args[1], args[2], args[4], args[5]):
        return None
    value = -g[0] / <real>c.divisor
    out = new_array(2, dims, PyArray_TYPE(a))
    o = <real*>PyArray_DATA(out)
    for i in range(c.rows * c.n):
        o[i] = 0
    for i in range(c.rows):
        if c.of[i] != c.ignored:
            o[i * c.n + c.of[i]] = value
    return out

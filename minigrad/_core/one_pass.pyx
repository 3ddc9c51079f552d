"""Kernels that do in one pass what takes NumPy several: activations, softmax, the loss of classification."""

from cpython.ref cimport PyObject
from libc.math cimport log, INFINITY
cimport numpy as cnp
from numpy cimport (NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE,
                    PyArray_SimpleNew, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.loops cimport Loop, PyLong_CheckExact, code, like, number, resolve, same_shape
from minigrad._core.sums cimport real

import numpy as np

cnp.import_array()


# ------------------------------------------------------------------------------ one pass instead of several

cdef void relu_loop(real* x, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    cdef real value
    for i in range(n):
        value = x[i]
        o[i] = 0 if value < 0 else value            # a nan stays a nan, and -0. stays -0.


cdef void threshold_backward_loop(real* d, real* x, real threshold, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    cdef real kept
    for i in range(n):
        kept = d[i]                 # read first, so that the compiler can do without a branch
        o[i] = 0 if x[i] <= threshold else kept


cdef void tanh_backward_loop(real* d, real* y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = d[i] * (1 - y[i] * y[i])


cdef void sigmoid_backward_loop(real* d, real* y, real* o, npy_intp n) noexcept nogil:
    cdef npy_intp i
    for i in range(n):
        o[i] = d[i] * (1 - y[i]) * y[i]


# Each pair of calls below is one loop, compiled for double and for float.

cdef object relu(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef int t
    if type(<object>args[0]) is not ndarray:
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0:
        return None
    o = like(a)
    if t:
        relu_loop(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), PyArray_SIZE(a))
    else:
        relu_loop(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), PyArray_SIZE(a))
    return o


cdef inline int pair(PyObject** args) noexcept:
    """The code of two plain arrays of one shape and dtype, else -1."""
    cdef int t
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return -1
    t = code(<ndarray>args[0])
    return t if t >= 0 and code(<ndarray>args[1]) == t and same_shape(<ndarray>args[0], <ndarray>args[1]) else -1


cdef object threshold_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef double threshold = 0
    cdef ndarray o
    if t < 0 or not number(<object>args[2], &threshold):
        return None
    o = like(<ndarray>args[0])
    if t:
        threshold_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                                threshold, <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        threshold_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                                <float>threshold, <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


cdef object tanh_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef ndarray o
    if t < 0:
        return None
    o = like(<ndarray>args[0])
    if t:
        tanh_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                           <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        tanh_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                           <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


cdef object sigmoid_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef ndarray o
    if t < 0:
        return None
    o = like(<ndarray>args[0])
    if t:
        sigmoid_backward_loop(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                              <double*>PyArray_DATA(o), PyArray_SIZE(o))
    else:
        sigmoid_backward_loop(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                              <float*>PyArray_DATA(o), PyArray_SIZE(o))
    return o


# The softmax family over the last axis: x - max is in [-inf, 0], so no exponential overflows.
# NumPy's loop of exp does the exponentials (SIMD); the sums run here.

cdef Loop EXP, LOG
resolve(&EXP, np.exp)
resolve(&LOG, np.log)


cdef void shift_rows(real* x, real* o, npy_intp rows, npy_intp n) noexcept nogil:
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


cdef void divide_rows(real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += o[k]
        total = 1 / total
        for k in range(n):
            o[k] = <real>(o[k] * total)
        o += n


cdef void log_rows(real* e, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += e[k]
        total = log(total)
        for k in range(n):
            o[k] = <real>(o[k] - total)
        e += n
        o += n


cdef void softmax_backward_rows(real* d, real* y, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += <double>d[k] * y[k]
        for k in range(n):
            o[k] = <real>(y[k] * (d[k] - total))
        d += n
        y += n
        o += n


cdef void log_softmax_backward_rows(real* d, real* e, real* o, npy_intp rows, npy_intp n) noexcept nogil:
    cdef npy_intp i, k
    cdef double total               # in float, the millionth term would be rounded away
    for i in range(rows):
        total = 0
        for k in range(n):
            total += d[k]
        for k in range(n):
            o[k] = <real>(d[k] - e[k] * total)
        d += n
        e += n
        o += n


cdef inline bint last_axis(ndarray a, object dim, npy_intp* rows, npy_intp* n) except -1:
    """Does `dim` name the last axis of a non-empty array?  Then how many rows has it, and how long?"""
    cdef int ndim = PyArray_NDIM(a)
    if ndim == 0 or PyArray_SIZE(a) == 0 or not PyLong_CheckExact(dim) or (dim != -1 and dim != ndim - 1):
        return False
    n[0] = PyArray_DIMS(a)[ndim - 1]
    rows[0] = PyArray_SIZE(a) // n[0]
    return True


cdef inline void exponentiate(ndarray a, ndarray o, int t) noexcept:
    cdef char* p[2]
    cdef npy_intp s[2]
    cdef npy_intp size = PyArray_SIZE(a)
    p[0] = <char*>PyArray_DATA(a)
    p[1] = <char*>PyArray_DATA(o)
    s[0] = s[1] = 8 if t else 4
    EXP.f[t](p, &size, s, EXP.data[t])


cdef object softmax(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef npy_intp rows, length
    cdef int t
    if type(<object>args[0]) is not ndarray or (n > 2 and <object>args[2] is not None):
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0 or EXP.f[t] == NULL or not last_axis(a, <object>args[1], &rows, &length):
        return None
    o = like(a)
    if t:
        shift_rows(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), rows, length)
    else:
        shift_rows(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), rows, length)
    exponentiate(o, o, t)
    if t:
        divide_rows(<double*>PyArray_DATA(o), rows, length)
    else:
        divide_rows(<float*>PyArray_DATA(o), rows, length)
    return o


cdef object log_softmax(Loop* loop, PyObject** args, int n):
    cdef ndarray a
    cdef ndarray o
    cdef ndarray e
    cdef npy_intp rows, length
    cdef int t
    if type(<object>args[0]) is not ndarray or (n > 2 and <object>args[2] is not None):
        return None
    a = <ndarray>args[0]
    t = code(a)
    if t < 0 or EXP.f[t] == NULL or not last_axis(a, <object>args[1], &rows, &length):
        return None
    o = like(a)
    e = like(a)
    if t:
        shift_rows(<double*>PyArray_DATA(a), <double*>PyArray_DATA(o), rows, length)
        exponentiate(o, e, t)
        log_rows(<double*>PyArray_DATA(e), <double*>PyArray_DATA(o), rows, length)
    else:
        shift_rows(<float*>PyArray_DATA(a), <float*>PyArray_DATA(o), rows, length)
        exponentiate(o, e, t)
        log_rows(<float*>PyArray_DATA(e), <float*>PyArray_DATA(o), rows, length)
    return o


cdef object softmax_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef npy_intp rows, length
    cdef ndarray o
    if t < 0 or not last_axis(<ndarray>args[0], <object>args[2], &rows, &length):
        return None
    o = like(<ndarray>args[0])
    if t:
        softmax_backward_rows(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(<ndarray>args[1]),
                              <double*>PyArray_DATA(o), rows, length)
    else:
        softmax_backward_rows(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(<ndarray>args[1]),
                              <float*>PyArray_DATA(o), rows, length)
    return o


cdef object log_softmax_backward(Loop* loop, PyObject** args, int n):
    cdef int t = pair(args)
    cdef npy_intp rows, length
    cdef ndarray o
    cdef ndarray e
    if t < 0 or EXP.f[t] == NULL or not last_axis(<ndarray>args[0], <object>args[2], &rows, &length):
        return None
    o = like(<ndarray>args[0])
    e = like(o)
    exponentiate(<ndarray>args[1], e, t)
    if t:
        log_softmax_backward_rows(<double*>PyArray_DATA(<ndarray>args[0]), <double*>PyArray_DATA(e),
                                  <double*>PyArray_DATA(o), rows, length)
    else:
        log_softmax_backward_rows(<float*>PyArray_DATA(<ndarray>args[0]), <float*>PyArray_DATA(e),
                                  <float*>PyArray_DATA(o), rows, length)
    return o


# ------------------------------------------------------------------------------ picking one class of each row

cdef enum:
    MEAN = 1                        # the reductions of ops/networks/loss.py
    SUM = 2


cdef inline bint plain_classes(object target, npy_intp rows, npy_intp classes, npy_intp ignored, npy_intp* counted) except -1:
    """Are these `rows` class numbers, all of them in range?  Then how many count?"""
    cdef npy_intp i, k
    cdef cnp.int64_t* t
    if type(target) is not ndarray or PyArray_TYPE(<ndarray>target) != cnp.NPY_INT64 or not PyArray_ISCARRAY_RO(<ndarray>target):
        return False
    if PyArray_NDIM(<ndarray>target) != 1 or PyArray_DIMS(<ndarray>target)[0] != rows:
        return False
    t = <cnp.int64_t*>PyArray_DATA(<ndarray>target)
    k = 0
    for i in range(rows):
        if t[i] != ignored:
            if t[i] < 0 or t[i] >= classes:
                return False
            k += 1
    counted[0] = k
    return True


cdef double pick(real* x, cnp.int64_t* t, npy_intp rows, npy_intp classes, npy_intp ignored) noexcept nogil:
    cdef npy_intp i
    cdef double total = 0
    for i in range(rows):
        if t[i] != ignored:
            total -= x[i * classes + t[i]]
    return total


cdef void place(real* o, real value, cnp.int64_t* t, npy_intp rows, npy_intp classes, npy_intp ignored) noexcept nogil:
    cdef npy_intp i
    for i in range(rows * classes):
        o[i] = 0
    for i in range(rows):
        if t[i] != ignored:
            o[i * classes + t[i]] = value


cdef object nll_loss(Loop* loop, PyObject** args, int n):
    """(self, target, weight, reduction, ignore_index), without weights, reduced to a number."""
    cdef ndarray a, o
    cdef int t, reduction
    cdef npy_intp rows, classes, ignored, counted = 0
    cdef cnp.int64_t* places
    if type(<object>args[0]) is not ndarray or <object>args[2] is not None:
        return None
    a = <ndarray>args[0]
    t = code(a)
    reduction = <object>args[3]
    if t < 0 or PyArray_NDIM(a) != 2 or (reduction != MEAN and reduction != SUM):
        return None
    rows = PyArray_DIMS(a)[0]
    classes = PyArray_DIMS(a)[1]
    ignored = <object>args[4]
    if not plain_classes(<object>args[1], rows, classes, ignored, &counted):
        return None
    places = <cnp.int64_t*>PyArray_DATA(<ndarray>args[1])
    o = PyArray_SimpleNew(0, NULL, NPY_FLOAT + t)
    if t:
        (<double*>PyArray_DATA(o))[0] = pick(<double*>PyArray_DATA(a), places, rows, classes, ignored) / (counted if reduction == MEAN else 1)
    else:
        (<float*>PyArray_DATA(o))[0] = <float>(pick(<float*>PyArray_DATA(a), places, rows, classes, ignored) / (counted if reduction == MEAN else 1))
    return o


cdef object nll_loss_backward(Loop* loop, PyObject** args, int n):
    """(grad, target, weight, shape, reduction, ignore_index), the transpose of the above."""
    cdef ndarray g, o
    cdef int t, reduction
    cdef npy_intp dims[2]
    cdef npy_intp ignored, counted = 0
    cdef cnp.int64_t* places
    if type(<object>args[0]) is not ndarray or <object>args[2] is not None:
        return None
    g = <ndarray>args[0]
    t = code(g)
    reduction = <object>args[4]
    shape = <object>args[3]
    if t < 0 or PyArray_NDIM(g) != 0 or len(shape) != 2 or (reduction != MEAN and reduction != SUM):
        return None
    dims[0] = shape[0]
    dims[1] = shape[1]
    ignored = <object>args[5]
    if not plain_classes(<object>args[1], dims[0], dims[1], ignored, &counted):
        return None
    places = <cnp.int64_t*>PyArray_DATA(<ndarray>args[1])
    o = PyArray_SimpleNew(2, dims, NPY_FLOAT + t)
    if t:
        place(<double*>PyArray_DATA(o), -(<double*>PyArray_DATA(g))[0] / (counted if reduction == MEAN else 1), places, dims[0], dims[1], ignored)
    else:
        place(<float*>PyArray_DATA(o), -(<float*>PyArray_DATA(g))[0] / <float>(counted if reduction == MEAN else 1), places, dims[0], dims[1], ignored)
    return o

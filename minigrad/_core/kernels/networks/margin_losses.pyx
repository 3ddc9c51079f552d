"""Margin losses between the classes of a row: the loss of each row, and its derivatives.

A row of scores costs what some of them lack to a margin over others.  Its slopes are the gradient of that with respect
to the scores; a row of the table multiplies them by the share of the gradient that the row of scores gets.

    multi_margin        for the class y, each other class j         max(0, margin - x[y] + x[j])^p w[y] / classes
    multilabel_margin   for each label y, each other class j        max(0, 1 - x[y] + x[j]) / classes

The labels of a row are class numbers, and end at the first negative one.  Other layouts and dtypes, and all errors, are
left to the general kernels in ops/networks/multi_margin.py.
"""

from libc.stdlib cimport free, malloc
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop, number
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport as_int
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_DOUBLE, NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, int64_t,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport read_once

cdef enum:
    NONE = 0                    # the reductions of ops/networks/loss.py
    MEAN = 1
    SUM = 2


cdef struct Rows:
    npy_intp rows, n            # how many rows, and how many classes
    int64_t* targets
    bint squared                # p is 2
    double margin
    void* weight                # one number for each class, or NULL
    npy_intp* often             # room for how often each class is a label; NULL where a row has one target
    bint outside                # was a number met that is not a class?


cdef bint plain_rows(Rows* r, PyObject** args, npy_intp* target_size) except -1:
    """Is the first argument a plain matrix, or a row, and the second one plain class numbers?"""
    cdef ndarray a, target
    if type(<object>args[0]) is not ndarray or type(<object>args[1]) is not ndarray:
        return False
    a, target = <ndarray>args[0], <ndarray>args[1]
    if not 1 <= PyArray_NDIM(a) <= 2 or not PyArray_ISCARRAY_RO(a) or not PyArray_ISCARRAY_RO(target):
        return False
    if PyArray_TYPE(target) != NPY_INT64 or PyArray_TYPE(a) != NPY_FLOAT and PyArray_TYPE(a) != NPY_DOUBLE:
        return False
    r.n = PyArray_DIMS(a)[PyArray_NDIM(a) - 1]
    r.rows = PyArray_DIMS(a)[0] if PyArray_NDIM(a) == 2 else 1
    r.targets = <int64_t*>PyArray_DATA(target)
    r.weight, r.often, r.outside = NULL, NULL, False
    target_size[0] = PyArray_SIZE(target)
    return r.rows > 0 and r.n > 0


cdef bint one_class_each(Rows* r, PyObject** args) except -1:
    """(self, target, p, margin, weight)"""
    cdef npy_intp size = 0, p = 0
    cdef ndarray weight
    if not plain_rows(r, args, &size) or size != r.rows or PyArray_NDIM(<ndarray>args[1]) > 1:
        return False
    if not as_int(args[2], &p) or not 1 <= p <= 2 or not number(<object>args[3], &r.margin):
        return False
    r.squared = p == 2
    if <object>args[4] is not None:
        if type(<object>args[4]) is not ndarray:
            return False
        weight = <ndarray>args[4]
        if (PyArray_NDIM(weight) != 1 or PyArray_DIMS(weight)[0] != r.n or not PyArray_ISCARRAY_RO(weight)
                or PyArray_TYPE(weight) != PyArray_TYPE(<ndarray>args[0])):
            return False
        r.weight = PyArray_DATA(weight)
    return True


cdef bint labels_of_each(Rows* r, PyObject** args) except -1:
    """(self, target)"""
    cdef npy_intp i, size = 0
    cdef ndarray target
    if not plain_rows(r, args, &size):
        return False
    target = <ndarray>args[1]
    if PyArray_NDIM(target) != PyArray_NDIM(<ndarray>args[0]) or size != r.rows * r.n:
        return False
    if PyArray_NDIM(target) == 2 and PyArray_DIMS(target)[0] != r.rows:
        return False
    for i in range(size):
        if not -1 <= r.targets[i] < r.n:
            return False
    return True


# ------------------------------------------------------------------------------ one row

cdef real multi_margin_row(Rows* r, npy_intp i, real* x, real* slopes) noexcept nogil:
    """The loss of a row; or, where `slopes` is given, these."""
    cdef int64_t number = read_once(&r.targets[i])
    cdef npy_intp j, y = <npy_intp>number
    cdef real margin = <real>r.margin, factor = 1, lacking, slope
    cdef double total = 0, of_target = 0
    if not 0 <= number < r.n:
        r.outside = True
        return 0
    if r.weight != NULL:
        factor = (<real*>r.weight)[y]
    for j in range(r.n):
        lacking = margin - x[y] + x[j]
        if slopes == NULL:
            if j != y and lacking > 0:
                total += factor * (lacking * lacking if r.squared else lacking)
            continue
        slope = 0
        if j != y and lacking > 0:
            slope = factor * (2 * lacking if r.squared else 1) / r.n
            of_target -= slope
        slopes[j] = slope
    if slopes != NULL:
        slopes[y] = <real>of_target
    return <real>(total / r.n)


cdef real multilabel_margin_row(Rows* r, npy_intp i, real* x, real* slopes) noexcept nogil:
    """A class may be a label several times, and then costs as often."""
    cdef npy_intp j, y
    cdef int64_t number
    cdef int64_t* targets = r.targets + i * r.n
    cdef npy_intp* often = r.often
    cdef real lacking, share
    cdef double total = 0, of_label
    for j in range(r.n):
        often[j] = 0
        if slopes != NULL:
            slopes[j] = 0
    for j in range(r.n):
        number = read_once(&targets[j])         # another thread may have changed it since it was looked at
        if number < 0:
            break
        if number >= r.n:
            r.outside = True
            return 0
        often[<npy_intp>number] += 1
    for y in range(r.n):
        if often[y] == 0:
            continue
        of_label, share = 0, <real>often[y] / r.n
        for j in range(r.n):
            lacking = 1 - x[y] + x[j]
            if often[j] == 0 and lacking > 0:
                of_label += lacking if slopes == NULL else share
                if slopes != NULL:
                    slopes[j] += share
        total += often[y] * of_label
        if slopes != NULL:
            slopes[y] = <real>-of_label
    return <real>(total / r.n)


cdef void rows_of(Rows* r, real* x, real* losses, real* slopes) noexcept nogil:
    cdef npy_intp i
    cdef real* to = NULL
    cdef real loss
    for i in range(r.rows):
        if slopes != NULL:
            to = slopes + i * r.n
        if r.often != NULL:
            loss = multilabel_margin_row(r, i, x + i * r.n, to)
        else:
            loss = multi_margin_row(r, i, x + i * r.n, to)
        if losses != NULL:
            losses[i] = loss


cdef void reduce_rows(real* losses, real* out, npy_intp rows, npy_intp how) noexcept:
    cdef double total = 0
    cdef npy_intp i
    for i in range(rows):
        total += losses[i]
    out[0] = <real>(total / rows if how == MEAN else total)


# ------------------------------------------------------------------------------ all rows

cdef object losses_of(Rows* r, ndarray a, int ndim, npy_intp how):
    """The losses in an array of `ndim` dims, their mean or their sum."""
    cdef ndarray losses = new_array(ndim if how == NONE else 1, &r.rows, PyArray_TYPE(a))
    cdef ndarray out
    run(r, a, losses, None)
    if r.outside:
        return None
    if how == NONE:
        return losses
    out = new_array(0, NULL, PyArray_TYPE(a))
    if PyArray_TYPE(a) == NPY_FLOAT:
        reduce_rows(<float*>PyArray_DATA(losses), <float*>PyArray_DATA(out), r.rows, how)
    else:
        reduce_rows(<double*>PyArray_DATA(losses), <double*>PyArray_DATA(out), r.rows, how)
    return out


cdef int run(Rows* r, ndarray a, ndarray losses, ndarray slopes) except -1:
    cdef void* to = PyArray_DATA(losses) if losses is not None else NULL
    cdef void* slopes_to = PyArray_DATA(slopes) if slopes is not None else NULL
    cdef void* x = PyArray_DATA(a)
    cdef bint single = PyArray_TYPE(a) == NPY_FLOAT
    if r.rows * r.n > LARGE:
        with nogil:
            in_dtype(r, x, to, slopes_to, single)
    else:
        in_dtype(r, x, to, slopes_to, single)
    return 0


cdef void in_dtype(Rows* r, void* x, void* losses, void* slopes, bint single) noexcept nogil:
    if single:
        rows_of(r, <float*>x, <float*>losses, <float*>slopes)
    else:
        rows_of(r, <double*>x, <double*>losses, <double*>slopes)


cdef object multi_margin_loss(Loop* loop, PyObject** args, int n):
    """(self, target, p, margin, weight, reduction)"""
    cdef Rows r
    cdef npy_intp how = 0
    if not one_class_each(&r, args) or not as_int(args[5], &how) or not NONE <= how <= SUM:
        return None
    return losses_of(&r, <ndarray>args[0], PyArray_NDIM(<ndarray>args[1]), how)


cdef object multi_margin_slope(Loop* loop, PyObject** args, int n):
    """(self, target, p, margin, weight)"""
    cdef Rows r
    cdef ndarray out
    if not one_class_each(&r, args):
        return None
    out = new_array(PyArray_NDIM(<ndarray>args[0]), PyArray_DIMS(<ndarray>args[0]), PyArray_TYPE(<ndarray>args[0]))
    run(&r, <ndarray>args[0], None, out)
    return None if r.outside else out


cdef object multilabel_margin_loss(Loop* loop, PyObject** args, int n):
    """(self, target, reduction)"""
    cdef Rows r
    cdef npy_intp how = 0
    if not as_int(args[2], &how) or not NONE <= how <= SUM or not labels_of_each(&r, args):
        return None
    r.often = <npy_intp*>malloc(r.n * sizeof(npy_intp))
    if r.often == NULL:
        raise MemoryError()
    try:
        return losses_of(&r, <ndarray>args[0], PyArray_NDIM(<ndarray>args[0]) - 1, how)
    finally:
        free(r.often)


cdef object multilabel_margin_slope(Loop* loop, PyObject** args, int n):
    """(self, target)"""
    cdef Rows r
    cdef ndarray out
    if not labels_of_each(&r, args):
        return None
    r.often = <npy_intp*>malloc(r.n * sizeof(npy_intp))
    if r.often == NULL:
        raise MemoryError()
    try:
        out = new_array(PyArray_NDIM(<ndarray>args[0]), PyArray_DIMS(<ndarray>args[0]),
                        PyArray_TYPE(<ndarray>args[0]))
        run(&r, <ndarray>args[0], None, out)
    finally:
        free(r.often)
    return None if r.outside else out

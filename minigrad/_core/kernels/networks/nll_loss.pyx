"""The loss of classification in one pass over its input; NumPy needs several.

To pick one number of each row is several functions to NumPy, each of which makes an array; here it is one loop.  It is
written for ``real`` and compiled twice, for float and for double; each kernel calls the one for the dtype of its first
argument, and returns None if it cannot take one of the others.

    the loss         minus the sum of x[i, target[i]], divided by how many there are if it is a mean
    its transpose    puts the gradient there, and zeros everywhere else
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop, code
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_SimpleNew, PyArray_TYPE, int64_t, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.kernels.loops.read_once cimport read_once

cdef enum:
    MEAN = 1                        # the reductions of ops/networks/loss.py
    SUM = 2


cdef struct Classes:
    int64_t* of                     # the class of each row
    npy_intp rows, n                # how many rows, and how many classes
    npy_intp ignored                # the class that does not count
    bint mean                       # is the sum divided by how many count?


cdef bint plain_classes(Classes* c, PyObject* target, PyObject* weight, PyObject* reduction,
                        PyObject* ignored) except -1:
    """True if these may be classes of `c.rows` rows, without weights, for a loss that is one number.

    Each class is looked at where it is used, by `class_of`.
    """
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
    c.ignored, c.mean = <object>ignored, how == MEAN
    return True


cdef inline bint class_of(Classes* c, npy_intp i, int64_t* number) noexcept:
    """The class of row i, or -1 for the one that does not count; False for one that there is not."""
    number[0] = read_once(&c.of[i])
    if number[0] == c.ignored:
        number[0] = -1
        return True
    return 0 <= number[0] < c.n


cdef object nll_loss(Loop* loop, PyObject** args, int n):
    """(self, target, weight, reduction, ignore_index)"""
    cdef int t = float_code(args[0])
    if t == 0:
        return loss_of(<ndarray>args[0], <float*>PyArray_DATA(<ndarray>args[0]), args)
    if t == 1:
        return loss_of(<ndarray>args[0], <double*>PyArray_DATA(<ndarray>args[0]), args)
    return None


cdef int float_code(PyObject* a) noexcept:
    """0 for a plain array of float, 1 for one of double, else -1."""
    return code(<ndarray>a) if type(<object>a) is ndarray else -1


cdef object loss_of(ndarray a, real* x, PyObject** args):
    cdef Classes c
    cdef npy_intp i, counted = 0
    cdef int64_t number = 0
    cdef double total = 0
    cdef ndarray out
    if PyArray_NDIM(a) != 2:
        return None
    c.rows, c.n = PyArray_DIMS(a)[0], PyArray_DIMS(a)[1]
    if not plain_classes(&c, args[1], args[2], args[3], args[4]):
        return None
    for i in range(c.rows):
        if not class_of(&c, i, &number):
            return None
        if number >= 0:
            total -= x[i * c.n + <npy_intp>number]
            counted += 1
    out = PyArray_SimpleNew(0, NULL, PyArray_TYPE(a))
    (<real*>PyArray_DATA(out))[0] = <real>(total / (counted if c.mean else 1))
    return out


cdef object nll_loss_backward(Loop* loop, PyObject** args, int n):
    """(grad, target, weight, shape, reduction, ignore_index)"""
    cdef int t = float_code(args[0])
    if t == 0:
        return gradient_of(<ndarray>args[0], <float*>PyArray_DATA(<ndarray>args[0]), args)
    if t == 1:
        return gradient_of(<ndarray>args[0], <double*>PyArray_DATA(<ndarray>args[0]), args)
    return None


cdef object gradient_of(ndarray a, real* g, PyObject** args):
    cdef Classes c
    cdef npy_intp dims[2]
    cdef npy_intp i, counted = 0
    cdef int64_t number = 0
    cdef real value
    cdef real* o
    cdef ndarray out
    shape = <object>args[3]
    if PyArray_NDIM(a) != 0 or len(shape) != 2:
        return None
    c.rows, c.n = dims[0], dims[1] = shape
    if not plain_classes(&c, args[1], args[2], args[4], args[5]):
        return None
    for i in range(c.rows):
        if not class_of(&c, i, &number):
            return None
        counted += number >= 0
    value = -g[0] / <real>(counted if c.mean else 1)
    out = new_array(2, dims, PyArray_TYPE(a))
    o = <real*>PyArray_DATA(out)
    for i in range(c.rows * c.n):
        o[i] = 0
    for i in range(c.rows):
        if not class_of(&c, i, &number):        # another thread may have changed it since
            return None
        if number >= 0:
            o[i * c.n + <npy_intp>number] = value
    return out

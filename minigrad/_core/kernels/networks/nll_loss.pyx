"""The loss of classification in one pass over what it picks; NumPy needs several.

To pick one number for each target is several functions to NumPy, each of which makes an array; here it is one loop.  It
is written for ``real`` and compiled twice, for float and for double; each kernel calls the one for the dtype of its
first argument, and returns None if it cannot take one of the others.  The input is seen as (batch, class, rest), where
the rest is what comes after the classes: the pixels of an image, or nothing.

    the loss         minus x[b, target[b, r], r] times the weight of the class; or the sum, or the mean
    its transpose    puts the gradient there, and zeros everywhere else
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop, code
from minigrad._core.kernels.loops.read_once cimport read_once
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_ISCARRAY_RO, PyArray_NDIM,
                                               PyArray_SIZE, PyArray_SimpleNew, PyArray_TYPE, int64_t, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef enum:
    NONE = 0                        # the reductions of ops/networks/loss.py
    MEAN = 1
    SUM = 2


cdef struct Classes:
    int64_t* of                     # the class of each target
    void* weights                   # of the classes, in the dtype of the input; NULL for none
    npy_intp batch, n, rest         # the shape in which the input is seen: n classes
    npy_intp ignored                # the class that does not count
    int reduction


cdef bint plain_classes(Classes* c, int ndim, npy_intp* dims, int num, PyObject** args) except -1:
    """True if target and weight, the first two of `args`, may be those of an input of this shape and dtype.

    Each class is looked at where it is used, by `class_of`.
    """
    cdef object target = <object>args[0], weight = <object>args[1]
    cdef int i
    if type(target) is not ndarray or PyArray_TYPE(<ndarray>target) != NPY_INT64:
        return False
    if ndim < 2 or not PyArray_ISCARRAY_RO(<ndarray>target) or PyArray_NDIM(<ndarray>target) != ndim - 1:
        return False
    c.batch, c.n, c.rest = dims[0], dims[1], 1
    if PyArray_DIMS(<ndarray>target)[0] != c.batch:
        return False
    for i in range(2, ndim):
        if PyArray_DIMS(<ndarray>target)[i - 1] != dims[i]:
            return False
        c.rest *= dims[i]
    c.weights = NULL
    if weight is not None:
        if (type(weight) is not ndarray or PyArray_TYPE(<ndarray>weight) != num
                or not PyArray_ISCARRAY_RO(<ndarray>weight) or PyArray_NDIM(<ndarray>weight) != 1
                or PyArray_DIMS(<ndarray>weight)[0] != c.n):
            return False
        c.weights = PyArray_DATA(<ndarray>weight)
    c.of = <int64_t*>PyArray_DATA(<ndarray>target)
    return True


cdef inline bint class_of(Classes* c, npy_intp i, int64_t* number) noexcept:
    """The class of target i, or -1 for the one that does not count; False for one that there is not."""
    number[0] = read_once(&c.of[i])
    if number[0] == c.ignored:
        number[0] = -1
        return True
    return 0 <= number[0] < c.n


cdef int float_code(PyObject* a) noexcept:
    """0 for a plain array of float, 1 for one of double, else -1."""
    return code(<ndarray>a) if type(<object>a) is ndarray else -1


cdef object nll_loss(Loop* loop, PyObject** args, int n):
    """(self, target, weight, reduction, ignore_index)"""
    cdef int t = float_code(args[0])
    if t == 0:
        return loss_of(<ndarray>args[0], <float*>PyArray_DATA(<ndarray>args[0]), args)
    if t == 1:
        return loss_of(<ndarray>args[0], <double*>PyArray_DATA(<ndarray>args[0]), args)
    return None


cdef object loss_of(ndarray a, real* x, PyObject** args):
    cdef Classes c
    cdef npy_intp b, r, i = 0
    cdef int64_t number = 0
    cdef double total = 0, counted = 0
    cdef real weight = 1, value
    cdef real* losses = NULL
    cdef ndarray out
    if not plain_classes(&c, PyArray_NDIM(a), PyArray_DIMS(a), PyArray_TYPE(a), args + 1):
        return None
    c.reduction, c.ignored = <object>args[3], <object>args[4]
    if c.reduction == NONE:
        out = new_array(PyArray_NDIM(a) - 1, PyArray_DIMS(<ndarray>args[1]), PyArray_TYPE(a))
        losses = <real*>PyArray_DATA(out)
    else:
        out = PyArray_SimpleNew(0, NULL, PyArray_TYPE(a))
    for b in range(c.batch):
        for r in range(c.rest):
            if not class_of(&c, i, &number):
                return None
            value = 0
            if number >= 0:
                if c.weights != NULL:
                    weight = (<real*>c.weights)[number]
                value = -x[(b * c.n + <npy_intp>number) * c.rest + r] * weight
                counted += weight
            if losses != NULL:
                losses[i] = value
            total += value
            i += 1
    if losses == NULL:
        (<real*>PyArray_DATA(out))[0] = <real>(total / (counted if c.reduction == MEAN else 1))
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
    cdef npy_intp dims[MAX_DIMS]
    cdef npy_intp b, r, i, many
    cdef int64_t number = 0
    cdef double counted = 0
    cdef real whole = 0, value
    cdef real* weights
    cdef real* o
    cdef ndarray out
    cdef int ndim
    shape = <object>args[3]
    ndim = len(shape)
    if ndim > MAX_DIMS:
        return None
    for i in range(ndim):
        dims[i] = shape[i]
    if not plain_classes(&c, ndim, dims, PyArray_TYPE(a), args + 1):
        return None
    c.reduction, c.ignored = <object>args[4], <object>args[5]
    weights, many = <real*>c.weights, c.batch * c.rest
    if c.reduction == NONE:
        if PyArray_SIZE(a) != many:
            return None
    elif PyArray_NDIM(a) != 0:
        return None
    else:
        for i in range(many if c.reduction == MEAN else 0):
            if not class_of(&c, i, &number):
                return None
            if number >= 0:
                counted += 1 if weights == NULL else weights[number]
        whole = -g[0] / <real>(counted if c.reduction == MEAN else 1)
    out = new_zeros(ndim, dims, PyArray_TYPE(a))
    o = <real*>PyArray_DATA(out)
    i = 0
    for b in range(c.batch):
        for r in range(c.rest):
            if not class_of(&c, i, &number):        # another thread may have changed it since
                return None
            if number >= 0:
                value = whole if c.reduction != NONE else -g[i]
                o[(b * c.n + <npy_intp>number) * c.rest + r] = value if weights == NULL else value * weights[number]
            i += 1
    return out

"""Layer, group, batch and RMS norm, and the ways back through them: the kernels of the rows.

They bring operands into the form of Note [Lines of a normalisation], where normalization_loops.pyx has the loops.  All
are of float32 or of float64, and have elements; what has gaps is copied first.  The rest is for the general kernels, in
ops/networks/normalization.py and channel_norms.py.
"""

from minigrad._core.kernels.loops.copies cimport in_dtype, new_copy, stored_as
from minigrad._core.kernels.loops.numpy_loops cimport Loop, aligned, empty_like, number as as_double, same_shape
from minigrad._core.kernels.networks.normalization_loops cimport BACK, FIXED, FORWARD, TO_PARAMETER, Norm, run
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_CORDER, NPY_DOUBLE, NPY_FLOAT, PyArray_DATA, PyArray_DIMS,
                                               PyArray_ISCARRAY_RO, PyArray_NDIM, PyArray_SIZE, PyArray_TYPE, ndarray,
                                               npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.type_promotion cimport in_tables

cdef enum:                      # `over` in ops/networks/normalization.py
    LAYER = 0
    GROUP = 1
    BATCH = 2


# ------------------------------------------------------------------------------ 16-bit floats

cdef object of_halves_too(Loop* loop, PyObject** args, int n):
    """The kernel that `loop` names; of arrays that have 16 bits as the first one has, in single precision.  What has
    the shape of the first is rounded, where `loop` says so, and statistics are not, as in the general kernels."""
    cdef PyObject* others[MAX_DIMS]
    cdef int i, num
    cdef list singles = []
    cdef object result
    if type(<object>args[0]) is not ndarray or not stored_as(in_tables(PyArray_TYPE(<ndarray>args[0]))):
        return loop.view(loop, args, n)
    num = PyArray_TYPE(<ndarray>args[0])
    for i in range(n):
        others[i] = args[i]
        if type(<object>args[i]) is ndarray and PyArray_TYPE(<ndarray>args[i]) == num:
            singles.append(in_dtype(<ndarray>args[i], NPY_FLOAT))
            others[i] = <PyObject*>singles[-1]
    result = loop.view(loop, others, n)
    if result is None or not loop.ndim:
        return result
    if type(result) is tuple:
        return (in_dtype(<ndarray>result[0], num), *<tuple>result[1:])
    return in_dtype(<ndarray>result, num)


# ------------------------------------------------------------------------------ operands

cdef ndarray plain(PyObject* x):
    """A float32 or float64 array without gaps: `x` or a copy; None for others, and for empty ones."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    if not aligned(a) or PyArray_SIZE(a) == 0 or PyArray_TYPE(a) != NPY_FLOAT and PyArray_TYPE(a) != NPY_DOUBLE:
        return None
    return a if PyArray_ISCARRAY_RO(a) else new_copy(a, NPY_CORDER)


cdef bint vector(PyObject* x, npy_intp n, int num, void** data) noexcept:
    """The memory of `n` numbers without gaps, or NULL for None; False where it is something else."""
    cdef ndarray a
    data[0] = NULL
    if <object>x is None:
        return True
    if type(<object>x) is not ndarray:
        return False
    a = <ndarray>x
    data[0] = PyArray_DATA(a)
    return PyArray_TYPE(a) == num and PyArray_ISCARRAY_RO(a) and PyArray_SIZE(a) == n


cdef bint fits(PyObject* x, int ndim, npy_intp* shape) noexcept:
    """Has the array this shape, if it is not None?"""
    cdef int k
    if <object>x is None:
        return True
    if type(<object>x) is not ndarray or PyArray_NDIM(<ndarray>x) != ndim:
        return False
    for k in range(ndim):
        if PyArray_DIMS(<ndarray>x)[k] != shape[k]:
            return False
    return True


cdef bint in_channels(Norm* s, ndarray a, npy_intp groups) noexcept:
    """N, G, D, L of an array of shape (N, C, ...)."""
    cdef npy_intp* shape = PyArray_DIMS(a)
    if PyArray_NDIM(a) < 2 or groups < 1 or shape[1] % groups:
        return False
    s.N, s.G, s.D = shape[0], groups, shape[1] // groups
    s.L = PyArray_SIZE(a) // (shape[0] * shape[1])
    return True


cdef tuple forward(Norm* s, ndarray a, int ndim, npy_intp* stats, bint variance):
    """Result, mean, r, and the unbiased variance if it is wanted."""
    cdef int num = PyArray_TYPE(a)
    cdef ndarray out = empty_like(a), r = new_array(ndim, stats, num)
    cdef ndarray mean = new_array(ndim, stats, num) if s.centred else None
    cdef ndarray unbiased = new_array(ndim, stats, num) if variance else None
    s.way = FORWARD
    s.x, s.o, s.r = PyArray_DATA(a), PyArray_DATA(out), PyArray_DATA(r)
    s.mean = PyArray_DATA(mean) if s.centred else NULL
    s.variance = PyArray_DATA(unbiased) if variance else NULL
    run(s, num)
    if not s.centred:
        return (out, r)
    return (out, mean, r, unbiased) if variance else (out, mean, r)


cdef object of_last_dims(PyObject** args, PyObject* bias, PyObject* eps, bint centred):
    """(input, normalized_shape, weight ...)"""
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp stats[MAX_DIMS]
    cdef Norm s
    cdef int k, ndim, count
    cdef ndarray a = plain(args[0])
    if a is None or not as_double(<object>eps, &s.eps):
        return None
    ndim, count = PyArray_NDIM(a), as_ints(args[1], sizes)
    if count < 1 or count > ndim or ndim > MAX_DIMS:
        return None
    s.N = s.G = s.D = s.L = 1
    s.across, s.centred = False, centred
    for k in range(ndim):
        stats[k] = PyArray_DIMS(a)[k]
        if k < ndim - count:
            s.N *= stats[k]
        elif stats[k] != sizes[k - ndim + count]:
            return None
        else:
            s.D *= stats[k]
            stats[k] = 1
    if not fits(args[2], count, sizes) or not vector(args[2], s.D, PyArray_TYPE(a), &s.w):
        return None
    s.b = NULL
    if bias != NULL and not (fits(bias, count, sizes) and vector(bias, s.D, PyArray_TYPE(a), &s.b)):
        return None
    return forward(&s, a, ndim, stats, False)


cdef object layer_norm(Loop* loop, PyObject** args, int n):
    """(input, normalized_shape, weight, bias, eps)"""
    return of_last_dims(args, args[3], args[4], True)


cdef object rms_norm(Loop* loop, PyObject** args, int n):
    """(input, normalized_shape, weight, eps)"""
    return of_last_dims(args, NULL, args[3], False)


cdef object group_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, N, C, HxW, group, eps)"""
    cdef npy_intp groups = 0, samples = 0, channels = 0, rest = 0
    cdef npy_intp stats[2]
    cdef Norm s
    cdef ndarray a = plain(args[0])
    if a is None or not as_int(args[6], &groups) or not as_double(<object>args[7], &s.eps):
        return None
    if not as_int(args[3], &samples) or not as_int(args[4], &channels) or not as_int(args[5], &rest):
        return None
    if (PyArray_NDIM(a) < 2 or PyArray_DIMS(a)[0] != samples or PyArray_DIMS(a)[1] != channels
            or PyArray_SIZE(a) != samples * channels * rest):
        return None
    if not in_channels(&s, a, groups) or not with_parameters(&s, a, args):
        return None
    s.across, s.centred = False, True
    stats[0], stats[1] = s.N, s.G
    return forward(&s, a, 2, stats, False)


cdef object batch_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, eps)"""
    cdef Norm s
    cdef ndarray a = plain(args[0])
    if a is None or PyArray_NDIM(a) < 2 or not as_double(<object>args[3], &s.eps):
        return None
    if not in_channels(&s, a, PyArray_DIMS(a)[1]) or not with_parameters(&s, a, args) or s.N * s.L < 2:
        return None
    s.across = s.centred = True
    return forward(&s, a, 1, &s.G, True)


cdef object fixed_batch_norm(Loop* loop, PyObject** args, int n):
    """(input, weight, bias, running_mean, running_var, eps)"""
    cdef Norm s
    cdef int num
    cdef ndarray out, a = plain(args[0])
    if a is None or PyArray_NDIM(a) < 2 or not as_double(<object>args[5], &s.eps):
        return None
    num = PyArray_TYPE(a)
    if not in_channels(&s, a, PyArray_DIMS(a)[1]) or not with_parameters(&s, a, args):
        return None
    if not (fits(args[3], 1, &s.G) and vector(args[3], s.G, num, &s.mean) and s.mean != NULL
            and fits(args[4], 1, &s.G) and vector(args[4], s.G, num, &s.variance) and s.variance != NULL):
        return None
    out = empty_like(a)
    s.way, s.across, s.centred, s.x, s.o, s.d, s.r = FIXED, True, True, PyArray_DATA(a), PyArray_DATA(out), NULL, NULL
    run(&s, num)
    return out


cdef bint with_parameters(Norm* s, ndarray a, PyObject** args) noexcept:
    """Weight and bias, one for each channel: the arguments behind the first."""
    cdef npy_intp channels = s.G * s.D
    return (fits(args[1], 1, &channels) and vector(args[1], channels, PyArray_TYPE(a), &s.w)
            and fits(args[2], 1, &channels) and vector(args[2], channels, PyArray_TYPE(a), &s.b))


cdef bint read_stats(Norm* s, ndarray a, PyObject* mean, PyObject* r, PyObject* over) except -1:
    """The shape, from that of `r`, and mean and `r` of each line."""
    cdef npy_intp kind = 0, lines
    cdef ndarray stats
    if not as_int(over, &kind) or type(<object>r) is not ndarray or PyArray_SIZE(<ndarray>r) == 0:
        return False
    stats = <ndarray>r
    lines = PyArray_SIZE(stats)
    s.centred, s.across = <object>mean is not None, kind == BATCH
    if s.across and not s.centred:
        return False
    if kind == LAYER:
        s.N, s.G, s.D, s.L = lines, 1, PyArray_SIZE(a) // lines, 1
        if s.N * s.D != PyArray_SIZE(a):
            return False
    elif PyArray_NDIM(stats) == 0 or not in_channels(s, a, PyArray_DIMS(stats)[PyArray_NDIM(stats) - 1]):
        return False
    elif lines != (s.G if s.across else s.N * s.G) or s.across and s.D != 1:
        return False
    return vector(mean, lines, PyArray_TYPE(a), &s.mean) and vector(r, lines, PyArray_TYPE(a), &s.r)


cdef object norm_backward(Loop* loop, PyObject** args, int n):
    """(d, input, mean, rstd, weight, over)"""
    cdef Norm s
    cdef ndarray d = plain(args[0]), a = plain(args[1]), out
    if d is None or a is None or not same_shape(d, a) or PyArray_TYPE(d) != PyArray_TYPE(a):
        return None
    if not read_stats(&s, a, args[2], args[3], args[5]) or not vector(args[4], s.G * s.D, PyArray_TYPE(a), &s.w):
        return None
    out = empty_like(a)
    s.way, s.b, s.variance = BACK, NULL, NULL
    s.x, s.d, s.o = PyArray_DATA(a), PyArray_DATA(d), PyArray_DATA(out)
    run(&s, PyArray_TYPE(a))
    return out


cdef object norm_weight_backward(Loop* loop, PyObject** args, int n):
    """(d, input, mean, rstd, over, sizes)"""
    cdef npy_intp kind = 0
    cdef Norm s
    cdef ndarray d = plain(args[0]), a = plain(args[1])
    if d is None or a is None or not same_shape(d, a) or PyArray_TYPE(d) != PyArray_TYPE(a):
        return None
    if not read_stats(&s, a, args[2], args[3], args[4]):
        return None
    return of_parameters(&s, PyArray_DATA(a), d, args[5], as_int(args[4], &kind) and kind == LAYER)


cdef object parameter_sum(Loop* loop, PyObject** args, int n):
    """(d, over, sizes)"""
    cdef npy_intp kind = 0, size = 1
    cdef npy_intp sizes[MAX_DIMS]
    cdef Norm s
    cdef int k, count = as_ints(args[2], sizes)
    cdef ndarray d = plain(args[0])
    if d is None or count < 1 or not as_int(args[1], &kind):
        return None
    if kind == LAYER:
        for k in range(count):
            size *= sizes[k]
        if size == 0 or PyArray_SIZE(d) % size:
            return None
        s.N, s.G, s.D, s.L = PyArray_SIZE(d) // size, 1, size, 1
    elif not in_channels(&s, d, 1):
        return None
    s.across, s.centred, s.mean, s.r = False, False, NULL, NULL
    return of_parameters(&s, NULL, d, args[2], kind == LAYER)


cdef object of_parameters(Norm* s, void* x, ndarray d, PyObject* sizes_, bint of_last_dims):
    """The parameters have the shape of the last dims, or there is one for each channel."""
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp size = 1
    cdef int k, count = as_ints(sizes_, sizes)
    cdef ndarray out
    for k in range(count):
        size *= sizes[k]
    if count < 1 or size != s.G * s.D or not of_last_dims and count != 1:
        return None
    for k in range(count if of_last_dims else 0):
        if count > PyArray_NDIM(d) or PyArray_DIMS(d)[PyArray_NDIM(d) - count + k] != sizes[k]:
            return None
    out = new_array(count, sizes, PyArray_TYPE(d))
    s.way, s.x, s.d, s.o, s.w, s.b, s.variance = TO_PARAMETER, x, PyArray_DATA(d), PyArray_DATA(out), NULL, NULL, NULL
    run(s, PyArray_TYPE(d))
    return out

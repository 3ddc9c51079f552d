"""Sampling at positions: the values of planes between their elements, and what its derivatives need.

Threads share the examples.  The numbers are in grids.h; here arguments are read, and declined unless all is as usual.
"""

from cpython.ref cimport PyObject
cimport numpy as cnp
from numpy cimport (NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp)
from minigrad._core.blocks cimport new_array, new_zeros
from minigrad._core.geometry cimport MAX_DIMS, as_int, as_ints
from minigrad._core.loops cimport Loop
from minigrad._core.pooling cimport plain, real_numbers
from minigrad._core.threads cimport WORTH_THREADS, parallel_for

cnp.import_array()

cdef extern from "grids.h" nogil:
    ctypedef struct Grid "mg_grid":
        int ndim, mode, outside, corners
        npy_intp size[3]
        int order[3]
    void mg_sample_float(const Grid*, const float* a, const float* points, float* out, npy_intp channels,
                         npy_intp inside, npy_intp n) noexcept
    void mg_sample_double(const Grid*, const double* a, const double* points, double* out, npy_intp channels,
                          npy_intp inside, npy_intp n) noexcept
    void mg_sample_back_float(const Grid*, const float* d, const float* points, float* out, npy_intp channels,
                              npy_intp inside, npy_intp n) noexcept
    void mg_sample_back_double(const Grid*, const double* d, const double* points, double* out, npy_intp channels,
                               npy_intp inside, npy_intp n) noexcept
    void mg_sample_slope_float(const Grid*, const float* a, const float* d, const float* points, float* out,
                               npy_intp channels, npy_intp inside, npy_intp n) noexcept
    void mg_sample_slope_double(const Grid*, const double* a, const double* d, const double* points, double* out,
                                npy_intp channels, npy_intp inside, npy_intp n) noexcept

cdef enum:
    MOST = 1 << 30              # elements of a plane: their numbers are exact in double precision


cdef struct Sampling:
    Grid g
    bint single
    npy_intp examples, channels, inside, points
    char* a                     # planes, of the input or of its gradient
    char* d                     # their values at the points, or the gradient of these
    char* at                    # the points
    char* slopes                # what comes of `sample_slope`


cdef bint sampling(Sampling* s, ndarray at, npy_intp* sizes, int total, PyObject** args) except -1:
    """Let `s` know the sizes of the planes, the points and (interpolation_mode, padding_mode, align_corners)."""
    cdef npy_intp mode = 0, outside = 0
    cdef int k
    s.g.ndim = total - 2
    if not 2 <= s.g.ndim <= 3 or PyArray_NDIM(at) != total or PyArray_DIMS(at)[total - 1] != s.g.ndim:
        return False
    if not as_int(args[0], &mode) or not as_int(args[1], &outside) or type(<object>args[2]) is not bool:
        return False
    if not 0 <= mode <= 2 or not 0 <= outside <= 2 or mode == 2 and s.g.ndim == 3:
        return False
    s.g.mode, s.g.outside, s.g.corners = <int>mode, <int>outside, <object>args[2] is True
    s.single, s.examples, s.channels, s.inside = PyArray_TYPE(at) == NPY_FLOAT, sizes[0], sizes[1], 1
    for k in range(s.g.ndim):
        s.g.size[k], s.g.order[k] = sizes[k + 2], 0
        s.inside *= sizes[k + 2]
        if sizes[k + 2] < 1 or s.inside > MOST:
            return False
    if PyArray_DIMS(at)[0] != s.examples:
        return False
    s.points = 1
    for k in range(1, total - 1):
        s.points *= PyArray_DIMS(at)[k]
    s.at = <char*>PyArray_DATA(at)
    return True


cdef bint ordered(Sampling* s, PyObject* order) except -1:
    """Let `s` know the order of the derivative along each coordinate, which begin with that of the last dim."""
    cdef npy_intp orders[MAX_DIMS]
    cdef int k
    if as_ints(order, orders) != s.g.ndim:
        return False
    for k in range(s.g.ndim):
        if not 0 <= orders[k] <= 4:
            return False
        s.g.order[s.g.ndim - 1 - k] = <int>orders[k]
    return True


cdef bint fits(Sampling* s, ndarray d, ndarray at) noexcept:
    """Does `d` have a value of each plane for each point?"""
    cdef int k, total = PyArray_NDIM(at)
    if PyArray_NDIM(d) != total or PyArray_DIMS(d)[0] != s.examples or PyArray_DIMS(d)[1] != s.channels:
        return False
    for k in range(2, total):
        if PyArray_DIMS(d)[k] != PyArray_DIMS(at)[k - 1]:
            return False
    return True


ctypedef void (*Job)(void*, long, long) noexcept nogil


cdef void run(Sampling* s, Job job) noexcept:
    cdef npy_intp work = s.examples * s.points * max(s.channels, 1)
    if work >= WORTH_THREADS // 4:
        with nogil:
            parallel_for(job, s, s.examples, 1)
    else:
        job(s, 0, s.examples)


cdef void read(void* shared, long first, long last) noexcept nogil:
    cdef Sampling* s = <Sampling*>shared
    cdef npy_intp i, a = s.channels * s.inside, d = s.channels * s.points, at = s.points * s.g.ndim
    for i in range(first, last):
        if s.single:
            mg_sample_float(&s.g, <float*>s.a + i * a, <float*>s.at + i * at, <float*>s.d + i * d, s.channels,
                            s.inside, s.points)
        else:
            mg_sample_double(&s.g, <double*>s.a + i * a, <double*>s.at + i * at, <double*>s.d + i * d, s.channels,
                             s.inside, s.points)


cdef void put_back(void* shared, long first, long last) noexcept nogil:
    cdef Sampling* s = <Sampling*>shared
    cdef npy_intp i, a = s.channels * s.inside, d = s.channels * s.points, at = s.points * s.g.ndim
    for i in range(first, last):
        if s.single:
            mg_sample_back_float(&s.g, <float*>s.d + i * d, <float*>s.at + i * at, <float*>s.a + i * a, s.channels,
                                 s.inside, s.points)
        else:
            mg_sample_back_double(&s.g, <double*>s.d + i * d, <double*>s.at + i * at, <double*>s.a + i * a, s.channels,
                                  s.inside, s.points)


cdef void slopes(void* shared, long first, long last) noexcept nogil:
    cdef Sampling* s = <Sampling*>shared
    cdef npy_intp i, a = s.channels * s.inside, d = s.channels * s.points, at = s.points * s.g.ndim
    for i in range(first, last):
        if s.single:
            mg_sample_slope_float(&s.g, <float*>s.a + i * a, <float*>s.d + i * d, <float*>s.at + i * at,
                                  <float*>s.slopes + i * at, s.channels, s.inside, s.points)
        else:
            mg_sample_slope_double(&s.g, <double*>s.a + i * a, <double*>s.d + i * d, <double*>s.at + i * at,
                                   <double*>s.slopes + i * at, s.channels, s.inside, s.points)


cdef object grid_sampler(Loop* loop, PyObject** args, int n):
    """(input, grid, interpolation_mode, padding_mode, align_corners)"""
    return sampled(args, NULL, <int><Py_ssize_t>loop.data[0])


cdef object sample_order(Loop* loop, PyObject** args, int n):
    """(input, grid, interpolation_mode, padding_mode, align_corners, order)"""
    return sampled(args, args[5], 0)


cdef object sampled(PyObject** args, PyObject* order, int ndim):
    """The values; a public function takes planes of `ndim` dims, and a formula of any."""
    cdef Sampling s
    cdef npy_intp dims[MAX_DIMS]
    cdef int k, total
    cdef ndarray out, at, a = real_numbers(args[0])
    at = None if a is None else plain(args[1], PyArray_TYPE(a))
    if at is None or not sampling(&s, at, PyArray_DIMS(a), PyArray_NDIM(a), &args[2]):
        return None
    if s.g.ndim != ndim if order == NULL else not ordered(&s, order):
        return None
    total = PyArray_NDIM(a)
    dims[0], dims[1] = s.examples, s.channels
    for k in range(2, total):
        dims[k] = PyArray_DIMS(at)[k - 1]
    out = new_array(total, dims, PyArray_TYPE(a))
    s.a, s.d = <char*>PyArray_DATA(a), <char*>PyArray_DATA(out)
    run(&s, read)
    return out


cdef object sample_back(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, grid, interpolation_mode, padding_mode, align_corners, order)"""
    cdef Sampling s
    cdef npy_intp sizes[MAX_DIMS]
    cdef int total = as_ints(args[1], sizes)
    cdef ndarray out, at, d = real_numbers(args[0])
    at = None if d is None else plain(args[2], PyArray_TYPE(d))
    if at is None or not sampling(&s, at, sizes, total, &args[3]) or not ordered(&s, args[6]) or not fits(&s, d, at):
        return None
    out = new_zeros(total, sizes, PyArray_TYPE(d))
    s.a, s.d = <char*>PyArray_DATA(out), <char*>PyArray_DATA(d)
    run(&s, put_back)
    return out


cdef object sample_slope(Loop* loop, PyObject** args, int n):
    """(grad, input, grid, interpolation_mode, padding_mode, align_corners, order)"""
    cdef Sampling s
    cdef ndarray out, at, a, d = real_numbers(args[0])
    a = None if d is None else plain(args[1], PyArray_TYPE(d))
    at = None if a is None else plain(args[2], PyArray_TYPE(d))
    if at is None or not sampling(&s, at, PyArray_DIMS(a), PyArray_NDIM(a), &args[3]) or not ordered(&s, args[6]):
        return None
    if not fits(&s, d, at):
        return None
    out = new_array(PyArray_NDIM(at), PyArray_DIMS(at), PyArray_TYPE(d))
    s.a, s.d, s.slopes = <char*>PyArray_DATA(a), <char*>PyArray_DATA(d), <char*>PyArray_DATA(out)
    run(&s, slopes)
    return out

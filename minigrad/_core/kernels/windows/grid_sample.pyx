"""Sampling at positions: the values of planes between their elements, and what its derivatives need.

Threads share parts of the examples.  The numbers are in grid_sample.h, and of the usual case in four_neighbours.h; here
arguments are read, and declined unless all is as usual.
"""

from minigrad._core.kernels.algebra.microkernels cimport divided_up
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.kernels.windows.planes cimport plain, real_numbers
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport WORTH_THREADS, parallel_for

cdef extern from "kernels/windows/grid_sample.h" nogil:
    ctypedef struct Grid "mg_grid":
        int ndim, mode, outside, corners
        npy_intp size[3]
        int order[3]
    ctypedef void (*Sampler "mg_sampler")(const Grid*, void* planes, void* values, const void* points, void* slopes,
                                          npy_intp channels, npy_intp inside, npy_intp n,
                                          npy_intp count) noexcept
    Sampler SAMPLERS "mg_samplers"[3][2]

cdef enum:
    MOST = 1 << 30              # elements of a plane: their numbers are exact in double precision
    POINTS = 2048               # that a thread takes at a time; or, where planes are written,
    CHANNELS = 4
    READ = 0                    # what is done, as SAMPLERS has it
    PUT_BACK = 1
    SLOPES = 2


cdef struct Sampling:
    Grid g
    bint single
    Sampler sampler
    npy_intp examples, channels, inside, points
    npy_intp parts, count, some # of an example: how many parts, and how many points and channels each has
    char* planes                # the input, or its gradient
    char* values                # at the points, or the gradient of these
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
    s.at, s.slopes = <char*>PyArray_DATA(at), NULL
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


cdef void run(Sampling* s, int what) noexcept:
    """Let the threads take turns at parts of the examples: at points, or at channels where points share elements."""
    cdef npy_intp work = s.examples * s.points * max(s.channels, 1)
    s.sampler, s.count, s.some = SAMPLERS[what][s.single], s.points, s.channels
    if what == PUT_BACK:
        s.some = min(CHANNELS, s.channels)
    else:
        s.count = min(POINTS, s.points)
    if not s.examples or not s.count or not s.some and what != SLOPES:
        return
    s.parts = divided_up(s.points, s.count) * (divided_up(s.channels, s.some) if s.some else 1)
    if work >= WORTH_THREADS // 4:
        with nogil:
            parallel_for(job, s, s.examples * s.parts, 1)
    else:
        job(s, 0, s.examples * s.parts)


cdef void job(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    cdef Sampling* s = <Sampling*>shared
    cdef npy_intp i, example, point, channel, itemsize = sizeof(float) if s.single else sizeof(double)
    for i in range(first, last):
        example, channel, point = i // s.parts, 0, 0
        if s.some < s.channels:
            channel = i % s.parts * s.some
        else:
            point = i % s.parts * s.count
        s.sampler(&s.g, s.planes + (example * s.channels + channel) * s.inside * itemsize,
                  s.values + ((example * s.channels + channel) * s.points + point) * itemsize,
                  s.at + (example * s.points + point) * s.g.ndim * itemsize,
                  s.slopes + (example * s.points + point) * s.g.ndim * itemsize,
                  min(s.some, s.channels - channel), s.inside, s.points, min(s.count, s.points - point))


cdef object grid_sampler(Loop* loop, PyObject** args, int n):
    """(input, grid, interpolation_mode, padding_mode, align_corners)"""
    return sampled(args, NULL, loop.ndim)


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
    s.planes, s.values = <char*>PyArray_DATA(a), <char*>PyArray_DATA(out)
    run(&s, READ)
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
    s.planes, s.values = <char*>PyArray_DATA(out), <char*>PyArray_DATA(d)
    run(&s, PUT_BACK)
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
    s.planes, s.values, s.slopes = <char*>PyArray_DATA(a), <char*>PyArray_DATA(d), <char*>PyArray_DATA(out)
    run(&s, SLOPES)
    return out

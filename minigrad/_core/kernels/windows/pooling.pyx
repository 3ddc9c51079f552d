"""Pooling: the largest element of each window, or the mean.

Here arguments become windows, along each dim of a plane by itself (planes.pyx); what is done with them is in pooling.h.
"""

from libc.stdint cimport int32_t, int64_t
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.kernels.windows.planes cimport (DIMS, HUGE, Planes, Windows, ints_of, mg_adapt, mg_slide, mg_turn,
                                                    planes_of, real_numbers, result_of, run, with_room)
from minigrad._core.runtime.malloc cimport memory
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject, PyObject_Free

cdef extern from "kernels/windows/pooling.h" nogil:
    void mg_largest_float(const float* a, float* out, int64_t* at, const Windows* w, int32_t* room) noexcept
    void mg_largest_double(const double* a, double* out, int64_t* at, const Windows* w, int64_t* room) noexcept
    void mg_sums_float(const float* a, float* out, int ndim, const Windows* w, float* room, float divisor) noexcept
    void mg_sums_double(const double* a, double* out, int ndim, const Windows* w, double* room,
                        double divisor) noexcept
    void mg_shares_float(const float* a, float* out, int ndim, const Windows* w, float divisor) noexcept
    void mg_shares_double(const double* a, double* out, int ndim, const Windows* w, double divisor) noexcept


# ------------------------------------------------------------------------------ windows

cdef bint sliding(Planes* p, PyObject* kernel, PyObject* stride, PyObject* padding, PyObject* dilation,
                  bint ceil_mode, npy_intp* at, npy_intp* by, npy_intp* before) except -1:
    """Let `p` know how many windows there are along each dim; False where that is an error, or unusual."""
    cdef npy_intp steps[DIMS]
    cdef npy_intp span, left
    cdef int k
    cdef Windows* w
    if not ints_of(kernel, p.ndim, 1, at) or not ints_of(padding, p.ndim, 0, before):
        return False
    if <object>stride is None or <object>stride == ():
        stride = kernel
    if not ints_of(stride, p.ndim, 1, by):
        return False
    if dilation == NULL:
        steps[0] = steps[1] = steps[2] = 1
    elif not ints_of(dilation, p.ndim, 1, steps):
        return False
    for k in range(p.ndim):
        w = &p.w[DIMS - p.ndim + k]
        w.step = steps[k]
        span = (at[k] - 1) * steps[k] + 1
        left = w.size + 2 * before[k] - span
        if before[k] > at[k] // 2 or left < 0 and not (ceil_mode and left + by[k] - 1 >= 0):
            return False
        w.n = (left + (by[k] - 1 if ceil_mode else 0)) // by[k] + 1
        if ceil_mode and (w.n - 1) * by[k] >= w.size + before[k]:
            w.n -= 1
        if w.n < 1:
            return False
    return True


cdef bint adapting(Planes* p, PyObject* sizes, int ndim) except -1:
    """The same for as many windows as are asked for."""
    cdef npy_intp n[DIMS]
    cdef int k
    if not ints_of(sizes, ndim, 1, n):
        return False
    for k in range(ndim):
        p.w[DIMS - ndim + k].n = n[k]
    return True


cdef npy_intp* place_windows(Planes* p, bint mean) except NULL:
    """Memory for the windows of all dims, and for those of the transpose behind them."""
    cdef npy_intp total = 0
    cdef npy_intp* block
    cdef npy_intp* at
    cdef int k
    for k in range(DIMS):
        total += 3 * p.w[k].n + 2 * p.w[k].size
    block = at = <npy_intp*>memory(total * sizeof(npy_intp))
    p.outside = 1
    for k in range(DIMS):
        p.w[k].first, p.w[k].count = at, at + p.w[k].n
        p.w[k].divisor = at + 2 * p.w[k].n if mean else NULL
        at += 3 * p.w[k].n + 2 * p.w[k].size
        p.outside *= p.w[k].n
        p.w[k].first[0], p.w[k].count[0] = 0, 1         # of the dims that a plane does not have
        if mean:
            p.w[k].divisor[0] = 1
    return block


# ------------------------------------------------------------------------------ the largest element

cdef void largest(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    cdef Planes* p = <Planes*>shared
    cdef char* room = p.room + first // p.part * p.room_each
    cdef npy_intp i
    for i in range(first, last):
        if p.single:
            mg_largest_float(<float*>p.a + i * p.inside, <float*>p.b + i * p.outside, p.at + i * p.outside, p.w,
                             <int32_t*>room)
        else:
            mg_largest_double(<double*>p.a + i * p.inside, <double*>p.b + i * p.outside, p.at + i * p.outside, p.w,
                              <int64_t*>room)


cdef object largest_of(Planes* p, ndarray a):
    """The values and their places."""
    cdef ndarray values = result_of(p, PyArray_TYPE(a)), places = result_of(p, NPY_INT64)
    p.b, p.at = <char*>PyArray_DATA(values), <int64_t*>PyArray_DATA(places)
    p.room_each = p.w[2].n * sizeof(int64_t)
    with_room(p, largest)
    return values, places


cdef object max_pool(Loop* loop, PyObject** args, int n):
    """(self, kernel_size, stride, padding, dilation, ceil_mode)"""
    cdef Planes p
    cdef npy_intp kernel[DIMS]
    cdef npy_intp stride[DIMS]
    cdef npy_intp padding[DIMS]
    cdef int k, ndim = loop.ndim
    cdef npy_intp* block
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, False):
        return None
    if not sliding(&p, args[1], args[2], args[3], args[4], <object>args[5] is True, kernel, stride, padding):
        return None
    block = place_windows(&p, False)
    try:
        for k in range(ndim):
            mg_slide(&p.w[DIMS - ndim + k], kernel[k], stride[k], padding[k], 0)
        return largest_of(&p, a)
    finally:
        PyObject_Free(block)


cdef object adaptive_max_pool(Loop* loop, PyObject** args, int n):
    """(self, output_size)"""
    cdef Planes p
    cdef int k, ndim = loop.ndim
    cdef npy_intp* block
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, False):
        return None
    if not adapting(&p, args[1], ndim):
        return None
    block = place_windows(&p, False)
    try:
        for k in range(ndim):
            mg_adapt(&p.w[DIMS - ndim + k])
        return largest_of(&p, a)
    finally:
        PyObject_Free(block)


# ------------------------------------------------------------------------------ means

cdef void sums(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    cdef Planes* p = <Planes*>shared
    cdef Windows* w = &p.w[DIMS - p.ndim]
    cdef char* room = p.room + first // p.part * p.room_each
    cdef npy_intp i
    for i in range(first, last):
        if p.single:
            mg_sums_float(<float*>p.a + i * p.inside, <float*>p.b + i * p.outside, p.ndim, w, <float*>room,
                          <float>p.divisor)
        else:
            mg_sums_double(<double*>p.a + i * p.inside, <double*>p.b + i * p.outside, p.ndim, w, <double*>room,
                           p.divisor)


cdef void spread(void* shared, npy_intp first, npy_intp last) noexcept nogil:
    """The transpose: each number in equal shares to the elements of its window."""
    cdef Planes* p = <Planes*>shared
    cdef Windows* w = &p.w[DIMS - p.ndim]
    cdef Windows* turned = &p.turned[DIMS - p.ndim]
    cdef char* room = p.room + first // p.part * p.room_each
    cdef char* slab = room + p.outside * sizeof(double)
    cdef npy_intp i
    for i in range(first, last):
        if p.single:
            mg_shares_float(<float*>p.a + i * p.outside, <float*>room, p.ndim, w, <float>p.divisor)
            mg_sums_float(<float*>room, <float*>p.b + i * p.inside, p.ndim, turned, <float*>slab, 1)
        else:
            mg_shares_double(<double*>p.a + i * p.outside, <double*>room, p.ndim, w, p.divisor)
            mg_sums_double(<double*>room, <double*>p.b + i * p.inside, p.ndim, turned, <double*>slab, 1)


cdef inline npy_intp slabs(npy_intp rows, npy_intp columns, int ndim) noexcept:
    """How many bytes the sums of slabs of a plane need: of an image a row, of a volume an image and a row."""
    return (columns * (ndim > 1) + rows * columns * (ndim > 2)) * sizeof(double)


cdef ndarray averaged(Planes* p, ndarray a):
    cdef ndarray out = result_of(p, PyArray_TYPE(a))
    p.b = <char*>PyArray_DATA(out)
    p.room_each = slabs(p.w[1].size, p.w[2].size, p.ndim)
    with_room(p, sums)
    return out


cdef ndarray spread_out(Planes* p, ndarray a):
    """The transpose of `averaged`, for planes of which the sizes are in `p`; None if `a` has others."""
    cdef int k
    cdef ndarray out
    if PyArray_NDIM(a) != p.lead + p.ndim:
        return None
    for k in range(p.lead + p.ndim):
        if PyArray_DIMS(a)[k] != (p.dims[k] if k < p.lead else p.w[DIMS - p.ndim + k - p.lead].n):
            return None
    for k in range(DIMS):
        p.turned[k].size, p.turned[k].n, p.turned[k].step = p.w[k].n, p.w[k].size, 1
        p.turned[k].weights = p.turned[k].divisor = NULL
        p.turned[k].first = p.w[k].first + 3 * p.w[k].n
        p.turned[k].count = p.turned[k].first + p.w[k].size
        mg_turn(&p.w[k], &p.turned[k])
        if k >= DIMS - p.ndim:
            p.dims[p.lead + k - DIMS + p.ndim] = p.w[k].size
    out = new_array(p.lead + p.ndim, p.dims, PyArray_TYPE(a))
    p.b = <char*>PyArray_DATA(out)
    p.room_each = p.outside * sizeof(double) + slabs(p.w[1].n, p.w[2].n, p.ndim)
    with_room(p, spread)
    return out


cdef bint averaging(Planes* p, PyObject** args, PyObject* divisor, npy_intp* kernel, npy_intp* stride,
                    npy_intp* padding) except -1:
    """Let `p` know the windows of (kernel_size, stride, padding, ceil_mode, ...), and the divisor of all."""
    cdef npy_intp given = 0
    if not sliding(p, args[0], args[1], args[2], NULL, <object>args[3] is True, kernel, stride, padding):
        return False
    if divisor != NULL and <object>divisor is not None:
        if not as_int(divisor, &given) or given == 0:
            return False
        p.divisor = <double>given
    return True


cdef object avg_pool(Loop* loop, PyObject** args, int n):
    """(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)"""
    cdef Planes p
    cdef int ndim = loop.ndim
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, False):
        return None
    return averages(&p, a, &args[1], args[6] if n > 6 else NULL, False)


cdef object avg_pool_again(Loop* loop, PyObject** args, int n):
    """(self, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)"""
    cdef Planes p
    cdef npy_intp ndim = 0
    cdef ndarray a = real_numbers(args[0])
    if a is None or not as_int(args[1], &ndim):
        return None
    if not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), <int>ndim, True):
        return None
    return averages(&p, a, &args[2], args[7], False)


cdef object avg_pool_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, ndim, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)"""
    cdef Planes p
    cdef npy_intp ndim = 0
    cdef npy_intp sizes[MAX_DIMS]
    cdef int total = as_ints(args[1], sizes)
    cdef ndarray a = real_numbers(args[0])
    if a is None or not as_int(args[2], &ndim) or not planes_of(&p, a, sizes, total, <int>ndim, True):
        return None
    return averages(&p, a, &args[3], args[8], True)


cdef object averages(Planes* p, ndarray a, PyObject** args, PyObject* divisor, bint backward):
    cdef npy_intp kernel[DIMS]
    cdef npy_intp stride[DIMS]
    cdef npy_intp padding[DIMS]
    cdef int k
    cdef npy_intp* block
    if not averaging(p, args, divisor, kernel, stride, padding):
        return None
    for k in range(p.ndim if p.ndim == 3 else 0):       # a volume must hold a window without its padding
        if p.w[k].size < kernel[k]:
            return None
    block = place_windows(p, divisor == NULL or <object>divisor is None)
    try:
        for k in range(p.ndim):
            mg_slide(&p.w[DIMS - p.ndim + k], kernel[k], stride[k], padding[k], <object>args[4] is True)
        return spread_out(p, a) if backward else averaged(p, a)
    finally:
        PyObject_Free(block)


cdef object adaptive_avg_pool(Loop* loop, PyObject** args, int n):
    """(self, output_size)"""
    cdef Planes p
    cdef int ndim = loop.ndim
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, False):
        return None
    return adapted(&p, a, False) if adapting(&p, args[1], ndim) else None


cdef object adaptive_avg_pool_again(Loop* loop, PyObject** args, int n):
    """(self, output_size), for any number of dims before those of a plane"""
    cdef Planes p
    cdef npy_intp sizes[MAX_DIMS]
    cdef int ndim = as_ints(args[1], sizes)
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, True):
        return None
    return adapted(&p, a, False) if adapting(&p, args[1], ndim) else None


cdef object adaptive_avg_pool_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, output_size)"""
    cdef Planes p
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp wanted[MAX_DIMS]
    cdef int total = as_ints(args[1], sizes), ndim = as_ints(args[2], wanted)
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, sizes, total, ndim, True) or not adapting(&p, args[2], ndim):
        return None
    return adapted(&p, a, True)


cdef object adapted(Planes* p, ndarray a, bint backward):
    cdef int k
    cdef npy_intp* block = place_windows(p, True)
    try:
        for k in range(DIMS):
            mg_adapt(&p.w[k])
        return spread_out(p, a) if backward else averaged(p, a)
    finally:
        PyObject_Free(block)

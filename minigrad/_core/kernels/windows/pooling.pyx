"""Pooling: the largest element of each window, or the mean; and elements at places of their planes.

A plane is what the windows move over: the last one, two or three dims.  The dims before them only say how many planes
there are, and threads share these.  Here arguments become windows, along each dim by itself; what is done with them is
in pooling.h.  A line is a volume of 1 x 1 x n, so that there are always three dims.
"""

from libc.stdint cimport int32_t, int64_t
from minigrad._core.kernels.loops.numpy_loops cimport LARGE, Loop
from minigrad._core.kernels.shapes.data_movement cimport copied, movable
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, Geometry, as_int, as_ints, take_geometry
from minigrad._core.runtime.malloc cimport memory
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_FLOAT, NPY_INT64, PyArray_DATA, PyArray_DIMS,
                                               PyArray_IS_C_CONTIGUOUS, PyArray_ITEMSIZE, PyArray_NDIM, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyLong_CheckExact, PyObject, PyObject_Free
from minigrad._core.runtime.thread_pool cimport PART, WORTH_THREADS, parallel_for

cdef extern from "kernels/windows/pooling.h" nogil:
    ctypedef struct Windows "mg_windows":
        npy_intp size, n, step
        npy_intp* first
        npy_intp* count
        npy_intp start "from"
        npy_intp to, stride
        npy_intp* divisor
        const void* weights
        npy_intp most
    void mg_slide(Windows*, npy_intp kernel, npy_intp stride, npy_intp padding, int counts) noexcept
    void mg_adapt(Windows*) noexcept
    void mg_turn(const Windows*, Windows* turned) noexcept
    void mg_largest_float(const float* a, float* out, int64_t* at, const Windows* w, int32_t* room) noexcept
    void mg_largest_double(const double* a, double* out, int64_t* at, const Windows* w, int64_t* room) noexcept
    void mg_sums_float(const float* a, float* out, int ndim, const Windows* w, float* room, float divisor) noexcept
    void mg_sums_double(const double* a, double* out, int ndim, const Windows* w, double* room,
                        double divisor) noexcept
    void mg_shares_float(const float* a, float* out, int ndim, const Windows* w, float divisor) noexcept
    void mg_shares_double(const double* a, double* out, int ndim, const Windows* w, double divisor) noexcept
    bint mg_read_planes_float(const float* a, float* b, const int64_t* at, npy_intp planes, npy_intp inside,
                              npy_intp outside) noexcept
    bint mg_read_planes_double(const double* a, double* b, const int64_t* at, npy_intp planes, npy_intp inside,
                               npy_intp outside) noexcept
    bint mg_add_planes_float(float* a, const float* b, const int64_t* at, npy_intp planes, npy_intp inside,
                             npy_intp outside) noexcept
    bint mg_add_planes_double(double* a, const double* b, const int64_t* at, npy_intp planes, npy_intp inside,
                              npy_intp outside) noexcept
    bint mg_write_planes_float(float* a, const float* b, const int64_t* at, npy_intp planes, npy_intp inside,
                               npy_intp outside) noexcept
    bint mg_write_planes_double(double* a, const double* b, const int64_t* at, npy_intp planes, npy_intp inside,
                                npy_intp outside) noexcept

cdef enum:
    DIMS = 3                    # that a plane can have
    HUGE = 1 << 30              # what no size of a window exceeds, so that nothing overflows


# ------------------------------------------------------------------------------ planes

cdef struct Planes:
    # The work for one call: `n` planes, each of `inside` elements, which become `outside` others.
    int ndim                    # of a plane
    bint single                 # are the elements float32, and not float64?
    npy_intp n, inside, outside
    Windows w[DIMS]             # along its dims: the last ones of these
    double divisor              # of all sums
    Windows turned[DIMS]        # the transposes of `w`, where these are needed
    char* a                     # what is read
    char* b                     # what is written
    int64_t* at                 # places in the planes, one for each outside
    char* room                  # for what is in between, of each part
    npy_intp room_each, part
    int lead
    npy_intp dims[MAX_DIMS]     # of the result: these, and those of a plane


cdef ndarray plain(PyObject* x, int num):
    """The argument, in the order of its dims, and of a dtype; None where it is none."""
    cdef ndarray a
    if type(<object>x) is not ndarray:
        return None
    a = <ndarray>x
    if PyArray_TYPE(a) != num or not movable(a):
        return None
    return a if PyArray_IS_C_CONTIGUOUS(a) else copied(a)


cdef ndarray real_numbers(PyObject* x):
    cdef ndarray a = plain(x, NPY_FLOAT)
    return plain(x, NPY_FLOAT + 1) if a is None else a


cdef bint planes_of(Planes* p, ndarray a, npy_intp* dims, int total, int ndim, bint any_number) noexcept:
    """Let `p` know the planes of an array of these sizes, with the dtype of `a`; False if there are none.

    A public function takes one or two dims before them, which are channels and examples, and nothing but these may be
    empty; a formula takes any number.
    """
    cdef int k, lead = total - ndim
    if lead < 0 or not 1 <= ndim <= DIMS or not (any_number or lead == 1 or lead == 2):
        return False
    p.ndim, p.single, p.n, p.inside, p.divisor = ndim, PyArray_TYPE(a) == NPY_FLOAT, 1, 1, 1
    p.a, p.room, p.at, p.lead = <char*>PyArray_DATA(a), NULL, NULL, lead
    for k in range(DIMS):
        p.w[k].size = p.w[k].n = p.w[k].step = 1
        p.w[k].first = p.w[k].count = p.w[k].divisor = NULL
        p.w[k].weights = NULL
        p.w[k].start, p.w[k].to, p.w[k].stride = 0, 1, 1
        if k >= DIMS - ndim:
            p.w[k].size = dims[k + total - DIMS]
            p.inside *= p.w[k].size
            if p.w[k].size < 1 or p.inside > HUGE:
                return False
    for k in range(lead):
        p.dims[k] = dims[k]
        p.n *= p.dims[k]
        if p.dims[k] == 0 and (k or lead == 1) and not any_number:
            return False
    return True


cdef bint ints_of(PyObject* x, int ndim, npy_intp least, npy_intp* values) except -1:
    """One int for each dim of a plane, or one for all, none of them less than `least`."""
    cdef npy_intp found[MAX_DIMS]
    cdef int k, n
    if PyLong_CheckExact(<object>x):
        n = 1
        if not as_int(x, found):
            return False
    else:
        n = as_ints(x, found)
    if n != 1 and n != ndim:
        return False
    for k in range(ndim):
        values[k] = found[0 if n == 1 else k]
        if not least <= values[k] <= HUGE:
            return False
    return True


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


cdef ndarray result_of(Planes* p, int num):
    """A new array of the results of all windows."""
    cdef int k
    for k in range(p.ndim):
        p.dims[p.lead + k] = p.w[DIMS - p.ndim + k].n
    return new_array(p.lead + p.ndim, p.dims, num)


ctypedef void (*Job)(void*, npy_intp, npy_intp) noexcept nogil


cdef npy_intp parts(Planes* p) noexcept:
    """Into how many planes the work is cut; returns the work for one."""
    cdef npy_intp each = max(p.inside, p.outside)
    p.part = PART // each if each < PART else 1
    return each


cdef void run(Planes* p, Job job) noexcept:
    """The job for all planes: without the GIL where it takes long, and by several threads where it takes longer."""
    cdef npy_intp each = parts(p)
    if p.n * each >= WORTH_THREADS:
        with nogil:
            parallel_for(job, p, p.n, p.part)
    elif p.n * each > LARGE:
        with nogil:
            job(p, 0, p.n)
    else:
        job(p, 0, p.n)


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


cdef inline npy_intp slabs(npy_intp rows, npy_intp columns, int ndim) noexcept:
    """How many bytes the sums of slabs of a plane need: of an image a row, of a volume an image and a row."""
    return (columns * (ndim > 1) + rows * columns * (ndim > 2)) * sizeof(double)


cdef int with_room(Planes* p, Job job) except -1:
    """Run the job, with memory for each part of it."""
    if p.n == 0:
        return 0
    parts(p)
    p.room = <char*>memory(((p.n - 1) // p.part + 1) * p.room_each + 1)
    run(p, job)
    PyObject_Free(p.room)
    return 0


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


# ------------------------------------------------------------------------------ elements at places

cdef bint places_of(Planes* p, ndarray a, ndarray at, npy_intp* sizes, int total, PyObject* ndim) except -1:
    """Let `p` know planes of these sizes, and places in them: as many as `a` has elements, and as it has them."""
    cdef npy_intp dims = 0
    cdef int k
    if a is None or at is None or not as_int(ndim, &dims):
        return False
    if not planes_of(p, a, sizes, total, <int>dims, True) or PyArray_NDIM(at) != total:
        return False
    p.outside = 1
    for k in range(total):
        if k < p.lead and PyArray_DIMS(at)[k] != p.dims[k]:
            return False
        if k >= p.lead:
            p.outside *= PyArray_DIMS(at)[k]
    p.at = <int64_t*>PyArray_DATA(at)
    return True


cdef object put_in_planes(Loop* loop, PyObject** args, int n):
    """(grad, indices, input_sizes, ndim): added up"""
    return put_at(args, True)


cdef object unpool(Loop* loop, PyObject** args, int n):
    """(self, indices, sizes, ndim): one written over the other"""
    return put_at(args, False)


cdef object put_at(PyObject** args, bint adds):
    cdef Planes p
    cdef npy_intp sizes[MAX_DIMS]
    cdef int k, total = as_ints(args[2], sizes)
    cdef bint found
    cdef ndarray out, a = real_numbers(args[0]), at = plain(args[1], NPY_INT64)
    if not places_of(&p, a, at, sizes, total, args[3]) or PyArray_NDIM(a) != total:
        return None
    for k in range(total):
        if PyArray_DIMS(a)[k] != PyArray_DIMS(at)[k]:
            return None
    out = new_zeros(total, sizes, PyArray_TYPE(a))
    if p.single:
        found = (mg_add_planes_float if adds else mg_write_planes_float)(
            <float*>PyArray_DATA(out), <float*>p.a, p.at, p.n, p.inside, p.outside)
    else:
        found = (mg_add_planes_double if adds else mg_write_planes_double)(
            <double*>PyArray_DATA(out), <double*>p.a, p.at, p.n, p.inside, p.outside)
    return out if found else None


cdef object read_in_planes(Loop* loop, PyObject** args, int n):
    """(self, indices, ndim)"""
    cdef Planes p
    cdef bint found
    cdef ndarray out, a = real_numbers(args[0]), at = plain(args[1], NPY_INT64)
    if a is None or not places_of(&p, a, at, PyArray_DIMS(a), PyArray_NDIM(a), args[2]):
        return None
    out = new_array(PyArray_NDIM(at), PyArray_DIMS(at), PyArray_TYPE(a))
    if p.single:
        found = mg_read_planes_float(<float*>p.a, <float*>PyArray_DATA(out), p.at, p.n, p.inside, p.outside)
    else:
        found = mg_read_planes_double(<double*>p.a, <double*>PyArray_DATA(out), p.at, p.n, p.inside, p.outside)
    return out if found else None


# ------------------------------------------------------------------------------ weights, for interpolation

# The windows along a dim and their weights are made by a function of the row's own file, which the kernel is told of.

cdef object resize(Loop* loop, PyObject** args, int n):
    """(self, output_size, mode, align_corners, scales)"""
    cdef Planes p
    cdef npy_intp sizes[MAX_DIMS]
    cdef int ndim = as_ints(args[1], sizes)
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, True):
        return None
    return resized(&p, a, sizes, &args[2], <object>loop.told, False)


cdef object resize_backward(Loop* loop, PyObject** args, int n):
    """(grad, input_sizes, output_size, mode, align_corners, scales)"""
    cdef Planes p
    cdef npy_intp sizes[MAX_DIMS]
    cdef npy_intp inputs[MAX_DIMS]
    cdef int k, total = as_ints(args[1], inputs), ndim = as_ints(args[2], sizes)
    cdef ndarray a = real_numbers(args[0])
    if a is None or not planes_of(&p, a, PyArray_DIMS(a), PyArray_NDIM(a), ndim, True) or total != PyArray_NDIM(a):
        return None
    for k in range(total):
        if PyArray_DIMS(a)[k] != (inputs[k] if k < p.lead else sizes[k - p.lead]):
            return None
    return resized(&p, a, &inputs[p.lead], &args[3], <object>loop.told, True)


cdef object resized(Planes* p, ndarray a, npy_intp* sizes, PyObject** args, object windows, bint transposed):
    """The weighted sums of the windows that `windows` makes of (mode, align_corners, scales)."""
    cdef list kept = []                 # what owns the windows
    cdef Windows* w
    cdef npy_intp size
    cdef int k
    if type(<object>args[2]) is not tuple or len(<tuple><object>args[2]) != p.ndim:
        return None
    for k in range(p.ndim):
        w = &p.w[DIMS - p.ndim + k]
        if not 1 <= sizes[k] <= HUGE:
            return None
        size = sizes[k] if transposed else w.size
        made = windows(<object>args[0], size, w.size if transposed else sizes[k], <object>args[1],
                       (<tuple><object>args[2])[k], p.single, transposed)
        kept.append(made)
        w.n, w.first, w.count = sizes[k], numbers(made.first), numbers(made.count)
        if made.weights is not None:
            w.weights, w.most = PyArray_DATA(<ndarray>made.weights), PyArray_DIMS(<ndarray>made.weights)[1]
    p.outside = 1
    for k in range(p.ndim):
        p.outside *= sizes[k]
    return averaged(p, a)


cdef inline npy_intp* numbers(ndarray a) noexcept:
    return <npy_intp*>PyArray_DATA(a)

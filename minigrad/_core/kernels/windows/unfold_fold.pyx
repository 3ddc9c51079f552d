"""The windows of images as columns (im2col), and columns added up to images (col2im): unfold and fold.

The kernels are for float32 and float64.

An element of the kernel reads a run of an image that is laid out (window_layout.pyx), and is a row of the matrix of
columns; only the gaps between the rows of windows are left out.  The other way round, the rows are added up in the
image that is laid out, which is then brought back.  Each channel is by itself, and threads take turns at channels.
"""

from libc.stdlib cimport free
from minigrad._core.kernels.algebra.microkernels cimport clear_desk, desk_for, divided_up
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.loops.real cimport real
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints
from minigrad._core.kernels.windows.convolution cimport dtype_of, plain
from minigrad._core.kernels.windows.window_layout cimport Problem, bring_back, lay_out, measure, without_gaps
from minigrad._core.runtime.memory_pool cimport new_array
from minigrad._core.runtime.numpy_api cimport NPY_FLOAT, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport WORTH_THREADS, Job, parallel_for

cdef extern from "kernels/algebra/short_rows.h":
    void zeros "mg_zeros"(void*, size_t) noexcept nogil

cdef enum:
    LARGEST = 1 << 24           # as in window_layout.pyx

cdef struct Folding:
    Problem p                   # of one channel of one image
    void* image
    void* columns
    bint failed                 # there was no memory


cdef bint of_a_channel(Problem* p, npy_intp* size, PyObject** options) except -1:
    """The problem of (kernel_size, dilation, padding, stride); False where it is none."""
    cdef npy_intp given[4][MAX_DIMS]
    cdef npy_intp span
    cdef int i, k
    for k in range(4):
        if as_ints(options[k], given[k]) != 2:
            return False
    p.images = p.groups = p.channels = p.outputs = 1
    p.size[0] = p.kernel[0] = p.dilation[0] = p.stride[0] = p.places[0] = 1
    p.padding[0] = 0
    for i in range(2):
        for k in range(4):
            if not 0 <= given[k][i] <= LARGEST or not 0 < size[i] <= LARGEST or given[k][i] == 0 and k != 2:
                return False
        p.size[i + 1], p.kernel[i + 1], p.dilation[i + 1] = size[i], given[0][i], given[1][i]
        p.padding[i + 1], p.stride[i + 1] = given[2][i], given[3][i]
        span = (given[0][i] - 1) * given[1][i] + 1
        if size[i] + 2 * given[2][i] < span:
            return False
        p.places[i + 1] = (size[i] + 2 * given[2][i] - span) // given[3][i] + 1
    return measure(p)


# ------------------------------------------------------------------------------ the work of the threads

cdef void to_columns(Folding* f, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef Problem* p = &f.p
    cdef npy_intp c, k
    cdef real* desk = <real*>desk_for(p.phases * p.plane * sizeof(real))
    if desk == NULL:
        f.failed = True
        return
    for c in range(first, last):
        lay_out(p, <real*>f.image + c * p.inputs, 1, desk, p.plane)
        for k in range(p.elements):
            without_gaps(p, desk + p.phase[k] * p.plane + p.begins[k], 1,
                         <real*>f.columns + (c * p.elements + k) * p.results)
    clear_desk()


cdef void to_image(Folding* f, npy_intp first, npy_intp last, real* _) noexcept nogil:
    cdef Problem* p = &f.p
    cdef npy_intp c, k, u, q
    cdef real* desk = <real*>desk_for(p.phases * p.plane * sizeof(real))
    cdef real* from_
    cdef real* to
    if desk == NULL:
        f.failed = True
        return
    for c in range(first, last):
        zeros(desk, p.phases * p.plane * sizeof(real))
        for k in range(p.elements):
            from_ = <real*>f.columns + (c * p.elements + k) * p.results
            to = desk + p.phase[k] * p.plane + p.begins[k]
            for u in range(p.places[1]):
                for q in range(p.places[2]):
                    to[q] += from_[q]
                to += p.room[2]
                from_ += p.places[2]
        bring_back(p, desk, p.plane, 1, <real*>f.image + c * p.inputs, <real>0)
    clear_desk()


cdef void floats_to_columns(void* f, npy_intp first, npy_intp last) noexcept nogil:
    to_columns(<Folding*>f, first, last, <float*>NULL)


cdef void doubles_to_columns(void* f, npy_intp first, npy_intp last) noexcept nogil:
    to_columns(<Folding*>f, first, last, <double*>NULL)


cdef void floats_to_image(void* f, npy_intp first, npy_intp last) noexcept nogil:
    to_image(<Folding*>f, first, last, <float*>NULL)


cdef void doubles_to_image(void* f, npy_intp first, npy_intp last) noexcept nogil:
    to_image(<Folding*>f, first, last, <double*>NULL)


cdef void share(Folding* f, Job job, npy_intp channels) noexcept:
    if channels * f.p.elements * f.p.results < WORTH_THREADS:
        job(f, 0, channels)
        return
    with nogil:
        parallel_for(job, f, channels, divided_up(channels, 64))


# ------------------------------------------------------------------------------ the kernels of the rows

cdef object columns_of(Loop* loop, PyObject** args, int n):
    """(self, kernel_size, dilation, padding, stride)"""
    cdef Folding f
    cdef npy_intp shape[MAX_DIMS]
    cdef npy_intp channels = 1
    cdef ndarray a, out
    cdef int i, ndim, num = dtype_of(args[0])
    a = plain(args[0], num) if num >= 0 else None
    if a is None or PyArray_NDIM(a) < 3 or PyArray_NDIM(a) >= MAX_DIMS:
        return None
    ndim = PyArray_NDIM(a)
    if not of_a_channel(&f.p, PyArray_DIMS(a) + ndim - 2, args + 1):
        return None
    try:
        for i in range(ndim - 2):
            shape[i] = PyArray_DIMS(a)[i]
            channels *= shape[i]
        shape[ndim - 3] *= f.p.elements
        shape[ndim - 2] = f.p.results
        out = new_array(ndim - 1, shape, num)
        f.image, f.columns, f.failed = PyArray_DATA(a), PyArray_DATA(out), False
        share(&f, floats_to_columns if num == NPY_FLOAT else doubles_to_columns, channels)
        return None if f.failed else out
    finally:
        free(f.p.phase)


cdef object image_of(Loop* loop, PyObject** args, int n):
    """(self, size, kernel_size, dilation, padding, stride)"""
    cdef Folding f
    cdef npy_intp shape[MAX_DIMS]
    cdef npy_intp channels = 1
    cdef ndarray a, out
    cdef int i, ndim, num = dtype_of(args[0])
    a = plain(args[0], num) if num >= 0 else None
    ndim = as_ints(args[1], shape)
    if a is None or ndim < 3 or PyArray_NDIM(a) != ndim - 1 or not of_a_channel(&f.p, shape + ndim - 2, args + 2):
        return None
    try:
        for i in range(ndim - 2):
            channels *= shape[i]
            if PyArray_DIMS(a)[i] != shape[i] * (f.p.elements if i == ndim - 3 else 1):
                return None
        if PyArray_DIMS(a)[ndim - 2] != f.p.results:
            return None
        out = new_array(ndim, shape, num)
        f.image, f.columns, f.failed = PyArray_DATA(out), PyArray_DATA(a), False
        share(&f, floats_to_image if num == NPY_FLOAT else doubles_to_image, channels)
        return None if f.failed else out
    finally:
        free(f.p.phase)

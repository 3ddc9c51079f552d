# Planes, and windows along their dims: what pooling, unpooling and resizing work on; see planes.pyx.

from libc.stdint cimport int64_t
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS
from minigrad._core.runtime.numpy_api cimport ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject
from minigrad._core.runtime.thread_pool cimport Job

cdef extern from "kernels/windows/planes.h" nogil:
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

cdef enum:
    DIMS = 3                    # that a plane can have
    HUGE = 1 << 30              # what no size of a window exceeds, so that nothing overflows

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

cdef ndarray plain(PyObject* x, int num)
cdef ndarray real_numbers(PyObject* x)
cdef bint planes_of(Planes* p, ndarray a, npy_intp* dims, int total, int ndim, bint any_number) noexcept
cdef bint ints_of(PyObject* x, int ndim, npy_intp least, npy_intp* values) except -1
cdef ndarray result_of(Planes* p, int num)
cdef void run(Planes* p, Job job) noexcept
cdef int with_room(Planes* p, Job job) except -1

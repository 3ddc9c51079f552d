# The free list of small arrays; see array_freelist.pyx.

from minigrad._core.runtime.numpy_api cimport PyArray_DIMS, PyArray_NDIM, PyArray_TYPE, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject, Py_DECREF, Py_INCREF, Py_REFCNT
from minigrad._core.runtime.thread_state cimport listeners

cdef enum:
    BUCKETS = 128               # a power of two
    SPARES = 128                # arrays in a bucket
    SPARE_BYTES = 1024          # an array with more elements than fit in here is not kept
    SPARE_DIMS = 4              # nor is one with more dims

cdef struct Bucket:
    int n                       # how many arrays there are, all of one shape and dtype
    PyObject* arrays[SPARES]

cdef Bucket buckets[BUCKETS]

cdef bint keep(PyObject* array) noexcept


cdef inline unsigned int bucket_of(int ndim, npy_intp* dims, int num) noexcept:
    cdef unsigned int mixed = 8 * num + ndim
    cdef int k
    for k in range(ndim):
        mixed = 37 * mixed + <unsigned int>dims[k]
    return mixed & (BUCKETS - 1)


cdef inline bint is_alike(ndarray a, int ndim, npy_intp* dims, int num) noexcept:
    """Has the array these sizes, and elements of this dtype?"""
    cdef int k
    if PyArray_TYPE(a) != num or PyArray_NDIM(a) != ndim:
        return False
    for k in range(ndim):
        if PyArray_DIMS(a)[k] != dims[k]:
            return False
    return True


cdef inline PyObject* spare(int ndim, npy_intp* dims, int num) noexcept:
    """A spare array of these sizes, for the caller to own; NULL if there is none."""
    cdef Bucket* b = &buckets[bucket_of(ndim, dims, num)]
    if b.n == 0 or listeners or not is_alike(<ndarray>b.arrays[b.n - 1], ndim, dims, num):
        return NULL
    b.n -= 1
    return b.arrays[b.n]


cdef inline PyObject* own(object x) noexcept:
    """A reference to `x` besides that of its variable, which can be emptied then."""
    Py_INCREF(x)
    return <PyObject*>x


cdef inline void leave(PyObject* array) noexcept:
    """Give up a reference to what is usually an array: where it is the last, the next array may be this one."""
    if Py_REFCNT(array) != 1 or not keep(array):
        Py_DECREF(<object>array)

"""Unpooling: elements are put where the largest ones were, and read there, which is the way back of max_pool.

Each number has a place in its plane: unpooling.h.
"""

from libc.stdint cimport int64_t
from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_int, as_ints
from minigrad._core.kernels.windows.planes cimport Planes, plain, planes_of, real_numbers
from minigrad._core.runtime.memory_pool cimport new_array, new_zeros
from minigrad._core.runtime.numpy_api cimport (NPY_INT64, PyArray_DATA, PyArray_DIMS, PyArray_NDIM, PyArray_TYPE,
                                               ndarray, npy_intp)
from minigrad._core.runtime.python_api cimport PyObject

cdef extern from "kernels/windows/unpooling.h" nogil:
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

"""Resizing: interpolation, as weighted sums of windows.

The windows along a dim and their weights are made by a function of the row's own file, which the kernel is told of.
"""

from minigrad._core.kernels.loops.numpy_loops cimport Loop
from minigrad._core.kernels.shapes.strided_views cimport MAX_DIMS, as_ints
from minigrad._core.kernels.windows.planes cimport DIMS, HUGE, Planes, Windows, planes_of, real_numbers
from minigrad._core.kernels.windows.pooling cimport averaged
from minigrad._core.runtime.numpy_api cimport PyArray_DATA, PyArray_DIMS, PyArray_NDIM, ndarray, npy_intp
from minigrad._core.runtime.python_api cimport PyObject


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
